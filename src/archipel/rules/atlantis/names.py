"""How people call things: spaces, Coral Islands, people, boats, animals, the spinner.

The letters of tribes are capitals, those of rows are not: ``R3`` is a person, ``f7`` a space.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.board import BOARD
from archipel.rules.atlantis.box import ANIMAL_KINDS, BOX
from archipel.rules.atlantis.components import (
    BOATS,
    PART_NAMES,
    PER_TRIBE,
    SPUN_KIND,
    SPUN_PART,
)
from archipel.rules.atlantis.state import Action
from archipel.rules.hex_sea.names import SeaNames, SeaPieces, told_apart

TRIBE_NAMES: Final = ("red", "blue", "yellow", "green")
TRIBE_LETTERS: Final = "RBYG"

NAMES: Final = SeaNames(BOARD, TRIBE_LETTERS, PER_TRIBE, BOATS, ANIMAL_KINDS, BOX.animals)

SEA_PIECES: Final = SeaPieces(NAMES, Action.ISLAND, Action.PERSON, Action.BOAT, Action.ANIMAL)

SPACE_NUMBERS: Final = NAMES.spaces
ISLAND_NUMBERS: Final = NAMES.islands
BOAT_NUMBERS: Final = NAMES.boats
ANIMAL_NUMBERS: Final = NAMES.creatures
PERSON_NAMES: Final = tuple(NAMES.people)

space_name = NAMES.space
island_name = NAMES.island
place_name = NAMES.place
person_name = NAMES.person
person_number = NAMES.person_number
boat_name = NAMES.boat
animal_name = NAMES.creature
animal_number = NAMES.creature_number


def spun_name(kind: int, part: int) -> str:
    """What the spinner shows: ``shark-2``, ``dolphin-T``."""
    return f"{ANIMAL_KINDS[kind]}-{PART_NAMES[part]}"


#: The parts of the spinner, one name for each outcome.
OUTCOME_NAMES: Final = told_apart([spun_name(k, p) for k, p in zip(SPUN_KIND, SPUN_PART)])
