"""The option ``open_memory`` (IS-S7): who sees their own values throughout.

Off and on are what a table chooses.  A bot's seat always has it, so the value may also be a text
with the numbers of the seats that do: ``24`` where seats 2 and 4 are bots.
"""

from __future__ import annotations

from archipel.rules.options import Option, OptionError, Value
from archipel.rules.sentence import Sentence


class MemoryOption(Option):
    """Off, on, or the numbers of some seats."""

    def choose(self, value: object) -> Value:
        if isinstance(value, str) and value.isdecimal():
            return value
        return super().choose(value)


def memory_of(value: Value, seats: int) -> int:
    """The value of the option as a set of seats; raises `OptionError`."""
    if isinstance(value, bool):
        return (1 << seats) - 1 if value else 0
    numbers = str(value)
    if any(n not in "1234"[:seats] for n in numbers) or list(numbers) != sorted(set(numbers)):
        raise OptionError(
            Sentence(
                "open_memory: {numbers} is not off, on, or numbers of seats in a row, such as 13 "
                "(IS-S7)",
                numbers=numbers,
            )
        )
    return sum(1 << int(number) - 1 for number in numbers)


def memory_value(memory: int, seats: int) -> Value:
    """The value of the option for a set of seats."""
    if memory in (0, (1 << seats) - 1):
        return memory != 0
    return "".join(str(seat + 1) for seat in range(seats) if memory >> seat & 1)
