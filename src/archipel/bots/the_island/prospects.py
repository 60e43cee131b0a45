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
    CREATURES,
    EXPLORERS,
    KIND_OF,
    SERPENT,
    SHARK,
)
from archipel.rules.the_island.state import EATERS, SERPENT_BIT, WHALE_BIT, State, owner

SAVED: Final = 1000
MEAN_WORTH: Final = 28  # ten times the mean value of an explorer
NOBODY: Final = -1

# These numbers were found by watching it play, against random and against itself.
BOAT_AT_EXIT: Final = 920
BOAT_STEP: Final = 34  # what each space to go costs in a boat...
SWIMMER_AT_EXIT: Final = 720
SWIMMER_STEP: Final = 85  # ...and in the water
STRANGERS_BOAT: Final = 260  # what it costs to be in a boat that others command
TO_BOARD: Final = 70  # what each step to a boat costs
ON_LAND: Final = (180, 230, 260)  # far from any boat: the sooner the tile sinks, the worse
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
def danger(s: State, space: int, in_boat: bool, except_for: int) -> int:
    """What the creatures in reach of a space take off the chance of whoever is there."""
    fear = 0
    for creature in range(CREATURES):
        if s.creature[creature] >= SPACES or creature == except_for:
            continue
        away = distance(s.creature[creature], space)
        kind = KIND_OF[creature]
        if kind == SERPENT:
            if away <= 1:
                fear += FEAR_OF_SERPENTS
        elif kind == SHARK:
            if not in_boat and away <= 2:
                fear += FEAR_OF_SHARKS
        elif in_boat and away <= 3:
            fear += FEAR_OF_WHALES
    return fear


@rule
def chance_in_boat(s: State, seat: int, boat: int, space: int) -> int:
    """For somebody of a seat aboard a boat that is, or would be, in a space."""
    chance = BOAT_AT_EXIT - BOAT_STEP * TO_EXIT[space] - danger(s, space, True, NOBODY) // 2
    if not controls(s, boat, seat):
        chance -= STRANGERS_BOAT
    return max(LEAST, chance)


@rule_apart
def chance_in_water(s: State, space: int) -> int:
    """For a swimmer in a space, which may have a boat with room, or one beside it."""
    if s.space[space] & EATERS != 0:
        return 0
    chance = SWIMMER_AT_EXIT - SWIMMER_STEP * TO_EXIT[space]
    boat = boat_in(s, space)
    if boat != NO_BOAT and has_room(s, boat):
        chance = max(chance, BOAT_AT_EXIT - BOAT_STEP * TO_EXIT[space] - TO_BOARD)
    else:
        chance = max(chance, chance_by_boat(s, space) - TO_BOARD)
    return max(LEAST, chance - danger(s, space, False, NOBODY))


@rule_apart
def chance_on_land(s: State, space: int) -> int:
    """For somebody on a tile: a boat in reach is what counts most."""
    alone = ON_LAND[s.terrain[TILE_OF[space]]] - 8 * TO_EXIT[space]
    return max(LEAST, alone, chance_by_boat(s, space))


@rule
def chance_by_boat(s: State, space: int) -> int:
    """For going to the best boat there is, step by step, if it has room."""
    best = 0
    for boat in range(BOATS):
        if s.boat[boat] < SPACES and has_room(s, boat):
            steps = distance(space, s.boat[boat])
            chance = BOAT_AT_EXIT - BOAT_STEP * TO_EXIT[s.boat[boat]] - TO_BOARD * steps
            best = max(best, chance)
    return best


@rule_apart
def chance_of(s: State, explorer: int) -> int:
    """For an explorer where it is."""
    place = s.place[explorer]
    if place >= LOST:
        return 0
    if place >= ABOARD:
        boat = place - ABOARD
        return chance_in_boat(s, owner(s, explorer), boat, s.boat[boat])
    if place >= SPACES:
        return SAVED
    if is_sea(s, place):
        return chance_in_water(s, place)
    return chance_on_land(s, place)


@rule
def chance_at(s: State, space: int) -> int:
    """For somebody who came to a space on foot or swimming."""
    return chance_in_water(s, space) if is_sea(s, space) else chance_on_land(s, space)


@rule_apart
def chance_after_sailing(s: State, seat: int, boat: int, space: int) -> int:
    """For those aboard a boat if it went to a space (IS-B4)."""
    if s.space[space] & SERPENT_BIT != 0:
        return 0
    if s.space[space] & WHALE_BIT != 0:
        return chance_in_water(s, space)
    return chance_in_boat(s, seat, boat, space)


# ---- who would be harmed ------------------------------------------------------------------------


@rule
def side(s: State, me: int, explorer: int) -> int:
    """Whose loss it is: for the others, as many of whom there are, each counts for less."""
    if owner(s, explorer) == me:
        return 2 * worth(s, explorer)
    return -(MEAN_WORTH + MEAN_WORTH // (s.seats - 1))


@rule_apart
def stakes_in_water(s: State, me: int, space: int) -> int:
    """My swimmers in a space less the others'."""
    total = 0
    if is_sea(s, space):
        for explorer in range(EXPLORERS):
            if s.place[explorer] == space:
                total += side(s, me, explorer)
    return total


@rule_apart
def stakes_in_boat(s: State, me: int, boat: int) -> int:
    """My people aboard a boat less the others'."""
    total = 0
    for explorer in range(EXPLORERS):
        if s.place[explorer] == ABOARD + boat:
            total += side(s, me, explorer)
    return total


@rule_apart
def prey_value(s: State, me: int, kind: int, space: int) -> int:
    """What a creature of a kind would do for me by arriving in a space: the others' loss."""
    gain = 0
    boat = boat_in(s, space)
    if kind != SHARK and boat != NO_BOAT:
        if kind == SERPENT or s.space[space] & EATERS != 0:
            gain -= stakes_in_boat(s, me, boat) * 8
        else:
            gain -= stakes_in_boat(s, me, boat) * 5
    if kind in (SERPENT, SHARK):
        gain -= stakes_in_water(s, me, space) * 6
    return gain
