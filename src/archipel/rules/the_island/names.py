"""The names of the pieces of The Island, and of the faces of the die.

No letter of a colour is that of a row: ``w3`` is an explorer, ``f7`` a space.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.names import SeaNames, told_apart
from archipel.rules.the_island.board import BOARD
from archipel.rules.the_island.components import BOATS, BOX, CREATURE_KINDS, DIE, PER_COLOUR
from archipel.rules.the_island.state import Action

COLOUR_NAMES: Final = ("white", "yellow", "sky", "vermilion")
COLOUR_LETTERS: Final = "wysv"

NAMES: Final = SeaNames(
    BOARD, COLOUR_LETTERS, PER_COLOUR, BOATS, CREATURE_KINDS, BOX.creatures, Action.EXPLORER
)

#: The faces of the die, one name for each outcome.
FACE_NAMES: Final = told_apart([CREATURE_KINDS[kind] for kind in DIE])
