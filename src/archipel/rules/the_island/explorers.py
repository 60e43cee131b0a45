"""What becomes of explorers: into the water, lost, saved."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import leave_boat, remove_boat
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.hex_sea.swimmers import spend_sea_step
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.the_island.board import SPACES
from archipel.rules.the_island.components import EXPLORERS
from archipel.rules.the_island.state import EATERS, State, owner


@rule
def lose(s: State, explorer: int) -> None:
    """Out of the game for good."""
    seat = owner(s, explorer)
    leave_boat(s, explorer, seat)
    s.place[explorer] = LOST
    s.left[seat] -= 1
    s.idle_turns = 0


@rule
def save(s: State, explorer: int, island: int) -> None:
    """IS-M8: ashore, and never to leave (IS-M9)."""
    seat = owner(s, explorer)
    leave_boat(s, explorer, seat)
    s.place[explorer] = SPACES + island
    s.left[seat] -= 1
    s.idle_turns = 0


@rule
def plunge(s: State, explorer: int, space: int) -> None:
    """IS-M11: into the water of a space, where sharks and serpents take everyone who comes."""
    if s.space[space] & EATERS != 0:
        lose(s, explorer)
    else:
        leave_boat(s, explorer, owner(s, explorer))
        s.place[explorer] = space


@rule_apart
def capsize(s: State, boat: int, in_step_2: bool) -> None:
    """IS-B4, IS-X4: the boat is gone, those aboard are in the water, and have had their sea step if
    it happens while moving (IS-M12)."""
    space = s.boat[boat]
    for explorer in range(EXPLORERS):
        if s.place[explorer] == ABOARD + boat:
            plunge(s, explorer, space)
            if in_step_2 and s.place[explorer] != LOST:
                spend_sea_step(s, explorer)
    remove_boat(s, boat)


@rule_apart
def lose_swimmers(s: State, space: int) -> None:
    """Everyone in the water of a space, or on a tile that is no more, is lost."""
    for explorer in range(EXPLORERS):
        if s.place[explorer] == space:
            lose(s, explorer)


@rule_apart
def lose_boat(s: State, boat: int) -> None:
    """The boat goes with all aboard."""
    for explorer in range(EXPLORERS):
        if s.place[explorer] == ABOARD + boat:
            lose(s, explorer)
    remove_boat(s, boat)
