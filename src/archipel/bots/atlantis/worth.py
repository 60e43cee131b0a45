"""What it is worth to have somebody somewhere: the eyes of greedy-1.

A person ashore is worth `SAVED`; everyone else less, by what it still takes to get there.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.atlantis.distances import STEPS, TO_LANDING
from archipel.rules.atlantis.board import SPACES
from archipel.rules.atlantis.components import BOATS, FIRST_OF_KIND, MONSTER, OCTOPUS, SHARK
from archipel.rules.atlantis.moving import can_board
from archipel.rules.atlantis.state import DOLPHIN_BIT, OCTOPUS_BIT, State
from archipel.rules.hex_sea.boats import boat_in
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

SAVED: Final = 1000

# In a boat, less for every space it still has to sail.
ABOARD_WORTH: Final = 760
SAIL: Final = 22

# In the water, less for every space still to swim: one a turn, so it takes long.
SWIMMING: Final = 640
SWIM: Final = 60
LEAST_SWIMMING: Final = 120
WITH_DOLPHIN: Final = 800
CLIMB: Final = 50

# On land: near a boat with room, or safe for as long as there is an island.
BOARD: Final = 60
WALK: Final = 26
LEAST_ON_LAND: Final = 200
PER_PIECE_LEFT: Final = 4

# Animals that could come.
BESIDE: Final = 1
NEAR_BY: Final = 3


@rule
def danger(s: State, kind: int, space: int, beside: int, near_by: int) -> int:
    """What to take off for animals of a kind next to a space, and for those within their reach."""
    found = 0
    for animal in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        if s.creature[animal] < SPACES:
            steps = STEPS[space][s.creature[animal]]
            if steps <= BESIDE:
                found += beside
            elif steps <= NEAR_BY:
                found += near_by
    return found


@rule_apart
def worth_aboard(s: State, space: int) -> int:
    """Of somebody in a boat on a space."""
    risk = danger(s, MONSTER, space, 30, 8)
    if s.space[space] & OCTOPUS_BIT == 0:
        risk += danger(s, OCTOPUS, space, 20, 5)
    return ABOARD_WORTH - SAIL * TO_LANDING[space] - risk


@rule_apart
def worth_swimming(s: State, space: int) -> int:
    """Of a swimmer in a space."""
    if s.space[space] & DOLPHIN_BIT != 0:
        return WITH_DOLPHIN
    worth = LEAST_SWIMMING
    if s.swimmers_land != 0:
        worth = max(worth, SWIMMING - SWIM * TO_LANDING[space])
    boat = boat_in(s, space)
    if can_board(s, boat):
        worth = max(worth, worth_aboard(s, space) - CLIMB)
    return worth - danger(s, SHARK, space, 50, 15) - danger(s, MONSTER, space, 40, 10)


@rule
def roomy_boats(s: State) -> int:
    """The boats on the board that have room, as a set of bits: found once for a position."""
    boats = 0
    for boat in range(BOATS):
        if s.boat[boat] < SPACES and can_board(s, boat):
            boats |= 1 << boat
    return boats


@rule
def worth_far_from_boats(s: State) -> int:
    """Of somebody on land, for as long as there is any."""
    return LEAST_ON_LAND + PER_PIECE_LEFT * (s.land_left[0] + s.land_left[1] + s.land_left[2])


@rule_apart
def worth_by_boat(s: State, boats: int, space: int) -> int:
    """Of somebody on land who goes to the best of some boats; 0 where there is none."""
    best = 0
    for boat in range(BOATS):
        if boats >> boat & 1 != 0:
            there = s.boat[boat]
            way = WALK * (STEPS[space][there] - 1)
            best = max(best, ABOARD_WORTH - SAIL * TO_LANDING[there] - BOARD - way)
    return best


@rule
def worth_on_land(s: State, boats: int, space: int) -> int:
    """Of somebody on a piece of the island."""
    return max(worth_far_from_boats(s), worth_by_boat(s, boats, space))
