"""A board of hexagons, read from a data file.

Rows run from top to bottom and are named by a letter; spaces are numbered from 1 within their row,
so the first space of the second row is b1.  Every row is shifted by half a space against the next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from archipel.rules.data_files import DataFileError, shown
from archipel.rules.sentence import Sentence

_STEPS: Final = ((-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1))
"""The steps to the six neighbours, in rows and half spaces."""


LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
WIDEST: Final = 250
"""A limit on the spaces and the indent of a row."""

# The names of islands that notation can read, and words with another meaning.
_SHORE: Final = re.compile(r"[a-z]{1,12}")
_TAKEN: Final = ("lost", "x")


class BoardError(DataFileError):
    """An invalid data file: the message says where and why."""


@dataclass(frozen=True)
class DataReader:
    """Checks the parts of a data file; messages begin with the name of the file."""

    file: str

    def require(self, condition: bool, complaint: str, /, **parts: object) -> None:
        """Raise `BoardError` unless a condition holds."""
        if not condition:
            raise BoardError(Sentence(complaint, file=self.file, **parts))

    def table(self, data: Mapping[str, Any], name: str, keys: tuple[str, ...]) -> Any:
        """An object of the file with exactly these keys."""
        table = data.get(name)
        self.require(
            isinstance(table, dict) and sorted(table) == sorted(keys),
            "{file}: {name}: expected an entry for each of {keys}",
            name=name,
            keys=", ".join(keys),
        )
        return table

    def count(self, value: Any, name: str, low: int, high: int) -> int:
        """A number of the file within bounds."""
        self.require(
            type(value) is int and low <= value <= high,
            "{where}: {value} is not a number from {low} to {high}",
            where=f"{self.file}: {name}",
            value=shown(value),
            low=low,
            high=high,
        )
        return int(value)

    def counts(self, table: Mapping[str, Any], name: str, low: int, high: int) -> tuple[int, ...]:
        """The numbers of a table."""
        return tuple(self.count(table[key], f"{name}: {key}", low, high) for key in table)


@dataclass(frozen=True)
class HexBoard:
    """Spaces are numbered row by row from 0."""

    names: tuple[str, ...]
    marks: str
    rows: tuple[int, ...]
    half_columns: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    shores: tuple[str, ...]
    exits: tuple[tuple[int, ...], ...]  # of each shore, the spaces from which it is reached

    @property
    def size(self) -> int:
        return len(self.names)

    def marked(self, mark: str) -> list[int]:
        return [space for space in range(self.size) if self.marks[space] == mark]

    def touches(self, space: int, mark: str) -> bool:
        return any(self.marks[near] == mark for near in self.neighbours[space])

    def reachable(self, start: int, marks: str) -> set[int]:
        """The spaces connected to a space by spaces with these marks."""
        found, ahead = {start}, [start]
        while ahead:
            for near in self.neighbours[ahead.pop()]:
                if near not in found and self.marks[near] in marks:
                    found.add(near)
                    ahead.append(near)
        return found

    @cached_property
    def first_near(self) -> list[int]:
        """The index of each space's first neighbour in `near`, and the length of `near`."""
        ends = [0]
        for near in self.neighbours:
            ends.append(ends[-1] + len(near))
        return ends

    @cached_property
    def near(self) -> list[int]:
        """The neighbours of every space in one list, ascending for each: a table for rules."""
        return [near for spaces in self.neighbours for near in spaces]

    @cached_property
    def shore_of(self) -> list[int]:
        """Per space the number of the shore it is an exit of, or -1."""
        found = [-1] * self.size
        for shore, exits in enumerate(self.exits):
            for space in exits:
                found[space] = shore
        return found


def read_board(data: Mapping[str, Any], file: str, marks: str, sea: str, exits: int) -> HexBoard:
    """Read a board: ``marks`` are all marks, ``sea`` those of the open sea, and ``exits`` is the
    number of exits of each safe island."""
    reader = DataReader(file)
    rows: Any = data.get("rows")
    reader.require(
        isinstance(rows, list) and 0 < len(rows) <= len(LETTERS),
        "{file}: rows: expected a list of rows, {most} at most",
        most=len(LETTERS),
    )
    places: dict[tuple[int, int], int] = {}
    names: list[str] = []
    found: list[str] = []
    above: int | None = None
    for number, row in enumerate(rows):
        indent, spaces = _read_row(reader, row, number, marks)
        letter = LETTERS[number]
        reader.require(
            above is None or (indent - above) % 2 == 1,
            "{file}: row {letter}: its indent and that of the row above must be one even and one "
            "odd: rows are shifted by half a space",
            letter=letter,
        )
        above = indent
        for column, mark in enumerate(spaces):
            places[number, indent + 2 * column] = len(names)
            names.append(f"{letter}{column + 1}")
            found.append(mark)
    shores = _read_shores(reader, data, dict(zip(names, found, strict=True)), sea, exits)
    return HexBoard(
        tuple(names),
        "".join(found),
        tuple(row for row, _ in places),
        tuple(half for _, half in places),
        tuple(_neighbours(place, places) for place in places),
        tuple(shores),
        tuple(tuple(names.index(space) for space in spaces) for spaces in shores.values()),
    )


def _neighbours(place: tuple[int, int], places: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    row, half = place
    near = ((row + down, half + right) for down, right in _STEPS)
    return tuple(sorted(places[there] for there in near if there in places))


def _read_row(reader: DataReader, row: Any, number: int, marks: str) -> tuple[int, str]:
    """The indent and the marks of a row."""
    letter = LETTERS[number]
    reader.require(
        isinstance(row, dict) and row.get("name") == letter,
        '{file}: row {number}: expected "name": "{letter}"',
        number=number + 1,
        letter=letter,
    )
    indent, spaces = row.get("indent"), row.get("spaces")
    reader.require(
        type(indent) is int and 0 <= indent <= WIDEST,
        "{file}: row {letter}: indent {indent} is not a number from 0 to {most}",
        letter=letter,
        indent=shown(indent),
        most=WIDEST,
    )
    reader.require(
        isinstance(spaces, str) and 0 < len(spaces) <= WIDEST,
        "{file}: row {letter}: spaces: expected a text like '~~oo~~'",
        letter=letter,
    )
    for mark in spaces:
        reader.require(
            mark in marks,
            "{file}: row {letter}: {mark!r} is not one of {marks}",
            letter=letter,
            mark=mark,
            marks=" ".join(marks),
        )
    return indent, spaces


def is_list_of_spaces(value: Any, count: int) -> bool:
    """Whether a value is a list of this number of different texts."""
    if not isinstance(value, list) or not all(isinstance(space, str) for space in value):
        return False
    return len(value) == len(set(value)) == count


def _read_shores(
    reader: DataReader, data: Mapping[str, Any], found: Mapping[str, str], sea: str, exits: int
) -> dict[str, list[str]]:
    """The safe islands with their exits."""
    shores: Any = data.get("safe_islands")
    some = isinstance(shores, dict) and bool(shores)
    reader.require(some, "{file}: safe_islands: expected names with their exits")
    met: set[str] = set()
    for shore, spaces in shores.items():
        reader.require(
            _SHORE.fullmatch(shore) is not None and shore not in _TAKEN,
            "{file}: safe island {shore}: a name is made of small letters, such as nw, and is "
            "not {taken}",
            shore=shown(shore),
            taken=", ".join(_TAKEN),
        )
        reader.require(
            is_list_of_spaces(spaces, exits),
            "{file}: safe island {shore}: expected exits: {exits}, all different",
            shore=shore,
            exits=exits,
        )
        for space in spaces:
            reader.require(
                space in found and found[space] in sea,
                "{file}: safe island {shore}: {space} is not a sea space",
                shore=shore,
                space=shown(space),
            )
            reader.require(
                space not in met,
                "{file}: safe island {shore}: {space} is already an exit",
                shore=shore,
                space=space,
            )
            met.add(space)
    return dict(shores)
