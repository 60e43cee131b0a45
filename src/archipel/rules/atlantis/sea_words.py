"""The words of the sea in this game: its names, and the rules that say what can be where."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.names import NAMES
from archipel.rules.atlantis.state import ANIMAL_PIECE, BOAT, PERSON
from archipel.rules.hex_sea.position import SeaWords

WORDS: Final = SeaWords(
    NAMES,
    a_person="a person",
    person_action=PERSON,
    boat_action=BOAT,
    creature_action=ANIMAL_PIECE,
    box_rule="AT-C1",
    boat_rule="AT-B2",
    crew_rule="AT-M2",
    creature_rule="AT-X4",
)
