"""Encodings: how one number of a view becomes numbers of a tensor, all from -1 to 1.

An encoding names the *channels* that it writes and generates the statements that write them (see
`archipel.rules.kit.core.observations`).
"""

from __future__ import annotations

from dataclasses import dataclass

from archipel.rules.kit.core.decorators import rule

#: By byte: the fraction of its bits that are set.
SHARE_OF_BYTE: list[float] = [byte.bit_count() / 8 for byte in range(256)]


@rule
def share_of_byte(byte: int) -> float:
    """Look up `SHARE_OF_BYTE` in one rule: on a GPU every rule that uses a table copies it."""
    return SHARE_OF_BYTE[byte]


#: The distance from the observer's seat to another; faster than a remainder.
FROM_OWN = "{0} - seat if {0} >= seat else {0} - seat + seats"


@dataclass(frozen=True)
class Encoding:
    """The encoding of one number.

    ``channels`` are their meanings.  ``lines`` are statements that write the channels of ``value``
    from ``out[base]`` on, which are 0 before; they may use ``seat`` and ``seats``.  ``lowest`` is
    the lower bound of all channels: 0 or -1.
    """

    channels: tuple[str, ...]
    lines: tuple[str, ...]
    lowest: int = 0


class Number(Encoding):
    """A number, divided by its maximum.

    ``unknown``: a negative number means that the seat cannot know it.  ``capped``: larger numbers
    count as the maximum.
    """

    def __init__(
        self, most: int, unknown: bool = False, signed: bool = False, capped: bool = False
    ) -> None:
        divided = f"÷ {most}" if most != 1 else "as it is"
        number = "value"
        if capped:
            divided, number = f"{divided}, at most 1", f"min(value, {most})"
        if unknown:
            number = "max(value, 0)"  # without a branch, which would be mispredicted
        mark = ("out[base + 1] = 1.0 if value < 0 else 0.0",) if unknown else ()
        super().__init__(
            (divided, "unknown") if unknown else (divided,),
            (*mark, f"out[base] = {number} / {most}.0"),
            -1 if signed else 0,
        )


class OneOf(Encoding):
    """A one-hot encoding of the numbers from ``first`` on; 0 in all channels for other numbers."""

    def __init__(self, names: tuple[str, ...], first: int = 0) -> None:
        test = f"if {first} <= value and value < {first + len(names)}:"
        super().__init__(names, (test, f"    out[base + value - {first}] = 1.0"))


class Seat(Encoding):
    """A one-hot encoding of a seat, the observer's first, and of other numbers with names."""

    def __init__(self, most: int, others: tuple[tuple[int, str], ...] = ((-1, "nobody"),)) -> None:
        lines = ["if 0 <= value and value < seats:"]
        lines.append(f"    out[base + ({FROM_OWN.format('value')})] = 1.0")
        for place, (number, _) in enumerate(others):
            lines += [f"if value == {number}:", f"    out[base + {most + place}] = 1.0"]
        super().__init__((*seat_names(most), *(name for _, name in others)), tuple(lines))


class Bits(Encoding):
    """A bit set, one channel per bit."""

    def __init__(self, names: tuple[str, ...]) -> None:
        lines = (
            "if value != 0:",
            f"    for bit in range({len(names)}):",
            "        if value >> bit & 1 != 0:",
            "            out[base + bit] = 1.0",
        )
        super().__init__(names, lines)


class SeatBits(Encoding):
    """A bit set of seats, the observer's first."""

    def __init__(self, most: int) -> None:
        lines = (
            "for other in range(seats):",
            "    if value >> other & 1 != 0:",
            f"        out[base + ({FROM_OWN.format('other')})] = 1.0",
        )
        super().__init__(seat_names(most), lines)


class Counts(Encoding):
    """A bit set with eight bits per kind: the number of elements of each kind."""

    def __init__(self, names: tuple[str, ...]) -> None:
        # Most sets have at most one element, whose channel is found without a branch.
        above = "".join(f" + int(value > {(1 << 8 * k) - 1})" for k in range(1, len(names)))
        lines = [
            "if value & (value - 1) == 0:",
            f"    out[base{above}] = {SHARE_OF_BYTE[1]} if value != 0 else 0.0",
            "else:",
        ]
        for kind in range(len(names)):
            lines.append(f"    out[base + {kind}] = share_of_byte(value >> {8 * kind} & 255)")
        super().__init__(tuple(f"{name} ÷ 8" for name in names), tuple(lines))


@dataclass(frozen=True)
class Range:
    """A range of numbers with one meaning; with ``per_seat`` numbers per seat, in seat order."""

    name: str
    first: int
    count: int = 1
    per_seat: int = 0


class Ranges(Encoding):
    """A number in one of several ranges: a channel per range, and one for the place in it."""

    def __init__(self, ranges: tuple[Range, ...]) -> None:
        channels: list[str] = []
        lines: list[str] = []
        for part in ranges:
            first, word = part.first, "elif" if lines else "if"
            if part.count == 1:
                lines.append(f"{word} value == {first}:")
            else:
                lines.append(f"{word} {first} <= value and value < {first + part.count}:")
            lines.append(f"    out[base + {len(channels)}] = 1.0")
            channels.append(part.name)
            if part.count == 1:
                continue
            place, order = f"value - {first}", ""
            if part.per_seat:
                place, order = "which", " (own first)"
                whose = FROM_OWN.format("whose")
                lines.append(f"    whose = (value - {first}) // {part.per_seat}")
                rest = f"(value - {first}) % {part.per_seat}"
                lines.append(f"    which = ({whose}) * {part.per_seat} + {rest}")
            lines.append(f"    out[base + {len(channels)}] = ({place} + 1) / {part.count}.0")
            channels.append(f"{part.name}: which, ÷ {part.count}{order}")
        super().__init__(tuple(channels), tuple(lines))


def seat_names(most: int) -> tuple[str, ...]:
    return ("oneself", *(f"{number} to the left" for number in range(1, most)))
