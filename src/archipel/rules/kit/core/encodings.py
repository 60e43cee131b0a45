"""How a number of a view becomes numbers of a tensor, all of them from -1 to 1.

An encoding says how many *channels* it writes and what each of them means, and it writes the lines
of the rule that writes them (see `archipel.rules.kit.core.observations`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from archipel.rules.kit.core.decorators import rule

#: What share of the bits of a byte are set.
SHARE_OF_BYTE: list[float] = [byte.bit_count() / 8 for byte in range(256)]


@rule
def share_of_byte(byte: int) -> float:
    """Rules that observe count sets with it. A rule, and no table in each of them: on a graphics
    card every mention of a table is one more copy of it."""
    return SHARE_OF_BYTE[byte]


#: A seat counted from one's own; a remainder would take many times as long.
FROM_OWN = "{0} - seat if {0} >= seat else {0} - seat + seats"


class Encoding(Protocol):
    """What is made of one number."""

    @property
    def channels(self) -> tuple[str, ...]:
        """What each number that is written means."""
        ...

    @property
    def lowest(self) -> int:
        """-1 where a channel can be below 0, else 0."""
        ...

    def lines(self) -> Iterator[str]:
        """Statements that write the channels of ``value`` from ``out[base]`` on, where all is 0.
        They may use ``seat`` and ``seats``."""
        ...


@dataclass(frozen=True)
class Number:
    """A number, divided by the most it can be."""

    most: int
    unknown: bool = False
    """Whether a number below 0 stands for what the seat cannot know."""
    signed: bool = False
    capped: bool = False
    """Whether there can be more than that, which then counts as the most."""

    @property
    def channels(self) -> tuple[str, ...]:
        divided = f"÷ {self.most}" if self.most != 1 else "as it is"
        if self.capped:
            divided += ", at most 1"
        return (divided, "unknown") if self.unknown else (divided,)

    @property
    def lowest(self) -> int:
        return -1 if self.signed else 0

    def lines(self) -> Iterator[str]:
        number = f"min(value, {self.most})" if self.capped else "value"
        if self.unknown:
            # No branch: processors guess wrong what is known.
            number = "max(value, 0)"
            yield "out[base + 1] = 1.0 if value < 0 else 0.0"
        yield f"out[base] = {number} / {self.most}.0"


@dataclass(frozen=True)
class OneOf:
    """One of several things, each with a channel of its own; 0 in all of them for anything else."""

    names: tuple[str, ...]
    first: int = 0

    @property
    def channels(self) -> tuple[str, ...]:
        return self.names

    @property
    def lowest(self) -> int:
        return 0

    def lines(self) -> Iterator[str]:
        end = self.first + len(self.names)
        yield f"if {self.first} <= value and value < {end}:"
        yield f"    out[base + value - {self.first}] = 1.0"


@dataclass(frozen=True)
class Seat:
    """A seat, counted from one's own; and whatever else may stand in its place."""

    most: int
    others: tuple[tuple[int, str], ...] = ((-1, "nobody"),)

    @property
    def channels(self) -> tuple[str, ...]:
        return (*seat_names(self.most), *(name for _, name in self.others))

    @property
    def lowest(self) -> int:
        return 0

    def lines(self) -> Iterator[str]:
        yield "if 0 <= value and value < seats:"
        yield f"    out[base + ({FROM_OWN.format('value')})] = 1.0"
        for place, (number, _) in enumerate(self.others):
            yield f"if value == {number}:"
            yield f"    out[base + {self.most + place}] = 1.0"


@dataclass(frozen=True)
class Bits:
    """A set, bit by bit."""

    names: tuple[str, ...]

    @property
    def channels(self) -> tuple[str, ...]:
        return self.names

    @property
    def lowest(self) -> int:
        return 0

    def lines(self) -> Iterator[str]:
        yield "if value != 0:"
        yield f"    for bit in range({len(self.names)}):"
        yield "        if value >> bit & 1 != 0:"
        yield "            out[base + bit] = 1.0"


@dataclass(frozen=True)
class SeatBits:
    """A set of seats, one's own first."""

    most: int

    @property
    def channels(self) -> tuple[str, ...]:
        return seat_names(self.most)

    @property
    def lowest(self) -> int:
        return 0

    def lines(self) -> Iterator[str]:
        yield "for other in range(seats):"
        yield "    if value >> other & 1 != 0:"
        yield f"        out[base + ({FROM_OWN.format('other')})] = 1.0"


@dataclass(frozen=True)
class Counts:
    """A set of things of several kinds, eight neighbouring bits each: how many of each kind."""

    names: tuple[str, ...]

    @property
    def channels(self) -> tuple[str, ...]:
        return tuple(f"{name} ÷ 8" for name in self.names)

    @property
    def lowest(self) -> int:
        return 0

    def lines(self) -> Iterator[str]:
        # Most sets have one thing in them or none, which takes one number; and no branch tells
        # which, since processors would guess wrong.
        above = "".join(f" + int(value > {(1 << 8 * k) - 1})" for k in range(1, len(self.names)))
        yield "if value & (value - 1) == 0:"
        yield f"    out[base{above}] = {SHARE_OF_BYTE[1]} if value != 0 else 0.0"
        yield "else:"
        for kind in range(len(self.names)):
            yield f"    out[base + {kind}] = share_of_byte(value >> {8 * kind} & 255)"


@dataclass(frozen=True)
class Range:
    """Some neighbouring numbers that mean the same kind of thing."""

    name: str
    first: int
    count: int = 1
    per_seat: int = 0
    """Where they go seat by seat: how many each seat has. Then one's own come first."""


@dataclass(frozen=True)
class Ranges:
    """A number whose meaning depends on where it lies: per range a channel that says so and, where
    it has more than one number, a channel with the place in it."""

    ranges: tuple[Range, ...]

    @property
    def channels(self) -> tuple[str, ...]:
        names: list[str] = []
        for part in self.ranges:
            names.append(part.name)
            if part.count > 1:
                order = " (own first)" if part.per_seat else ""
                names.append(f"{part.name}: which, ÷ {part.count}{order}")
        return tuple(names)

    @property
    def lowest(self) -> int:
        return 0

    def lines(self) -> Iterator[str]:
        channel = 0
        word = "if"
        for part in self.ranges:
            if part.count == 1:
                yield f"{word} value == {part.first}:"
                yield f"    out[base + {channel}] = 1.0"
                channel += 1
            else:
                yield f"{word} {part.first} <= value and value < {part.first + part.count}:"
                yield f"    out[base + {channel}] = 1.0"
                yield from self._place(part, channel + 1)
                channel += 2
            word = "elif"

    def _place(self, part: Range, channel: int) -> Iterator[str]:
        if part.per_seat:
            yield f"    whose = (value - {part.first}) // {part.per_seat}"
            yield (
                f"    which = ({FROM_OWN.format('whose')}) * {part.per_seat} "
                f"+ (value - {part.first}) % {part.per_seat}"
            )
            yield f"    out[base + {channel}] = (which + 1) / {part.count}.0"
        else:
            yield f"    out[base + {channel}] = (value - {part.first} + 1) / {part.count}.0"


def seat_names(most: int) -> tuple[str, ...]:
    return ("oneself", *(f"{number} to the left" for number in range(1, most)))
