"""A board of hexagons, read from a file that a person with the box can correct.

Rows run from top to bottom and are named by a letter; spaces are numbered from 1 within their row,
so the first space of the second row is b1.  Every row is shifted by half a space against the next.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from archipel.rules.data_files import DataFileError, shown
from archipel.rules.sentence import Sentence

_STEPS: Final = ((-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1))
"""To the six neighbours, in rows and in half spaces."""


LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
WIDEST: Final = 250
"""More spaces, or half spaces of indent, than any row has."""

# What notation reads as the name of an island, and what it reads as something else.
_SHORE: Final = re.compile(r"[a-z]{1,12}")
_TAKEN: Final = ("lost", "x")


class BoardError(DataFileError):
    """A board file that cannot be right: where and why."""


@dataclass(frozen=True)
class HexBoard:
    """Spaces are numbered row by row from 0; of each its name, mark, row and place in the row."""

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
        """The spaces with these marks that one gets to from a space over such spaces alone."""
        found, ahead = {start}, [start]
        while ahead:
            for near in self.neighbours[ahead.pop()]:
                if near not in found and self.marks[near] in marks:
                    found.add(near)
                    ahead.append(near)
        return found

    def first_neighbours(self) -> list[int]:
        """Where the neighbours of each space begin in `all_neighbours`; one more for the end."""
        ends = [0]
        for near in self.neighbours:
            ends.append(ends[-1] + len(near))
        return ends

    def all_neighbours(self) -> list[int]:
        """The neighbours of every space in one row, ascending for each: a table for rules."""
        return [near for spaces in self.neighbours for near in spaces]

    def shore_of(self) -> list[int]:
        """Per space the number of the shore it is an exit of, or -1."""
        found = [-1] * self.size
        for shore, exits in enumerate(self.exits):
            for space in exits:
                found[space] = shore
        return found


def read_board(data: Mapping[str, Any], file: str, marks: str, sea: str, exits: int) -> HexBoard:
    """The board of a file: ``marks`` are all marks there may be, ``sea`` those of the open sea, and
    each safe island is reached from so many ``exits``."""
    rows = data.get("rows")
    if not isinstance(rows, list) or not 0 < len(rows) <= len(LETTERS):
        _refuse(
            "{file}: rows: expected a list of rows, {most} at most", file=file, most=len(LETTERS)
        )
    places: dict[tuple[int, int], int] = {}
    names: list[str] = []
    found: list[str] = []
    above: int | None = None
    for number, row in enumerate(rows):
        letter, indent, spaces = _read_row(row, number, file, marks)
        if above is not None and (indent - above) % 2 == 0:
            _refuse(
                "{file}: row {letter}: its indent and that of the row above must be one even and "
                "one odd: rows are shifted by half a space",
                file=file,
                letter=letter,
            )
        above = indent
        for column, mark in enumerate(spaces):
            places[number, indent + 2 * column] = len(names)
            names.append(f"{letter}{column + 1}")
            found.append(mark)
    shores, exit_spaces = _read_shores(data, file, names, found, sea, exits)
    return HexBoard(
        tuple(names),
        "".join(found),
        tuple(row for row, _ in places),
        tuple(half for _, half in places),
        tuple(_neighbours(place, places) for place in places),
        shores,
        exit_spaces,
    )


def _refuse(complaint: str, /, **parts: object) -> NoReturn:
    raise BoardError(Sentence(complaint, **parts))


def _neighbours(place: tuple[int, int], places: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
    row, half = place
    near = ((row + down, half + right) for down, right in _STEPS)
    return tuple(sorted(places[there] for there in near if there in places))


def _read_row(row: Any, number: int, file: str, marks: str) -> tuple[str, int, str]:
    letter = LETTERS[number]
    if not isinstance(row, dict) or row.get("name") != letter:
        _refuse(
            '{file}: row {number}: expected "name": "{letter}"',
            file=file,
            number=number + 1,
            letter=letter,
        )
    indent, spaces = row.get("indent"), row.get("spaces")
    if type(indent) is not int or not 0 <= indent <= WIDEST:
        _refuse(
            "{file}: row {letter}: indent {indent} is not a number from 0 to {most}",
            file=file,
            letter=letter,
            indent=shown(indent),
            most=WIDEST,
        )
    if not isinstance(spaces, str) or not 0 < len(spaces) <= WIDEST:
        _refuse(
            "{file}: row {letter}: spaces: expected a text like '~~oo~~'", file=file, letter=letter
        )
    for mark in spaces:
        if mark not in marks:
            _refuse(
                "{file}: row {letter}: {mark!r} is not one of {marks}",
                file=file,
                letter=letter,
                mark=mark,
                marks=" ".join(marks),
            )
    return letter, indent, spaces


def _read_shores(
    data: Mapping[str, Any], file: str, names: list[str], found: list[str], sea: str, exits: int
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    shores = data.get("safe_islands")
    if not isinstance(shores, dict) or not shores:
        _refuse("{file}: safe_islands: expected names with their exits", file=file)
    met: set[str] = set()
    for shore, spaces in shores.items():
        if not _SHORE.fullmatch(shore) or shore in _TAKEN:
            _refuse(
                "{file}: safe island {shore}: a name is made of small letters, such as nw, and is "
                "not {taken}",
                file=file,
                shore=shown(shore),
                taken=", ".join(_TAKEN),
            )
        if (
            not isinstance(spaces, list)
            or not all(isinstance(space, str) for space in spaces)
            or len(set(spaces)) != exits
            or len(spaces) != exits
        ):
            _refuse(
                "{file}: safe island {shore}: expected exits: {exits}, all different",
                file=file,
                shore=shore,
                exits=exits,
            )
        for space in spaces:
            if space not in names or found[names.index(space)] not in sea:
                _refuse(
                    "{file}: safe island {shore}: {space} is not a sea space",
                    file=file,
                    shore=shore,
                    space=shown(space),
                )
            if space in met:
                _refuse(
                    "{file}: safe island {shore}: {space} is already an exit",
                    file=file,
                    shore=shore,
                    space=space,
                )
            met.add(space)
    numbers = tuple(tuple(names.index(space) for space in spaces) for spaces in shores.values())
    return tuple(shores), numbers
