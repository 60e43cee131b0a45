"""The files of ``data``: the board, the symbols, the spinner; checked as they are read.

Each says what is certain (AT-C8), likely (AT-C9) and reconstructed (AT-C10).  A person who has the
box may put a file of their own in their place (AT-C7): a JSON object with any of the parts of
``data/board.json`` and ``data/components.json``; what it leaves out is as in ours.  The tables that
rules look things up in are made from it when the game is imported, and compiled code is kept by
what is in them; so the file must be named before that, in the environment:
``ARCHIPEL_ATLANTIS_BOARD=FILE``, which is what ``--board FILE`` of the command line does.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NoReturn

from archipel.rules.data_files import DataFileError, read_json, shown
from archipel.rules.hex_sea.board import BoardError, HexBoard, read_board
from archipel.rules.hex_sea.places import ABOARD, MOST_BOATS
from archipel.rules.sentence import Sentence

VARIABLE: Final = "ARCHIPEL_ATLANTIS_BOARD"

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
TRIBES: Final = 4
PIECE_ROOM: Final = 3  # AT-S3
CORAL_ISLANDS: Final = 4  # AT-C2

SEA_MARK: Final = "~"
TERRAIN_MARKS: Final = "phm"
CENTRE_MARK: Final = "M"

TERRAINS: Final = ("plain", "hill", "mountain")  # in the order in which they sink (AT-K1)
ANIMAL_KINDS: Final = ("monster", "shark", "octopus", "dolphin")
SYMBOLS: Final = (*ANIMAL_KINDS, "boat", "whirlpool")
PARTS: Final = ("1", "2", "3", "T")

MOST_OF_A_SYMBOL: Final = 31
MOST_PEOPLE: Final = 12  # of a tribe: all people are a set of 63 bits at most

_PARTS_OF_A_FILE: Final = (
    *("rows", "safe_islands", "boat_starts"),
    *("symbols", "centre_symbol", "animals", "boats", "people_per_tribe", "spinner"),
)
_NOTES: Final = ("about", "certain", "likely", "reconstructed")


class BoxError(BoardError):
    """A data file that cannot be right: which part, what is wrong, what would be right."""


def _refuse(complaint: str, /, **parts: object) -> NoReturn:
    raise BoxError(Sentence(complaint, **parts))


@dataclass(frozen=True)
class Box:
    """Everything in the box, as read; ``name`` tells boxes with different contents apart."""

    name: str
    board: HexBoard
    centre: int  # the space of the largest mountain
    boat_starts: tuple[tuple[int, ...], tuple[int, ...]]  # with two players; with more
    symbols: tuple[tuple[int, ...], ...]  # [terrain][symbol]
    centre_symbol: int | None
    animals: tuple[int, ...]  # [kind]
    boats: int
    people: int  # of a tribe
    sectors: tuple[int, ...]  # [kind]
    parts: tuple[int, ...]  # [part]

    def terrain_of(self, space: int) -> int:
        """The terrain of a piece, or -1 for a space of the sea."""
        return TERRAIN_MARKS.find(self.board.marks[space].lower())


def chosen_file() -> Path | None:
    """The file that the user put in the place of ours, if any."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def load_box(file: Path | None = None) -> Box:
    """The box of the package, or of a user's file; raises `BoxError`: what to correct."""
    ours = package_data("board.json") | package_data("components.json")
    if file is None:
        return read_box(ours, "atlantis/data")
    try:
        data = read_json(file)
    except DataFileError as error:
        raise BoxError(error.why) from error
    known = ", ".join(_PARTS_OF_A_FILE)
    if not isinstance(data, dict):
        _refuse("{file}: expected an object with any of {known}", file=file, known=known)
    for name in data:
        if name not in _PARTS_OF_A_FILE + _NOTES:
            _refuse(
                "{file}: {name}: there is no such part; there are {known}",
                file=file,
                name=name[:40],
                known=known,
            )
    return read_box(ours | data, str(file))


def package_data(name: str) -> dict[str, Any]:
    source = files("archipel.rules.atlantis").joinpath("data", name)
    data: dict[str, Any] = json.loads(source.read_text("utf-8"))
    return data


def read_box(data: Mapping[str, Any], file: str) -> Box:
    """The contents of the box, checked."""
    try:
        marks = SEA_MARK + TERRAIN_MARKS + CENTRE_MARK
        board = read_board(data, file, marks, SEA_MARK, exits=1)
    except BoardError as error:
        raise BoxError(error.why) from error
    symbols = _table(data, "symbols", SYMBOLS, file)
    for symbol in SYMBOLS:
        counts = _table(symbols, symbol, TERRAINS, f"{file}: symbols")
        for terrain in TERRAINS:
            where = f"{file}: symbols: {symbol}: {terrain}"
            _count(counts[terrain], where, 0, MOST_OF_A_SYMBOL)
    animals = _table(data, "animals", ANIMAL_KINDS, file)
    spinner = _table(data, "spinner", ("sectors", "parts"), file)
    sectors = _table(spinner, "sectors", ANIMAL_KINDS, f"{file}: spinner")
    parts = _table(spinner, "parts", PARTS, f"{file}: spinner")
    centres = board.marked(CENTRE_MARK)
    if len(centres) != 1:
        _refuse(
            "{file}: rows: {found} spaces are marked M; expected 1 (AT-C2)",
            file=file,
            found=len(centres),
        )
    box = Box(
        _name_of(data),
        board,
        centres[0],
        _boat_starts(data, board, file),
        tuple(tuple(symbols[symbol][terrain] for symbol in SYMBOLS) for terrain in TERRAINS),
        _centre_symbol(data, file),
        tuple(_count(animals[kind], f"{file}: animals: {kind}", 1, 9) for kind in ANIMAL_KINDS),
        _count(data.get("boats"), f"{file}: boats", 4, MOST_BOATS),
        _count(data.get("people_per_tribe"), f"{file}: people_per_tribe", 1, MOST_PEOPLE),
        tuple(_count(sectors[k], f"{file}: spinner: sectors: {k}", 0, 9) for k in ANIMAL_KINDS),
        tuple(_count(parts[part], f"{file}: spinner: parts: {part}", 0, 9) for part in PARTS),
    )
    _check(box, file)
    return box


def _name_of(data: Mapping[str, Any]) -> str:
    """Equal contents, equal names: for positions and records, which belong to a board (AT-C7)."""
    contents = json.dumps([data.get(name) for name in _PARTS_OF_A_FILE], sort_keys=True)
    return hashlib.sha256(contents.encode()).hexdigest()[:8]


def _table(data: Mapping[str, Any], name: str, keys: tuple[str, ...], file: str) -> Any:
    table = data.get(name)
    if not isinstance(table, dict) or sorted(table) != sorted(keys):
        _refuse(
            "{file}: {name}: expected an entry for each of {keys}",
            file=file,
            name=name,
            keys=", ".join(keys),
        )
    return table


def _count(value: Any, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        _refuse(
            "{where}: {value} is not a number from {low} to {high}",
            where=where,
            value=shown(value),
            low=low,
            high=high,
        )
    return value


def _boat_starts(
    data: Mapping[str, Any], board: HexBoard, file: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """AT-S2: different sea spaces beside the island, two and four of them."""
    starts = _table(data, "boat_starts", ("two_players", "more_players"), file)
    found = []
    for name, number in (("two_players", 2), ("more_players", 4)):
        where = f"{file}: boat_starts: {name}"
        spaces = starts[name]
        if (
            not isinstance(spaces, list)
            or not all(isinstance(space, str) for space in spaces)
            or not len(spaces) == len(set(spaces)) == number
        ):
            _refuse(
                "{where}: expected {number} different spaces (AT-S2)", where=where, number=number
            )
        for space in spaces:
            if space not in board.names:
                _refuse("{where}: there is no space {space}", where=where, space=shown(space))
            place = board.names.index(space)
            beside = any(board.touches(place, mark) for mark in TERRAIN_MARKS + CENTRE_MARK)
            if board.marks[place] != SEA_MARK or not beside:
                _refuse(
                    "{where}: {space} is not a sea space beside the island (AT-S2)",
                    where=where,
                    space=space,
                )
        found.append(tuple(board.names.index(space) for space in spaces))
    return found[0], found[1]


def _centre_symbol(data: Mapping[str, Any], file: str) -> int | None:
    symbol = data.get("centre_symbol")
    if symbol is None:
        return None
    if symbol not in SYMBOLS:
        _refuse(
            "{file}: centre_symbol: {symbol} is not null or one of {known}",
            file=file,
            symbol=shown(symbol),
            known=", ".join(SYMBOLS),
        )
    return SYMBOLS.index(symbol)


def _check(box: Box, file: str) -> None:
    """What one part asks of another."""
    if box.board.size + len(box.board.shores) > ABOARD:
        _refuse("{file}: rows: more than {most} spaces and Coral Islands", file=file, most=ABOARD)
    terrains = [box.terrain_of(space) for space in range(box.board.size)]
    for number, terrain in enumerate(TERRAINS):
        pieces, symbols = terrains.count(number), sum(box.symbols[number])
        if pieces != symbols:
            _refuse(
                "{file}: symbols: {symbols} for {terrain}, but the board has {pieces} such pieces "
                "(AT-C4)",
                file=file,
                symbols=symbols,
                terrain=Sentence(terrain),
                pieces=pieces,
            )
    mountain = TERRAINS.index("mountain")
    if box.centre_symbol is not None and box.symbols[mountain][box.centre_symbol] == 0:
        _refuse(
            "{file}: centre_symbol: no mountain bears {symbol} (AT-C2)",
            file=file,
            symbol=SYMBOLS[box.centre_symbol],
        )
    room = terrains.count(0) + PIECE_ROOM * (terrains.count(1) + terrains.count(2))
    if room < TRIBES * box.people:
        _refuse("{file}: rows: the island has not enough room for all people (AT-S3)", file=file)
    if sum(box.sectors) == 0 or sum(box.parts) == 0:
        _refuse("{file}: spinner: it shows nothing at all (AT-C5)", file=file)
    _check_landings(box, file)


def _check_landings(box: Box, file: str) -> None:
    """AT-C2, AT-C3: a boat gets from where it starts to each of the four Coral Islands."""
    if len(box.board.shores) != CORAL_ISLANDS:
        _refuse(
            "{file}: safe_islands: {found} Coral Islands; expected {expected} (AT-C2)",
            file=file,
            found=len(box.board.shores),
            expected=CORAL_ISLANDS,
        )
    for shore, (landing,) in zip(box.board.shores, box.board.exits, strict=True):
        around = box.board.reachable(landing, SEA_MARK)
        for start in {*box.boat_starts[0], *box.boat_starts[1]}:
            if start not in around:
                _refuse(
                    "{file}: safe island {shore}: no boat gets from {start} to its landing, "
                    "{landing} (AT-C2, AT-C3)",
                    file=file,
                    shore=shore,
                    start=box.board.names[start],
                    landing=box.board.names[landing],
                )


BOX: Final = load_box(chosen_file())
