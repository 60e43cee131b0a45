"""Read and check the files of ``data``: the board, the symbols, the spinner.

Each file says what is certain (AT-C8), likely (AT-C9) and reconstructed (AT-C10).  A user who has
the box may replace parts of ``data/board.json`` and ``data/components.json`` with a JSON file of
their own (AT-C7).  The lookup tables are made when the game is imported, so the file must be named
before that, in the environment: ``ARCHIPEL_ATLANTIS_BOARD=FILE``, which ``--board FILE`` of the
command line sets.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from archipel.rules.data_files import read_json, shown
from archipel.rules.hex_sea.board import DataReader, HexBoard, is_list_of_spaces, read_board
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


@dataclass(frozen=True)
class Box:
    """The contents of the box; boxes with different contents have different names."""

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
    """The user's own file, if any."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def load_box(file: Path | None = None) -> Box:
    """The box of the package, or of a user's file; raises `DataFileError` with what to correct."""
    ours = package_data("board.json") | package_data("components.json")
    if file is None:
        return read_box(ours, "atlantis/data")
    data = read_json(file)
    reader, known = DataReader(str(file)), ", ".join(_PARTS_OF_A_FILE)
    is_object = isinstance(data, dict)
    reader.require(is_object, "{file}: expected an object with any of {known}", known=known)
    for name in data:
        reader.require(
            name in _PARTS_OF_A_FILE + _NOTES,
            "{file}: {name}: there is no such part; there are {known}",
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
    reader = DataReader(file)
    board = read_board(data, file, SEA_MARK + TERRAIN_MARKS + CENTRE_MARK, SEA_MARK, exits=1)
    symbols = reader.table(data, "symbols", SYMBOLS)
    for symbol in SYMBOLS:
        counts = DataReader(f"{file}: symbols").table(symbols, symbol, TERRAINS)
        for terrain in TERRAINS:
            reader.count(counts[terrain], f"symbols: {symbol}: {terrain}", 0, MOST_OF_A_SYMBOL)
    animals = reader.table(data, "animals", ANIMAL_KINDS)
    spinner = reader.table(data, "spinner", ("sectors", "parts"))
    sectors = DataReader(f"{file}: spinner").table(spinner, "sectors", ANIMAL_KINDS)
    parts = DataReader(f"{file}: spinner").table(spinner, "parts", PARTS)
    centres = board.marked(CENTRE_MARK)
    reader.require(
        len(centres) == 1,
        "{file}: rows: {found} spaces are marked M; expected 1 (AT-C2)",
        found=len(centres),
    )
    box = Box(
        _name_of(data),
        board,
        centres[0],
        _boat_starts(reader, data, board),
        tuple(tuple(symbols[symbol][terrain] for symbol in SYMBOLS) for terrain in TERRAINS),
        _centre_symbol(reader, data),
        reader.counts({kind: animals[kind] for kind in ANIMAL_KINDS}, "animals", 1, 9),
        reader.count(data.get("boats"), "boats", 4, MOST_BOATS),
        reader.count(data.get("people_per_tribe"), "people_per_tribe", 1, MOST_PEOPLE),
        reader.counts({kind: sectors[kind] for kind in ANIMAL_KINDS}, "spinner: sectors", 0, 9),
        reader.counts({part: parts[part] for part in PARTS}, "spinner: parts", 0, 9),
    )
    _check(reader, box)
    return box


def _name_of(data: Mapping[str, Any]) -> str:
    """A hash of the contents: positions and records belong to a board (AT-C7)."""
    contents = json.dumps([data.get(name) for name in _PARTS_OF_A_FILE], sort_keys=True)
    return hashlib.sha256(contents.encode()).hexdigest()[:8]


def _boat_starts(
    reader: DataReader, data: Mapping[str, Any], board: HexBoard
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """AT-S2: different sea spaces beside the island, two and four of them."""
    starts = reader.table(data, "boat_starts", ("two_players", "more_players"))
    found = []
    for name, number in (("two_players", 2), ("more_players", 4)):
        where, spaces = f"{reader.file}: boat_starts: {name}", starts[name]
        reader.require(
            is_list_of_spaces(spaces, number),
            "{where}: expected {number} different spaces (AT-S2)",
            where=where,
            number=number,
        )
        for space in spaces:
            reader.require(
                space in board.names,
                "{where}: there is no space {space}",
                where=where,
                space=shown(space),
            )
            place = board.names.index(space)
            beside = any(board.touches(place, mark) for mark in TERRAIN_MARKS + CENTRE_MARK)
            reader.require(
                board.marks[place] == SEA_MARK and beside,
                "{where}: {space} is not a sea space beside the island (AT-S2)",
                where=where,
                space=space,
            )
        found.append(tuple(board.names.index(space) for space in spaces))
    return found[0], found[1]


def _centre_symbol(reader: DataReader, data: Mapping[str, Any]) -> int | None:
    symbol = data.get("centre_symbol")
    reader.require(
        symbol is None or symbol in SYMBOLS,
        "{file}: centre_symbol: {symbol} is not null or one of {known}",
        symbol=shown(symbol),
        known=", ".join(SYMBOLS),
    )
    return None if symbol is None else SYMBOLS.index(symbol)


def _check(reader: DataReader, box: Box) -> None:
    """Check the parts against each other."""
    fits = box.board.size + len(box.board.shores) <= ABOARD
    reader.require(fits, "{file}: rows: more than {most} spaces and Coral Islands", most=ABOARD)
    terrains = [box.terrain_of(space) for space in range(box.board.size)]
    for number, terrain in enumerate(TERRAINS):
        pieces, symbols = terrains.count(number), sum(box.symbols[number])
        reader.require(
            pieces == symbols,
            "{file}: symbols: {symbols} for {terrain}, but the board has {pieces} such pieces "
            "(AT-C4)",
            symbols=symbols,
            terrain=Sentence(terrain),
            pieces=pieces,
        )
    if box.centre_symbol is not None:
        reader.require(
            box.symbols[TERRAINS.index("mountain")][box.centre_symbol] > 0,
            "{file}: centre_symbol: no mountain bears {symbol} (AT-C2)",
            symbol=SYMBOLS[box.centre_symbol],
        )
    room = terrains.count(0) + PIECE_ROOM * (terrains.count(1) + terrains.count(2))
    enough = room >= TRIBES * box.people
    reader.require(enough, "{file}: rows: the island has not enough room for all people (AT-S3)")
    shows = sum(box.sectors) > 0 and sum(box.parts) > 0
    reader.require(shows, "{file}: spinner: it shows nothing at all (AT-C5)")
    _check_landings(reader, box)


def _check_landings(reader: DataReader, box: Box) -> None:
    """AT-C2, AT-C3: boats can reach each of the four Coral Islands from their starts."""
    board = box.board
    reader.require(
        len(board.shores) == CORAL_ISLANDS,
        "{file}: safe_islands: {found} Coral Islands; expected {expected} (AT-C2)",
        found=len(board.shores),
        expected=CORAL_ISLANDS,
    )
    for shore, (landing,) in zip(board.shores, board.exits, strict=True):
        around = board.reachable(landing, SEA_MARK)
        for start in {*box.boat_starts[0], *box.boat_starts[1]}:
            parts = {"start": board.names[start], "landing": board.names[landing]}
            reader.require(
                start in around,
                "{file}: safe island {shore}: no boat gets from {start} to its landing, {landing} "
                "(AT-C2, AT-C3)",
                shore=shore,
                **parts,
            )


BOX: Final = load_box(chosen_file())
