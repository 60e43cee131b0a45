"""The words of the sea in this game: its names, and the rules that say what can be where."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.position import SeaWords
from archipel.rules.the_island.names import NAMES
from archipel.rules.the_island.state import BOAT, CREATURE_PIECE, EXPLORER

WORDS: Final = SeaWords(
    NAMES,
    a_person="an explorer",
    person_action=EXPLORER,
    boat_action=BOAT,
    creature_action=CREATURE_PIECE,
    box_rule="IS-C1",
    boat_rule="IS-B2",
    crew_rule="IS-M2",
    creature_rule="IS-X6",
)
