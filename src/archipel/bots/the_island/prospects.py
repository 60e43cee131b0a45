"""greedy-1's idea of what becomes of explorers: the chance to be saved, in thousandths, by where
they are, and what dangers are near.  All of it can be seen by everyone but the worth of one's own.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.the_island.distances import TO_EXIT, distance
from archipel.rules.hex_sea.boats import boat_in, controls, has_room, is_sea
from archipel.rules.hex_sea.places import ABOARD, LOST, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.the_island.board import SPACES, TILE_OF
from archipel.rules.the_island.components import (
    BOATS,
    EXPLORERS,
    FIRST_OF_KIND,
    SERPENT,
    SHARK,
    WHALE,
)
from archipel.rules.the_island.state import EATERS, SERPENT_BIT, WHALE_BIT, State, owner

SAVED: Final = 1000
MEAN_WORTH: Final = 28  # ten times the mean value of an explorer
NO_CHANCE: Final = -1_000_000

# These numbers were found by watching it play, against random and against itself.
BOAT_AT_EXIT: Final = 920
BOAT_STEP: Final = 34  # what each space to go costs in a boat...
SWIMMER_AT_EXIT: Final = 720
SWIMMER_STEP: Final = 85  # ...and in the water
STRANGERS_BOAT: Final = 260  # what it costs to be in a boat that others command
TO_BOARD: Final = 70  # what each step to a boat costs
ON_LAND: Final = (180, 230, 260)  # far from any boat: the sooner the tile sinks, the worse
FARTHER_ON_LAND: Final = 8
LEAST: Final = 30
FEAR_OF_SERPENTS: Final = 210
FEAR_OF_SHARKS: Final = 160
FEAR_OF_WHALES: Final = 60


@rule
def worth(s: State, explorer: int) -> int:
    """Ten times the value, or the mean where it is not known."""
    if s.all_equal != 0:
        return MEAN_WORTH
    return 10 * s.value[explorer] if s.value[explorer] > 0 else MEAN_WORTH


@rule_apart
def danger(s: State, space: int, in_boat: bool) -> int:
    """What the creatures in reach of a space take off the chance of whoever is there."""
    fear = 0
    for serpent in range(FIRST_OF_KIND[SERPENT], FIRST_OF_KIND[SERPENT + 1]):
        if s.creature[serpent] < SPACES and distance(s.creature[serpent], space) <= 1:
            fear += FEAR_OF_SERPENTS
    if in_boat:
        for whale in range(FIRST_OF_KIND[WHALE], FIRST_OF_KIND[WHALE + 1]):
            if s.creature[whale] < SPACES and distance(s.creature[whale], space) <= 3:
                fear += FEAR_OF_WHALES
    else:
        for shark in range(FIRST_OF_KIND[SHARK], FIRST_OF_KIND[SHARK + 1]):
            if s.creature[shark] < SPACES and distance(s.creature[shark], space) <= 2:
                fear += FEAR_OF_SHARKS
    return fear


@rule
def roomy_boats(s: State) -> int:
    """The boats on the board that have room, as a set of bits: found once for a position."""
    boats = 0
    for boat in range(BOATS):
        if s.boat[boat] < SPACES and has_room(s, boat):
            boats |= 1 << boat
    return boats


@rule
def chance_in_boat(s: State, seat: int, boat: int, space: int) -> int:
    """For somebody of a seat aboard a boat that is, or would be, in a space."""
    chance = BOAT_AT_EXIT - BOAT_STEP * TO_EXIT[space] - danger(s, space, True) // 2
    if not controls(s, boat, seat):
        chance -= STRANGERS_BOAT
    return max(LEAST, chance)


@rule_apart
def chance_in_water(s: State, boats: int, space: int) -> int:
    """For a swimmer in a space, which may have a boat with room, or one beside it."""
    if s.space[space] & EATERS != 0:
        return 0
    chance = SWIMMER_AT_EXIT - SWIMMER_STEP * TO_EXIT[space]
    boat = boat_in(s, space)
    if boat != NO_BOAT and boats >> boat & 1 != 0:
        chance = max(chance, BOAT_AT_EXIT - BOAT_STEP * TO_EXIT[space] - TO_BOARD)
    else:
        chance = max(chance, chance_by_boat(s, boats, space) - TO_BOARD)
    return LEAST if chance <= LEAST else max(LEAST, chance - danger(s, space, False))


@rule
def chance_alone(s: State, space: int) -> int:
    """For somebody on a tile, far from any boat."""
    return ON_LAND[s.terrain[TILE_OF[space]]] - FARTHER_ON_LAND * TO_EXIT[space]


@rule_apart
def chance_on_land(s: State, boats: int, space: int) -> int:
    """For somebody on a tile: a boat in reach is what counts most."""
    return max(LEAST, chance_alone(s, space), chance_by_boat(s, boats, space))


@rule_apart
def chance_by_boat(s: State, boats: int, space: int) -> int:
    """For going to the best of some boats, step by step; far below 0 where there is none."""
    best = NO_CHANCE
    for boat in range(BOATS):
        if boats >> boat & 1 != 0:
            there = s.boat[boat]
            steps = distance(space, there)
            best = max(best, BOAT_AT_EXIT - BOAT_STEP * TO_EXIT[there] - TO_BOARD * steps)
    return best


@rule_apart
def chance_of(s: State, boats: int, explorer: int) -> int:
    """For an explorer where it is."""
    place = s.place[explorer]
    if place >= LOST:
        return 0
    if place >= ABOARD:
        boat = place - ABOARD
        return chance_in_boat(s, owner(s, explorer), boat, s.boat[boat])
    if place >= SPACES:
        return SAVED
    return chance_at(s, boats, place)


@rule
def chance_at(s: State, boats: int, space: int) -> int:
    """For somebody who came to a space on foot or swimming."""
    if is_sea(s, space):
        return chance_in_water(s, boats, space)
    return chance_on_land(s, boats, space)


@rule_apart
def chance_after_sailing(s: State, boats: int, seat: int, boat: int, space: int) -> int:
    """For those aboard a boat if it went to a space (IS-B4)."""
    if s.space[space] & SERPENT_BIT != 0:
        return 0
    if s.space[space] & WHALE_BIT != 0:
        return chance_in_water(s, boats, space)
    return chance_in_boat(s, seat, boat, space)


# ---- who would be harmed ------------------------------------------------------------------------


@rule
def side(s: State, me: int, explorer: int) -> int:
    """Whose loss it is: for the others, as many of whom there are, each counts for less."""
    if owner(s, explorer) == me:
        return 2 * worth(s, explorer)
    return -(MEAN_WORTH + MEAN_WORTH // (s.seats - 1))


@rule_apart
def stakes_in_boat(s: State, me: int, boat: int) -> int:
    """My people aboard a boat less the others'."""
    total = 0
    for explorer in range(EXPLORERS):
        if s.place[explorer] == ABOARD + boat:
            total += side(s, me, explorer)
    return total
