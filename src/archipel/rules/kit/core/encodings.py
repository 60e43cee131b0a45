"""Encodings: how one number of a view becomes numbers of a tensor, all from -1 to 1.

An encoding names the *channels* that it writes and generates the statements that write them (see
`archipel.rules.kit.core.observations`).
"""

from __future__ import annotations

from collections.abc import Iterator
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


class Encoding:
    """The encoding of one number."""

    #: The lower bound of all channels: 0 or -1.
    lowest = 0

    @property
    def channels(self) -> tuple[str, ...]:
        """The meaning of each channel."""
        raise NotImplementedError

    def lines(self) -> Iterator[str]:
        """Generate statements that write the channels of ``value`` from ``out[base]`` on.

        All channels are 0 before. The statements may use ``seat`` and ``seats``.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Encoding):
    """A number, divided by its maximum.

    ``unknown``: a negative number means that the seat cannot know it.  ``capped``: larger numbers
    count as the maximum.
    """

    most: int
    unknown: bool = False
    signed: bool = False
    capped: bool = False

    @property
    def lowest(self) -> int:  # type: ignore[override]
        return -1 if self.signed else 0

    @property
    def channels(self) -> tuple[str, ...]:
        divided = f"÷ {self.most}" if self.most != 1 else "as it is"
        if self.capped:
            divided += ", at most 1"
        return (divided, "unknown") if self.unknown else (divided,)

    def lines(self) -> Iterator[str]:
        number = f"min(value, {self.most})" if self.capped else "value"
        if self.unknown:
            number = "max(value, 0)"  # without a branch, which would be mispredicted
            yield "out[base + 1] = 1.0 if value < 0 else 0.0"
        yield f"out[base] = {number} / {self.most}.0"


@dataclass(frozen=True)
class OneOf(Encoding):
    """A one-hot encoding of the numbers from ``first`` on; 0 in all channels for other numbers."""

    names: tuple[str, ...]
    first: int = 0

    @property
    def channels(self) -> tuple[str, ...]:
        return self.names

    def lines(self) -> Iterator[str]:
        yield f"if {self.first} <= value and value < {self.first + len(self.names)}:"
        yield f"    out[base + value - {self.first}] = 1.0"


@dataclass(frozen=True)
class Seat(Encoding):
    """A one-hot encoding of a seat, the observer's first, and of other numbers with names."""

    most: int
    others: tuple[tuple[int, str], ...] = ((-1, "nobody"),)

    @property
    def channels(self) -> tuple[str, ...]:
        return (*seat_names(self.most), *(name for _, name in self.others))

    def lines(self) -> Iterator[str]:
        yield "if 0 <= value and value < seats:"
        yield f"    out[base + ({FROM_OWN.format('value')})] = 1.0"
        for place, (number, _) in enumerate(self.others):
            yield f"if value == {number}:"
            yield f"    out[base + {self.most + place}] = 1.0"


@dataclass(frozen=True)
class Bits(Encoding):
    """A bit set, one channel per bit."""

    names: tuple[str, ...]

    @property
    def channels(self) -> tuple[str, ...]:
        return self.names

    def lines(self) -> Iterator[str]:
        yield "if value != 0:"
        yield f"    for bit in range({len(self.names)}):"
        yield "        if value >> bit & 1 != 0:"
        yield "            out[base + bit] = 1.0"


@dataclass(frozen=True)
class SeatBits(Encoding):
    """A bit set of seats, the observer's first."""

    most: int

    @property
    def channels(self) -> tuple[str, ...]:
        return seat_names(self.most)

    def lines(self) -> Iterator[str]:
        yield "for other in range(seats):"
        yield "    if value >> other & 1 != 0:"
        yield f"        out[base + ({FROM_OWN.format('other')})] = 1.0"


@dataclass(frozen=True)
class Counts(Encoding):
    """A bit set with eight bits per kind: the number of elements of each kind."""

    names: tuple[str, ...]

    @property
    def channels(self) -> tuple[str, ...]:
        return tuple(f"{name} ÷ 8" for name in self.names)

    def lines(self) -> Iterator[str]:
        # Most sets have at most one element, whose channel is found without a branch.
        above = "".join(f" + int(value > {(1 << 8 * k) - 1})" for k in range(1, len(self.names)))
        yield "if value & (value - 1) == 0:"
        yield f"    out[base{above}] = {SHARE_OF_BYTE[1]} if value != 0 else 0.0"
        yield "else:"
        for kind in range(len(self.names)):
            yield f"    out[base + {kind}] = share_of_byte(value >> {8 * kind} & 255)"


@dataclass(frozen=True)
class Range:
    """A range of numbers with one meaning; with ``per_seat`` numbers per seat, in seat order."""

    name: str
    first: int
    count: int = 1
    per_seat: int = 0


@dataclass(frozen=True)
class Ranges(Encoding):
    """A number in one of several ranges: a channel per range, and one for the place in it."""

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
                place = f"value - {part.first}"
                if part.per_seat:
                    place = "which"
                    yield f"    whose = (value - {part.first}) // {part.per_seat}"
                    yield (
                        f"    which = ({FROM_OWN.format('whose')}) * {part.per_seat} "
                        f"+ (value - {part.first}) % {part.per_seat}"
                    )
                yield f"    out[base + {channel + 1}] = ({place} + 1) / {part.count}.0"
                channel += 2
            word = "elif"


def seat_names(most: int) -> tuple[str, ...]:
    return ("oneself", *(f"{number} to the left" for number in range(1, most)))
