"""greedy-1's value of a person in each place, and the distances that it depends on.

A person ashore has the value `SAVED`; other places have less, by the distance and danger left.
Distances ignore land, because it will sink.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.board import BOARD, LANDING, SPACES
from archipel.rules.atlantis.components import BOATS, FIRST_OF_KIND, MONSTER, OCTOPUS, SHARK
from archipel.rules.atlantis.moving import can_board
from archipel.rules.atlantis.state import DOLPHIN_BIT, OCTOPUS_BIT, State
from archipel.rules.hex_sea.boats import boat_in
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart

FAR: Final = 20  # longer than any relevant distance


def steps_from(start: int) -> tuple[int, ...]:
    """The number of steps from a start to every space."""
    steps = [FAR] * SPACES
    steps[start] = 0
    edge = [start]
    while edge:
        following = []
        for space in edge:
            for near in BOARD.neighbours[space]:
                if steps[near] == FAR and steps[space] + 1 < FAR:
                    steps[near] = steps[space] + 1
                    following.append(near)
        edge = following
    return tuple(steps)


#: ``STEPS[space][other]``
STEPS: Final = tuple(steps_from(space) for space in range(SPACES))

#: Steps to the nearest landing.
TO_LANDING: Final = tuple(
    min(STEPS[space][landing] for landing in LANDING) for space in range(SPACES)
)

SAVED: Final = 1000

# In a boat: less per step to a landing.
ABOARD_WORTH: Final = 760
SAIL: Final = 22

# Swimming: less per step to a landing, at one step per turn.
SWIMMING: Final = 640
SWIM: Final = 60
LEAST_SWIMMING: Final = 120
WITH_DOLPHIN: Final = 800
CLIMB: Final = 50

# On land: near a boat with room, or as long as the island lasts.
BOARDING: Final = 60
WALK: Final = 26
LEAST_ON_LAND: Final = 200
PER_PIECE_LEFT: Final = 4

# Distances at which an animal is a danger.
BESIDE: Final = 1
NEAR_BY: Final = 3


@rule
def danger(s: State, kind: int, space: int, beside: int, near_by: int) -> int:
    """The loss of value in a space because of animals of a kind, next to it or within reach."""
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
def aboard(s: State, space: int) -> int:
    """The value of a person in a boat on a space."""
    risk = danger(s, MONSTER, space, 30, 8)
    if s.space[space] & OCTOPUS_BIT == 0:
        risk += danger(s, OCTOPUS, space, 20, 5)
    return ABOARD_WORTH - SAIL * TO_LANDING[space] - risk


@rule_apart
def swimming(s: State, space: int) -> int:
    """The value of a swimmer in a space."""
    if s.space[space] & DOLPHIN_BIT != 0:
        return WITH_DOLPHIN
    worth = LEAST_SWIMMING
    if s.swimmers_land != 0:
        worth = max(worth, SWIMMING - SWIM * TO_LANDING[space])
    boat = boat_in(s, space)
    if can_board(s, boat):
        worth = max(worth, aboard(s, space) - CLIMB)
    return worth - danger(s, SHARK, space, 50, 15) - danger(s, MONSTER, space, 40, 10)


@rule
def roomy_boats(s: State) -> int:
    """The boats on the board with room, as a bit set."""
    boats = 0
    for boat in range(BOATS):
        if s.boat[boat] < SPACES and can_board(s, boat):
            boats |= 1 << boat
    return boats


@rule
def without_boat(s: State) -> int:
    """The value of a person on land without a boat."""
    return LEAST_ON_LAND + PER_PIECE_LEFT * (s.land_left[0] + s.land_left[1] + s.land_left[2])


@rule_apart
def by_boat(s: State, boats: int, space: int) -> int:
    """The value of a person on land who walks to the best boat; 0 without one."""
    best = 0
    for boat in range(BOATS):
        if boats >> boat & 1 != 0:
            there = s.boat[boat]
            way = WALK * (STEPS[space][there] - 1)
            best = max(best, ABOARD_WORTH - SAIL * TO_LANDING[there] - BOARDING - way)
    return best


@rule
def on_land(s: State, boats: int, space: int) -> int:
    """The value of a person on land."""
    return max(without_boat(s), by_boat(s, boats, space))
