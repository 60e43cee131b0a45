"""The components (chapter Components, IS-C1), from ``data/components.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from importlib.resources import files
from math import gcd
from typing import Any, Final

from archipel.rules.hex_sea.board import BoardError, DataReader
from archipel.rules.hex_sea.counts import COUNT_BITS, COUNT_MASK, in_one_number
from archipel.rules.hex_sea.places import MOST_BOATS
from archipel.rules.the_island.board import SERPENT_STARTS, SPACES, TILES

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
COLOURS: Final = 4

TERRAINS: Final = ("beach", "forest", "mountain")  # in the order in which they sink (IS-K1)

# IS-C3: the backs of the tiles. Green ones come first (IS-K5); then those played from the hand at
# the start of a turn (chapter Hand tiles); then the defence tiles.
SYMBOLS: Final = (
    "shark",
    "whale",
    "boat",
    "whirlpool",
    "volcano",
    "dolphin",
    "wind",
    "move_serpent",
    "move_shark",
    "move_whale",
    "repel_shark",
    "repel_whale",
)
SHARK_TILE: Final = 0
WHALE_TILE: Final = 1
BOAT_TILE: Final = 2
WHIRLPOOL: Final = 3
VOLCANO: Final = 4
DOLPHIN: Final = 5
WIND: Final = 6
MOVE_SERPENT: Final = 7
MOVE_SHARK: Final = 8
MOVE_WHALE: Final = 9
REPEL_SHARK: Final = 10
REPEL_WHALE: Final = 11
FIRST_RED: Final = DOLPHIN
FIRST_DEFENCE: Final = REPEL_SHARK

CREATURE_KINDS: Final = ("serpent", "shark", "whale")
SERPENT: Final = 0
SHARK: Final = 1
WHALE: Final = 2

MOVEMENT_POINTS: Final = 3  # IS-T2
BOATS_PER_PLAYER: Final = 2  # IS-S3
CREATURE_STEPS: Final = [1, 2, 3]  # IS-X2, IS-X3, IS-X4
MOST_TILE_STEPS: Final = 3  # IS-H1, IS-H2

_FILE: Final = "data/components.json"


@dataclass(frozen=True)
class Components:
    """The contents of the box: backs per terrain, values of a colour, pieces, faces of the die."""

    backs: tuple[tuple[int, ...], ...]  # [terrain][symbol]
    values: tuple[int, ...]
    boats: int
    creatures: tuple[int, ...]  # [kind]
    faces: tuple[int, ...]  # [kind]


def load_components() -> Components:
    source = files("archipel.rules.the_island").joinpath(_FILE)
    return read_components(json.loads(source.read_text("utf-8")), f"the_island/{_FILE}")


def read_components(data: Mapping[str, Any], file: str) -> Components:
    """The contents of the box, checked."""
    reader = DataReader(file)
    tiles = reader.table(data, "tiles", SYMBOLS)
    for symbol in tiles:
        reader.counts(reader.table(tiles, symbol, TERRAINS), f"tiles: {symbol}", 0, COUNT_MASK)
    creatures = reader.table(data, "creatures", CREATURE_KINDS)
    faces = reader.table(data, "die_faces", CREATURE_KINDS)
    box = Components(
        tuple(tuple(tiles[symbol][terrain] for symbol in SYMBOLS) for terrain in TERRAINS),
        _values(reader, data.get("explorer_values")),
        reader.count(data.get("boats"), "boats", BOATS_PER_PLAYER * MOST_SEATS, MOST_BOATS),
        reader.counts({kind: creatures[kind] for kind in CREATURE_KINDS}, "creatures", 1, 9),
        reader.counts({kind: faces[kind] for kind in CREATURE_KINDS}, "die_faces", 1, 6),
    )
    _check_against_board(box, file)
    return box


def _check_against_board(box: Components, file: str) -> None:
    tiles, serpents, marked = sum(map(sum, box.backs)), box.creatures[SERPENT], len(SERPENT_STARTS)
    pieces, sea = COLOURS * len(box.values) + box.boats + sum(box.creatures), SPACES - TILES
    wrong = ""
    if tiles != TILES:
        wrong = f"tiles: there are {tiles}, but {TILES} spaces for them"
    elif sum(counts[VOLCANO] for counts in box.backs) != 1:
        wrong = "tiles: volcano: there must be exactly one (IS-E1)"
    elif serpents != marked:
        where = f"{marked} spaces of the board are marked for them (IS-S1)"
        wrong = f"creatures: serpent: {serpents}, but {where}"
    elif pieces >= sea:
        wrong = f"{pieces} pieces may leave no sea space unoccupied (IS-H3): the board has {sea}"
    elif COLOURS * len(box.values) > TILES:
        wrong = "explorer_values: more explorers than tiles (IS-S5)"
    if wrong:
        raise BoardError(f"{file}: {wrong}")


def _values(reader: DataReader, values: Any) -> tuple[int, ...]:
    if not isinstance(values, list) or not 1 <= len(values) <= 10:
        raise BoardError(f"{reader.file}: explorer_values: expected a list of 1 to 10 values")
    return tuple(sorted(reader.count(value, "explorer_values", 1, 6) for value in values))


BOX: Final = load_components()

# IS-C2: explorers are numbered colour by colour.
PER_COLOUR: Final = len(BOX.values)
EXPLORERS: Final = COLOURS * PER_COLOUR
HIGHEST_VALUE: Final = max(BOX.values)
COLOUR_OF: Final = [explorer // PER_COLOUR for explorer in range(EXPLORERS)]
VALUE_COUNTS: Final = sum(1 << COUNT_BITS * value for value in BOX.values)

BOATS: Final = BOX.boats

# Creatures are numbered kind by kind.
CREATURES: Final = sum(BOX.creatures)
FIRST_OF_KIND: Final = [sum(BOX.creatures[:kind]) for kind in range(len(CREATURE_KINDS) + 1)]
KIND_OF: Final = [kind for kind, count in enumerate(BOX.creatures) for _ in range(count)]

# IS-C3: the number of tiles of each terrain, and of each back among them.
TERRAIN_TILES: Final = [sum(counts) for counts in BOX.backs]
BACK_COUNTS: Final = [in_one_number(counts) for counts in BOX.backs]

# IS-C4: faces that differ only in their number are one outcome.
_DIVISOR: Final = reduce(gcd, BOX.faces)
DIE: Final = [kind for kind, faces in enumerate(BOX.faces) for _ in range(faces // _DIVISOR)]
