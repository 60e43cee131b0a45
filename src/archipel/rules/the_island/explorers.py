"""Explorers who fall into the water, are lost or saved, and boats that capsize."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import remove_boat
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.hex_sea.swimmers import spend_sea_step
from archipel.rules.kit import rule, rule_apart
from archipel.rules.the_island.components import EXPLORERS
from archipel.rules.the_island.sea import SEA, take_up
from archipel.rules.the_island.state import EATERS, State

lose = SEA.lose
save = SEA.save  # IS-M8, IS-M9
is_saved = SEA.is_saved
swims = SEA.swims
lose_swimmers = SEA.lose_swimmers
lose_boat = SEA.lose_boat


@rule
def plunge(s: State, explorer: int, space: int) -> None:
    """IS-M11: put an explorer into the water, where sharks and serpents eat explorers."""
    if s.space[space] & EATERS != 0:
        lose(s, explorer)
    else:
        take_up(s, explorer)
        s.place[explorer] = space


@rule_apart
def capsize(s: State, boat: int, in_step_2: bool) -> None:
    """IS-B4, IS-X4: remove a boat; its crew is in the water, in step 2 as a sea step (IS-M12)."""
    space = s.boat[boat]
    for explorer in range(EXPLORERS):
        if s.place[explorer] == ABOARD + boat:
            plunge(s, explorer, space)
            if in_step_2 and s.place[explorer] != LOST:
                spend_sea_step(s, explorer)
    remove_boat(s, boat)
