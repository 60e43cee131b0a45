"""The names of the pieces of Atlantis, and of the parts of the spinner.

The letters of tribes are capitals, those of rows are not: ``R3`` is a person, ``f7`` a space.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.board import BOARD
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, BOX
from archipel.rules.atlantis.components import BOATS, PART_NAMES, PER_TRIBE, SPINNER
from archipel.rules.atlantis.state import Action
from archipel.rules.hex_sea.names import SeaNames, told_apart

TRIBE_NAMES: Final = ("red", "blue", "yellow", "green")
TRIBE_LETTERS: Final = "RBYG"

NAMES: Final = SeaNames(
    BOARD, TRIBE_LETTERS, PER_TRIBE, BOATS, ANIMAL_KINDS, BOX.animals, Action.PERSON
)


def spun_name(kind: int, part: int) -> str:
    """The name of a result of the spinner: ``shark-2``, ``dolphin-T``."""
    return f"{ANIMAL_KINDS[kind]}-{PART_NAMES[part]}"


#: The parts of the spinner, one name for each outcome.
OUTCOME_NAMES: Final = told_apart([spun_name(kind, part) for kind, part in SPINNER])
