"""How people call things: spaces, safe islands, explorers, boats, creatures, symbols.

Rows of the board are letters and spaces are numbered in their row: ``f7``.  Explorers are a letter
for their colour, none of them a row, and their number in the order of placement: ``w3``.
"""

from __future__ import annotations

import re
from typing import Final

from archipel.rules.the_island.board import BOARD, SPACES
from archipel.rules.the_island.components import (
    BOATS,
    CREATURE_KINDS,
    DIE,
    EXPLORERS,
    FIRST_OF_KIND,
    KIND_OF,
    PER_COLOUR,
)

COLOUR_NAMES: Final = ("white", "yellow", "sky", "vermilion")
COLOUR_LETTERS: Final = "wysv"

SPACE_NUMBERS: Final = {name: space for space, name in enumerate(BOARD.names)}
ISLAND_NUMBERS: Final = {name: island for island, name in enumerate(BOARD.shores)}

_EXPLORER: Final = re.compile(rf"([{COLOUR_LETTERS}])([1-9]\d?)")

#: The faces of the die, one name for each outcome.
FACE_NAMES: Final = tuple(
    CREATURE_KINDS[kind] + (f"/{DIE[: face + 1].count(kind)}" if DIE.count(kind) > 1 else "")
    for face, kind in enumerate(DIE)
)


def space_name(space: int) -> str:
    return BOARD.names[space]


def island_name(island: int) -> str:
    return BOARD.shores[island]


def place_name(place: int) -> str:
    """A space or a safe island."""
    return space_name(place) if place < SPACES else island_name(place - SPACES)


def explorer_name(explorer: int) -> str:
    colour, number = divmod(explorer, PER_COLOUR)
    return f"{COLOUR_LETTERS[colour]}{number + 1}"


def explorer_number(name: str) -> int | None:
    match = _EXPLORER.fullmatch(name)
    if match is None or int(match[2]) > PER_COLOUR:
        return None
    return COLOUR_LETTERS.index(match[1]) * PER_COLOUR + int(match[2]) - 1


def boat_name(boat: int) -> str:
    return str(boat + 1)


def creature_name(creature: int) -> str:
    """The kind and the number within the kind: ``shark 2``."""
    kind = KIND_OF[creature]
    return f"{CREATURE_KINDS[kind]} {creature - FIRST_OF_KIND[kind] + 1}"


CREATURE_NUMBERS: Final = {creature_name(creature): creature for creature in range(len(KIND_OF))}
EXPLORER_NAMES: Final = tuple(explorer_name(explorer) for explorer in range(EXPLORERS))
BOAT_NUMBERS: Final = {boat_name(boat): boat for boat in range(BOATS)}
