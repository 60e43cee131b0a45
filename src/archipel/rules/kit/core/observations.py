"""Observations: a seat's view as a tensor for machine learning.

A game declares which fields of a view are observed, how each is encoded and what it means.  The
declaration gives the table in the documents, the names of the parts of a tensor, and the rule that
writes the tensor into the caller's memory.  The rule gets a view and nothing else; it is in the
subset, and is interpreted or compiled like other rules.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from archipel.rules.kit.core.decorators import F32, AnyRule, rule_from_source
from archipel.rules.kit.core.encodings import Encoding, Number, OneOf, share_of_byte
from archipel.rules.kit.core.fields import RANGES


@dataclass(frozen=True)
class Seen:
    """A part of an observation: a field of the view, or the result of a rule."""

    field: str
    encoding: Encoding
    meaning: str
    per_seat: str = ""
    """"rows" or "columns": the axis with one entry per seat, which is rotated to the observer."""
    length: str = ""
    """The field with the number of entries in use; the others are 0."""
    columns: str = ""
    """The field with the number of columns in use, by row."""
    told_by: AnyRule | None = None
    """A rule ``(view, place)`` that gives the numbers instead of the field."""
    places: int = 0
    """The number of places of that rule."""


@dataclass(frozen=True)
class ActionRange:
    """Consecutive actions with one meaning in some phases, named in the order of their numbers."""

    first: int
    names: tuple[str, ...]
    meaning: str
    phases: tuple[int, ...]

    def name(self, action: int) -> str | None:
        """The name of an action, or None if it is in another range."""
        return (
            self.names[action - self.first] if 0 <= action - self.first < len(self.names) else None
        )


@dataclass(frozen=True)
class Nodes:
    """Entries of an observation that are things of one kind: the places of the board, or pieces."""

    name: str
    count: int
    parts: tuple[str, ...]
    """The parts with an entry per thing."""
    action: int = -1
    """The first of the actions that choose one of them, if there are any."""
    at: str | tuple[int, ...] = ()
    """The place of each piece: the part that tells it in its first two channels (for pieces of
    the seats, in its only channel), or the places themselves if they never change."""
    sides: tuple[int, ...] = ()
    """The side of each piece, if it belongs to one; sides follow the seats."""
    kinds: tuple[int, ...] = ()


@dataclass(frozen=True)
class Mark:
    """A part that names a node in two of its channels: whether it is of this kind, and which."""

    part: str
    channel: int
    nodes: str


@dataclass(frozen=True)
class Graph:
    """The board of a game as a graph of places, and the pieces on it."""

    places: Nodes
    neighbours: tuple[tuple[int, ...], ...]
    pieces: tuple[Nodes, ...]
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Observation:
    """The parts of a game's observation, and the fields left out with the reason.

    ``phases`` are the names of the phases by number, and ``actions`` say what each number means.
    """

    parts: tuple[Seen, ...]
    left_out: Mapping[str, str]
    phases: tuple[str, ...] = ()
    actions: tuple[ActionRange, ...] = ()
    graph: Graph | None = None


@dataclass(frozen=True)
class Part:
    """A part of a tensor; ``order`` describes the entries of its axes before the channels."""

    name: str
    meaning: str
    shape: tuple[int, ...]
    channels: tuple[str, ...]
    lowest: int
    offset: int
    order: str

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class ObservationError(TypeError):
    """A declaration does not fit the state of its game."""


#: The order of entries with one per seat.
OWN_FIRST = "oneself first, then 1 to the left and so on"


def plain_observation(state: type[Any]) -> Observation:
    """The observation of a game that declares none: every field as numbers, in seat order."""
    parts = []
    for field in dataclasses.fields(state):
        low, high = RANGES[field.metadata["kind"]]
        parts.append(Seen(field.name, Number(high, signed=low < 0), "as in the state of the game"))
    return Observation(tuple(parts), {})


def parts_of(state: type[Any], most_seats: int, observation: Observation) -> tuple[Part, ...]:
    """Return the parts of a tensor in their order; raises `ObservationError`."""
    _check(state, observation)
    own = OneOf(tuple(f"seat {seat + 1}" for seat in range(most_seats)))
    found = [Part("me", "whose tensor it is", (most_seats,), own.channels, 0, 0, "")]
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
                f"{OWN_FIRST}; 0 where nobody sits" if seen.per_seat else "",
            )
        )
    return tuple(found)


def observing_rule(
    name: str, state: type[Any], most_seats: int, observation: Observation
) -> AnyRule:
    """Return the rule ``observe(view, seat, out)`` that writes a tensor."""
    parts = parts_of(state, most_seats, observation)
    lines = [f"for number in range({parts[-1].offset + parts[-1].size}):", "    out[number] = 0.0"]
    lines.append("out[seat] = 1.0")
    for seen, part in zip(observation.parts, parts[1:], strict=True):
        lines += _part_lines(seen, part, _shape(state, seen))
    return _generated(f"{name}.observe", state, observation, "", lines)


@dataclass(frozen=True)
class Entries:
    """A rule ``observe(view, seat, entry, out)`` that writes one of ``count`` entries of a tensor,
    which is all 0 before."""

    rule: AnyRule
    count: int


def observing_entries(
    name: str, state: type[Any], most_seats: int, observation: Observation
) -> tuple[Entries, ...]:
    """Return `observing_rule` split by entries, for GPUs, where many threads write one tensor.

    All scalar parts together are one entry.
    """
    scalars = ["out[seat] = 1.0"]
    found: list[tuple[int, list[str]]] = [(1, scalars)]
    parts = parts_of(state, most_seats, observation)
    for seen, part in zip(observation.parts, parts[1:], strict=True):
        shape = _shape(state, seen)
        lines = list(_part_lines(seen, part, shape, one_entry=True))
        if shape:
            found.append((math.prod(shape), lines))
        else:
            scalars += lines
    return tuple(
        Entries(
            _generated(f"{name}.observe_{number}", state, observation, "entry: int, ", lines), count
        )
        for number, (count, lines) in enumerate(found)
    )


def _check(state: type[Any], observation: Observation) -> None:
    fields = {field.name for field in dataclasses.fields(state)}
    observed = {seen.field for seen in observation.parts if seen.told_by is None}
    for name in sorted((observed | set(observation.left_out)) - fields):
        raise ObservationError(f"{state.__module__}: the state has no field {name}")
    for name in sorted(fields - observed - set(observation.left_out)):
        raise ObservationError(
            f"{state.__module__}: nothing says how {name} is observed, nor why it is not"
        )


def _shape(state: type[Any], seen: Seen) -> tuple[int, ...]:
    if seen.told_by is not None:
        return (seen.places,)
    by_name = {field.name: field for field in dataclasses.fields(state)}
    return tuple(by_name[seen.field].metadata["shape"])


# ---- the generated rule -------------------------------------------------------------------------


def _generated(
    name: str, state: type[Any], observation: Observation, entry: str, lines: Iterable[str]
) -> AnyRule:
    source = [f"def observe(s: State, seat: int, {entry}out: list[F32]) -> None:"]
    if any(field.name == "seats" for field in dataclasses.fields(state)):
        source.append("    seats = int(s.seats)")
    source += [f"    {line}" for line in lines]
    scope: dict[str, Any] = {"share_of_byte": share_of_byte, "State": state, "F32": F32}
    scope |= {f"tell_{seen.field}": seen.told_by for seen in observation.parts if seen.told_by}
    # Compilers need a file, whose time tells whether cached code is out of date.
    return rule_from_source("observe", "\n".join(source), scope, inspect.getfile(state), name)


def _part_lines(
    seen: Seen, part: Part, shape: tuple[int, ...], one_entry: bool = False
) -> Iterator[str]:
    """Generate statements that write all entries of a part, or the one numbered ``entry``."""
    indent = row = ""
    value, base = f"s.{seen.field}", str(part.offset)
    for axis, size in zip(("row", "column"), shape, strict=False):
        used = _entries_in_use(seen, axis, size, row)
        if one_entry:
            first = "entry" if len(shape) == 1 else f"entry // {shape[1]}"
            yield f"{indent}{axis} = {first if axis == 'row' else f'entry - row * {size}'}"
            if used != str(size):
                yield f"{indent}if {axis} < {used}:"
                indent += "    "
        else:
            yield f"{indent}for {axis} in range({used}):"
            indent += "    "
        place = axis
        if seen.per_seat == f"{axis}s":  # the seat at this distance from the observer's
            place = "other"
            yield f"{indent}other = seat + {axis}"
            yield f"{indent}if other >= seats:"
            yield f"{indent}    other -= seats"
        value += f"[{place}]"
        row = row or place
    if seen.told_by:
        value = f"tell_{seen.field}(s, row)"
    channels = len(part.channels)
    if len(shape) == 1:
        base += f" + row * {channels}"
    elif shape:
        base += f" + (row * {shape[1]} + column) * {channels}"
    for line in (f"value = int({value})", f"base = {base}", *seen.encoding.lines):
        yield indent + line


def _entries_in_use(seen: Seen, axis: str, size: int, row: str) -> str:
    """The number of entries of an axis that are in use, as an expression."""
    if axis == "row" and seen.length:
        return f"int(s.{seen.length})"
    if axis == "column" and seen.columns:
        return f"int(s.{seen.columns}[{row}])"
    return "seats" if seen.per_seat == f"{axis}s" else str(size)
