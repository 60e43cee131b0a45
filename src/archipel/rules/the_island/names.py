"""How people call things: spaces, safe islands, explorers, boats, creatures, the die.

No letter of a colour is that of a row: ``w3`` is an explorer, ``f7`` a space.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.names import SeaNames, SeaPieces, told_apart
from archipel.rules.the_island.board import BOARD
from archipel.rules.the_island.components import BOATS, BOX, CREATURE_KINDS, DIE, PER_COLOUR
from archipel.rules.the_island.state import Action

COLOUR_NAMES: Final = ("white", "yellow", "sky", "vermilion")
COLOUR_LETTERS: Final = "wysv"

NAMES: Final = SeaNames(BOARD, COLOUR_LETTERS, PER_COLOUR, BOATS, CREATURE_KINDS, BOX.creatures)

SEA_PIECES: Final = SeaPieces(NAMES, Action.ISLAND, Action.EXPLORER, Action.BOAT, Action.CREATURE)

SPACE_NUMBERS: Final = NAMES.spaces
ISLAND_NUMBERS: Final = NAMES.islands
BOAT_NUMBERS: Final = NAMES.boats
CREATURE_NUMBERS: Final = NAMES.creatures

space_name = NAMES.space
island_name = NAMES.island
place_name = NAMES.place
explorer_name = NAMES.person
explorer_number = NAMES.person_number
boat_name = NAMES.boat
creature_name = NAMES.creature
creature_number = NAMES.creature_number

#: The faces of the die, one name for each outcome.
FACE_NAMES: Final = told_apart([CREATURE_KINDS[kind] for kind in DIE])
