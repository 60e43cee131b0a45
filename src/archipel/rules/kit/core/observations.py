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

from archipel.rules.kit.core.decorators import F32, AnyRule, rule_from_source
from archipel.rules.kit.core.encodings import Encoding, Number, OneOf, seat_names, share_of_byte
from archipel.rules.kit.core.fields import RANGES


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
    scope = _scope(state, observation)
    # Compilers ask for the file of a function, by which it is known when it is out of date.
    return rule_from_source("observe", source, scope, inspect.getfile(state), f"{name}.observe")


@dataclass(frozen=True)
class Entries:
    """A rule ``observe(view, seat, entry, out)`` that writes one of some entries of a tensor, into
    room that is 0."""

    rule: AnyRule
    count: int


def observing_entries(
    name: str, state: type[Any], most_seats: int, observation: Observation
) -> tuple[Entries, ...]:
    """The rule of `observing_rule` entry by entry, for machines on which many threads write one
    tensor. All that is a single number is one entry."""
    alone = ["out[seat] = 1.0"]
    found: list[tuple[int, list[str]]] = [(1, alone)]
    parts = parts_of(state, most_seats, observation)
    for seen, part in zip(observation.parts, parts[1:], strict=True):
        shape = _shape(state, seen)
        if shape:
            found.append((math.prod(shape), list(_entry_lines(seen, part, shape))))
        else:
            alone += _value_lines(seen, part, shape, "", "")
    begin = ["def observe(s: State, seat: int, entry: int, out: list[F32]) -> None:"]
    if _has_seats(state):
        begin.append("    seats = int(s.seats)")
    return tuple(
        Entries(
            rule_from_source(
                "observe",
                "\n".join([*begin, *_indented(1, lines)]),
                _scope(state, observation),
                inspect.getfile(state),
                f"{name}.observe_{number}",
            ),
            count,
        )
        for number, (count, lines) in enumerate(found)
    )


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
    if _has_seats(state):
        yield "    seats = int(s.seats)"
    yield "    out[seat] = 1.0"
    for seen, part in zip(observation.parts, parts[1:], strict=True):
        for line in _part_lines(seen, part, _shape(state, seen)):
            yield f"    {line}"


def _part_lines(seen: Seen, part: Part, shape: tuple[int, ...]) -> Iterator[str]:
    """Write a part, entry after entry."""
    if not shape:
        yield from _value_lines(seen, part, shape, "", "")
        return
    yield f"for row in range({_rows(seen, shape)}):"
    row = column = ""
    if seen.per_seat == "rows":
        row = "other"
        yield from _indented(1, _counted_on("row"))
    if len(shape) == 1:
        yield from _indented(1, _value_lines(seen, part, shape, row or "row", ""))
        return
    yield f"    for column in range({_columns(seen, shape, row or 'row')}):"
    if seen.per_seat == "columns":
        column = "other"
        yield from _indented(2, _counted_on("column"))
    yield from _indented(2, _value_lines(seen, part, shape, row or "row", column or "column"))


def _entry_lines(seen: Seen, part: Part, shape: tuple[int, ...]) -> Iterator[str]:
    """Write the entry of a part whose number is ``entry``, if it is in use."""
    yield "row = entry" if len(shape) == 1 else f"row = entry // {shape[1]}"
    depth, row, column = 0, "row", ""
    rows = _rows(seen, shape)
    if rows != str(shape[0]):
        yield f"if row < {rows}:"
        depth += 1
    if seen.per_seat == "rows":
        row = "other"
        yield from _indented(depth, _counted_on("row"))
    if len(shape) > 1:
        column = "column"
        yield from _indented(depth, [f"column = entry - row * {shape[1]}"])
        columns = _columns(seen, shape, row)
        if columns != str(shape[1]):
            yield from _indented(depth, [f"if column < {columns}:"])
            depth += 1
        if seen.per_seat == "columns":
            column = "other"
            yield from _indented(depth, _counted_on("column"))
    yield from _indented(depth, _value_lines(seen, part, shape, row, column))


def _value_lines(
    seen: Seen, part: Part, shape: tuple[int, ...], row: str, column: str
) -> Iterator[str]:
    """Write the entry at ``row`` and ``column`` of a part, which are counted from one's own where
    there is one per seat; ``row`` and ``column`` of the rule say where it is written."""
    channels, base = len(part.channels), str(part.offset)
    value = f"s.{seen.field}"
    if len(shape) == 1:
        value = f"{_rule_name(seen)}(s, row)" if seen.told_by else f"{value}[{row}]"
        base = f"{part.offset} + row * {channels}"
    elif shape:
        value = f"{value}[{row}][{column}]"
        base = f"{part.offset} + (row * {shape[1]} + column) * {channels}"
    yield f"value = int({value})"
    yield f"base = {base}"
    yield from seen.encoding.lines()


def _rows(seen: Seen, shape: tuple[int, ...]) -> str:
    """How many rows are in use."""
    if seen.length:
        return f"int(s.{seen.length})"
    return "seats" if seen.per_seat == "rows" else str(shape[0])


def _columns(seen: Seen, shape: tuple[int, ...], row: str) -> str:
    """How many columns of a row are in use."""
    if seen.columns:
        return f"int(s.{seen.columns}[{row}])"
    return "seats" if seen.per_seat == "columns" else str(shape[1])


def _counted_on(number: str) -> Iterator[str]:
    """The seat that comes so many after one's own; a remainder would take many times as long."""
    yield f"other = seat + {number}"
    yield "if other >= seats:"
    yield "    other -= seats"


def _has_seats(state: type[Any]) -> bool:
    return any(field.name == "seats" for field in dataclasses.fields(state))


def _scope(state: type[Any], observation: Observation) -> dict[str, Any]:
    """What rules that observe can name."""
    scope: dict[str, Any] = {"share_of_byte": share_of_byte, "State": state, "F32": F32}
    for seen in observation.parts:
        if seen.told_by is not None:
            scope[_rule_name(seen)] = seen.told_by
    return scope


def _indented(depth: int, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield "    " * depth + line


def _rule_name(seen: Seen) -> str:
    return f"tell_{seen.field}"
