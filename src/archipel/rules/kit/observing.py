"""What a seat sees, as numbers for a machine that learns: declared once, written out as a rule.

A game declares which fields of a view are told, how each is encoded and what it means.  From that
come the table in the documents, the names of the parts of a tensor, and the rule that writes the
tensor, straight into the caller's room; so the three cannot differ.  The rule is given a view and
nothing else.  It is plain Python in the subset like any other, and runs and compiles like them.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from archipel.rules.kit.encoding import Encoding, Number, OneOf, seat_names, share_of_byte
from archipel.rules.kit.fields import RANGES
from archipel.rules.kit.marking import F32, AnyRule, rule_from_source


@dataclass(frozen=True)
class Seen:
    """A part of what is seen: a field of the view, or what a rule tells of it."""

    field: str
    encoding: Encoding
    meaning: str
    per_seat: str = ""
    """"rows" or "columns": along which axis there is one entry per seat, put in one's own order."""
    length: str = ""
    """The field that says how many entries of a list are in use; the others are 0."""
    columns: str = ""
    """The field that says, row by row, how many columns are in use."""
    told_by: AnyRule | None = None
    """A rule of the view and a place, instead of the field."""
    places: int = 0
    """How many places such a rule tells of."""


@dataclass(frozen=True)
class Observation:
    """All that a game tells a seat, and what it leaves out and why."""

    parts: tuple[Seen, ...]
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class Part:
    """Where a part stands in a tensor."""

    name: str
    meaning: str
    shape: tuple[int, ...]
    channels: tuple[str, ...]
    lowest: int
    offset: int
    order: str
    """What the entries of each axis before the channels are."""

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class ObservationError(TypeError):
    """A declaration that does not fit the state of its game."""


#: How a tensor begins, whatever the game.
WHOSE = "me"


def plain_observation(state: type[Any]) -> Observation:
    """For a game that declares nothing: every field as numbers, in the order of the seats."""
    parts = []
    for field in dataclasses.fields(state):
        low, high = RANGES[field.metadata["kind"]]
        parts.append(Seen(field.name, Number(high, signed=low < 0), "as in the state of the game"))
    return Observation(tuple(parts), {})


def parts_of(state: type[Any], most_seats: int, observation: Observation) -> tuple[Part, ...]:
    """The parts of a tensor in their order; raises `ObservationError`."""
    _check(state, observation)
    own = OneOf(tuple(f"seat {seat + 1}" for seat in range(most_seats)))
    found = [Part(WHOSE, "whose tensor it is", (most_seats,), own.channels, 0, 0, "")]
    for seen in observation.parts:
        before = found[-1]
        shape = _shape(state, seen)
        channels = seen.encoding.channels
        found.append(
            Part(
                seen.field,
                seen.meaning,
                (*shape, len(channels)) if len(channels) > 1 or not shape else shape,
                channels,
                seen.encoding.lowest,
                before.offset + before.size,
                _order(seen, shape),
            )
        )
    return tuple(found)


def observing_rule(
    name: str, state: type[Any], most_seats: int, observation: Observation
) -> AnyRule:
    """The rule ``observe(view, seat, out)`` that writes a tensor."""
    parts = parts_of(state, most_seats, observation)
    source = "\n".join(_source(state, parts, observation))
    scope: dict[str, Any] = {"share_of_byte": share_of_byte, "State": state, "F32": F32}
    for seen in observation.parts:
        if seen.told_by is not None:
            scope[_rule_name(seen)] = seen.told_by
    # Compilers ask for the file of a function, by which it is known when it is out of date.
    return rule_from_source("observe", source, scope, inspect.getfile(state), f"{name}.observe")


@dataclass(frozen=True)
class Piece:
    """A rule that writes some neighbouring numbers of a tensor, from 0 on into room that is 0."""

    rule: AnyRule
    first: int
    size: int


def observing_pieces(
    name: str, state: type[Any], most_seats: int, observation: Observation, most: int
) -> tuple[Piece, ...]:
    """The rule of `observing_rule` cut into pieces that write at most so many numbers each, for
    machines on which threads write together what each of them made.  An entry stays whole."""
    scope: dict[str, Any] = {"share_of_byte": share_of_byte, "State": state, "F32": F32}
    for seen in observation.parts:
        if seen.told_by is not None:
            scope[_rule_name(seen)] = seen.told_by
    parts = parts_of(state, most_seats, observation)
    cuts = [(0, parts[0].size, ["out[seat] = 1.0"])]
    for seen, part in zip(observation.parts, parts[1:], strict=True):
        shape = _shape(state, seen)
        for block in _blocks(shape, len(part.channels), most, most - cuts[-1][1]):
            if cuts[-1][1] + block.entries * len(part.channels) > most:
                cuts.append((sum(cuts[-1][:2]), 0, []))
            first, size, lines = cuts[-1]
            lines += _part_lines(seen, part, shape, first, block)
            cuts[-1] = (first, size + block.entries * len(part.channels), lines)
    begin = ["def observe(s: State, seat: int, out: list[F32]) -> None:"]
    if any(field.name == "seats" for field in dataclasses.fields(state)):
        begin.append("    seats = int(s.seats)")
    file = inspect.getfile(state)
    return tuple(
        Piece(
            rule_from_source(
                "observe",
                "\n".join([*begin, *_indented(1, lines)]),
                dict(scope),
                file,
                f"{name}.observe_{first}",
            ),
            first,
            size,
        )
        for first, size, lines in cuts
    )


@dataclass(frozen=True)
class _Block:
    """Some whole rows of a part, or some columns of one of its rows."""

    first: int
    end: int
    left: int
    right: int

    @property
    def entries(self) -> int:
        return (self.end - self.first) * (self.right - self.left)


def _blocks(shape: tuple[int, ...], channels: int, most: int, room: int) -> Iterator[_Block]:
    """Cut a part so that no block has more than ``most`` numbers, and the first fits ``room`` if a
    row does."""
    rows, columns = (*shape, 1, 1)[:2]
    if columns * channels > most:
        step = most // channels
        for row in range(rows):
            for left in range(0, columns, step):
                yield _Block(row, row + 1, left, min(left + step, columns))
        return
    first = 0
    while first < rows:
        fitting = room // (columns * channels) or most // (columns * channels)
        end = min(first + fitting, rows)
        yield _Block(first, end, 0, columns)
        first, room = end, most


def _check(state: type[Any], observation: Observation) -> None:
    fields = {field.name for field in dataclasses.fields(state)}
    told = {seen.field for seen in observation.parts if seen.told_by is None}
    for name in sorted((told | set(observation.left_out)) - fields):
        raise ObservationError(f"{state.__module__}: the state has no field {name}")
    for name in sorted(fields - told - set(observation.left_out)):
        raise ObservationError(
            f"{state.__module__}: nothing says how {name} is observed, nor why it is not"
        )


def _shape(state: type[Any], seen: Seen) -> tuple[int, ...]:
    if seen.told_by is not None:
        return (seen.places,)
    by_name = {field.name: field for field in dataclasses.fields(state)}
    return tuple(by_name[seen.field].metadata["shape"])


def _order(seen: Seen, shape: tuple[int, ...]) -> str:
    if not seen.per_seat:
        return ""
    axis = 0 if seen.per_seat == "rows" else 1
    names = seat_names(shape[axis])
    return f"{names[0]} first, then {names[1]} and so on; 0 where nobody sits"


# ---- the rule -----------------------------------------------------------------------------------


def _source(state: type[Any], parts: tuple[Part, ...], observation: Observation) -> Iterator[str]:
    yield "def observe(s: State, seat: int, out: list[F32]) -> None:"
    yield f"    for number in range({parts[-1].offset + parts[-1].size}):"
    yield "        out[number] = 0.0"
    if any(field.name == "seats" for field in dataclasses.fields(state)):
        yield "    seats = int(s.seats)"
    yield "    out[seat] = 1.0"
    for seen, part in zip(observation.parts, parts[1:], strict=True):
        for line in _part_lines(seen, part, _shape(state, seen)):
            yield f"    {line}"


def _part_lines(
    seen: Seen,
    part: Part,
    shape: tuple[int, ...],
    origin: int = 0,
    block: _Block | None = None,
) -> Iterator[str]:
    """Write a part, or a block of it, where what is written begins with number ``origin``."""
    channels = len(part.channels)
    start = str(part.offset - origin)
    if not shape:
        yield f"value = int(s.{seen.field})"
        yield f"base = {start}"
        yield from seen.encoding.lines()
        return
    rows = "seats" if seen.per_seat == "rows" else str(shape[0])
    if seen.length:
        rows = f"int(s.{seen.length})"
    yield f"for row in {_range(rows, shape[0], (block.first, block.end) if block else None)}:"
    row = "row"
    if seen.per_seat == "rows":
        row = "other"
        yield from _indented(1, _counted_on("row"))
    if len(shape) == 1:
        told = f"{_rule_name(seen)}(s, row)" if seen.told_by else f"s.{seen.field}[{row}]"
        yield f"    value = int({told})"
        yield f"    base = {start} + row * {channels}"
        yield from _indented(1, seen.encoding.lines())
        return
    columns = "seats" if seen.per_seat == "columns" else str(shape[1])
    if seen.columns:
        columns = f"int(s.{seen.columns}[{row}])"
    cut = (block.left, block.right) if block else None
    yield f"    for column in {_range(columns, shape[1], cut)}:"
    column = "column"
    if seen.per_seat == "columns":
        column = "other"
        yield from _indented(2, _counted_on("column"))
    yield f"        value = int(s.{seen.field}[{row}][{column}])"
    yield f"        base = {start} + (row * {shape[1]} + column) * {channels}"
    yield from _indented(2, seen.encoding.lines())


def _range(count: str, most: int, cut: tuple[int, int] | None) -> str:
    """So many of at most so many; of these only what lies within the cut."""
    if cut is None or cut == (0, most):
        return f"range({count})"
    end = str(cut[1]) if count == str(most) else f"min({count}, {cut[1]})"
    return f"range({cut[0]}, {end})"


def _counted_on(number: str) -> Iterator[str]:
    """The seat that comes so many after one's own; a remainder would take many times as long."""
    yield f"other = seat + {number}"
    yield "if other >= seats:"
    yield "    other -= seats"


def _indented(depth: int, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield "    " * depth + line


def _rule_name(seen: Seen) -> str:
    return f"tell_{seen.field}"
