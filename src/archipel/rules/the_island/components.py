"""What is in the box (chapter Components, IS-C1), from ``data/components.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from importlib.resources import files
from math import gcd
from typing import Any, Final

from archipel.rules.hex_sea.counts import COUNT_BITS, COUNT_MASK, in_one_number
from archipel.rules.hex_sea.places import MOST_BOATS
from archipel.rules.the_island.board import SERPENT_STARTS, SPACES, TILES

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
COLOURS: Final = 4

TERRAINS: Final = ("beach", "forest", "mountain")  # in the order in which they sink (IS-K1)

# IS-C3: the backs of the tiles. Green ones come first (IS-K5), then those that are kept in a hand:
# first the ones played at the start of a turn (chapter Hand tiles), then the defence tiles.
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


class ComponentsError(ValueError):
    """A components file that cannot be right: where and why."""


@dataclass(frozen=True)
class Components:
    """Counts: of backs per terrain, of values in a colour, of pieces, and of faces of the die."""

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
    tiles = _table(data, "tiles", SYMBOLS, file)
    for symbol, counts in tiles.items():
        _table(tiles, symbol, TERRAINS, file)
        for terrain, count in counts.items():
            _count(count, f"{file}: tiles: {symbol}: {terrain}", 0, COUNT_MASK)
    creatures = _table(data, "creatures", CREATURE_KINDS, file)
    faces = _table(data, "die_faces", CREATURE_KINDS, file)
    for kind in CREATURE_KINDS:
        _count(creatures[kind], f"{file}: creatures: {kind}", 1, 9)
        _count(faces[kind], f"{file}: die_faces: {kind}", 1, 6)
    box = Components(
        tuple(tuple(tiles[symbol][terrain] for symbol in SYMBOLS) for terrain in TERRAINS),
        _values(data.get("explorer_values"), file),
        _count(data.get("boats"), f"{file}: boats", BOATS_PER_PLAYER * MOST_SEATS, MOST_BOATS),
        tuple(creatures[kind] for kind in CREATURE_KINDS),
        tuple(faces[kind] for kind in CREATURE_KINDS),
    )
    _check_against_board(box, file)
    return box


def _check_against_board(box: Components, file: str) -> None:
    if sum(map(sum, box.backs)) != TILES:
        raise ComponentsError(
            f"{file}: tiles: there are {sum(map(sum, box.backs))}, but {TILES} spaces for them"
        )
    if sum(counts[VOLCANO] for counts in box.backs) != 1:
        raise ComponentsError(f"{file}: tiles: volcano: there must be exactly one (IS-E1)")
    if box.creatures[SERPENT] != len(SERPENT_STARTS):
        raise ComponentsError(
            f"{file}: creatures: serpent: {box.creatures[SERPENT]}, but {len(SERPENT_STARTS)} "
            "spaces of the board are marked for them (IS-S1)"
        )
    pieces = COLOURS * len(box.values) + box.boats + sum(box.creatures)
    if pieces >= SPACES - TILES:
        raise ComponentsError(
            f"{file}: {pieces} pieces may leave no sea space unoccupied (IS-H3): the board has "
            f"{SPACES - TILES}"
        )
    if COLOURS * len(box.values) > TILES:
        raise ComponentsError(f"{file}: explorer_values: more explorers than tiles (IS-S5)")


def _table(data: Mapping[str, Any], name: str, keys: tuple[str, ...], file: str) -> Any:
    table = data.get(name)
    if not isinstance(table, dict) or sorted(table) != sorted(keys):
        raise ComponentsError(f"{file}: {name}: expected an entry for each of {', '.join(keys)}")
    return table


def _count(value: Any, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ComponentsError(f"{where}: {value!r} is not a number from {low} to {high}")
    return value


def _values(values: Any, file: str) -> tuple[int, ...]:
    if not isinstance(values, list) or not 1 <= len(values) <= 10:
        raise ComponentsError(f"{file}: explorer_values: expected a list of 1 to 10 values")
    for value in values:
        _count(value, f"{file}: explorer_values", 1, 6)
    return tuple(sorted(values))


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

# IS-C3: how many tiles of each terrain there are, and how many of each back among them.
TERRAIN_TILES: Final = [sum(counts) for counts in BOX.backs]
BACK_COUNTS: Final = [in_one_number(counts) for counts in BOX.backs]

# IS-C4: faces that differ in nothing but their number are one outcome.
_DIVISOR: Final = reduce(gcd, BOX.faces)
DIE: Final = [kind for kind, faces in enumerate(BOX.faces) for _ in range(faces // _DIVISOR)]
