"""greedy-1's estimate of each explorer's chance to be saved, in thousandths.

It depends on public information only: where the explorer is and which dangers are near.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.boats import boat_in, controls, has_room, is_sea
from archipel.rules.hex_sea.places import ABOARD, LOST, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.the_island.board import BOARD, SPACES, TILE_OF
from archipel.rules.the_island.components import (
    BOATS,
    FIRST_OF_KIND,
    SERPENT,
    SHARK,
    WHALE,
)
from archipel.rules.the_island.state import EATERS, SERPENT_BIT, WHALE_BIT, State, owner

ROW_OF: Final = list(BOARD.rows)
HALF_COLUMN_OF: Final = list(BOARD.half_columns)


@rule
def distance(one: int, other: int) -> int:
    """The number of steps between two spaces, ignoring obstacles."""
    rows = abs(ROW_OF[one] - ROW_OF[other])
    halves = abs(HALF_COLUMN_OF[one] - HALF_COLUMN_OF[other])
    return rows + max(0, halves - rows) // 2


#: Steps from a space to the nearest exit to a safe island, ignoring obstacles.
TO_EXIT: Final = [
    min(distance(space, found) for shore in BOARD.exits for found in shore)
    for space in range(SPACES)
]

SAVED: Final = 1000
MEAN_WORTH: Final = 28  # ten times the mean value of an explorer
NO_CHANCE: Final = -1_000_000

# Tuned by games against random and against itself.
BOAT_AT_EXIT: Final = 920
BOAT_STEP: Final = 34  # cost per step to an exit in a boat
SWIMMER_AT_EXIT: Final = 720
SWIMMER_STEP: Final = 85  # cost per step in the water
STRANGERS_BOAT: Final = 260  # cost of a boat that others control
TO_BOARD: Final = 70  # cost per step to a boat
ON_LAND: Final = (180, 230, 260)  # without a boat, by terrain: beach, forest, mountain
FARTHER_ON_LAND: Final = 8
LEAST: Final = 30
FEAR_OF_SERPENTS: Final = 210
FEAR_OF_SHARKS: Final = 160
FEAR_OF_WHALES: Final = 60


@rule
def worth(s: State, explorer: int) -> int:
    """Ten times the value of an explorer, or the mean if it is unknown."""
    if s.all_equal != 0:
        return MEAN_WORTH
    return 10 * s.value[explorer] if s.value[explorer] > 0 else MEAN_WORTH


@rule
def fear_of(s: State, kind: int, space: int, reach: int, fear: int) -> int:
    """The loss of chance in a space because of creatures of a kind within reach."""
    found = 0
    for creature in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        if s.creature[creature] < SPACES and distance(s.creature[creature], space) <= reach:
            found += fear
    return found


@rule_apart
def danger(s: State, space: int, in_boat: bool) -> int:
    """The loss of chance in a space because of creatures near it."""
    fear = fear_of(s, SERPENT, space, 1, FEAR_OF_SERPENTS)
    if in_boat:
        return fear + fear_of(s, WHALE, space, 3, FEAR_OF_WHALES)
    return fear + fear_of(s, SHARK, space, 2, FEAR_OF_SHARKS)


@rule
def roomy_boats(s: State) -> int:
    """The boats on the board with room, as a bit set."""
    boats = 0
    for boat in range(BOATS):
        if s.boat[boat] < SPACES and has_room(s, boat):
            boats |= 1 << boat
    return boats


@rule
def of_boat(steps: int) -> int:
    """The chance in a boat that is this many steps from an exit."""
    return BOAT_AT_EXIT - BOAT_STEP * steps


@rule
def of_swimmer(steps: int) -> int:
    return SWIMMER_AT_EXIT - SWIMMER_STEP * steps


@rule
def by_boat_in(space: int, boat_space: int) -> int:
    """The chance by walking from a space to a boat in another."""
    return of_boat(TO_EXIT[boat_space]) - TO_BOARD * distance(space, boat_space)


@rule
def in_boat(s: State, seat: int, boat: int, space: int) -> int:
    """The chance of a seat's explorer aboard a boat in a space."""
    chance = of_boat(TO_EXIT[space]) - danger(s, space, True) // 2
    if not controls(s, boat, seat):
        chance -= STRANGERS_BOAT
    return max(LEAST, chance)


@rule_apart
def in_water(s: State, boats: int, space: int) -> int:
    """The chance of a swimmer in a space; a boat with room can be there or near."""
    if s.space[space] & EATERS != 0:
        return 0
    chance = of_swimmer(TO_EXIT[space])
    boat = boat_in(s, space)
    if boat != NO_BOAT and boats >> boat & 1 != 0:
        chance = max(chance, of_boat(TO_EXIT[space]) - TO_BOARD)
    else:
        chance = max(chance, by_boat(s, boats, space) - TO_BOARD)
    return LEAST if chance <= LEAST else max(LEAST, chance - danger(s, space, False))


@rule
def without_boat(s: State, space: int) -> int:
    """The chance on land without a boat."""
    return ON_LAND[s.terrain[TILE_OF[space]]] - FARTHER_ON_LAND * TO_EXIT[space]


@rule_apart
def on_land(s: State, boats: int, space: int) -> int:
    """The chance on land, with the best boat in reach."""
    return max(LEAST, without_boat(s, space), by_boat(s, boats, space))


@rule_apart
def by_boat(s: State, boats: int, space: int) -> int:
    """The chance by walking to the best of some boats; `NO_CHANCE` if there are none."""
    best = NO_CHANCE
    for boat in range(BOATS):
        if boats >> boat & 1 != 0:
            best = max(best, by_boat_in(space, s.boat[boat]))
    return best


@rule_apart
def of_explorer(s: State, boats: int, explorer: int) -> int:
    """The chance of an explorer in its present place."""
    place = s.place[explorer]
    if place >= LOST:
        return 0
    if place >= ABOARD:
        boat = place - ABOARD
        return in_boat(s, owner(s, explorer), boat, s.boat[boat])
    if place >= SPACES:
        return SAVED
    return in_space(s, boats, place)


@rule
def in_space(s: State, boats: int, space: int) -> int:
    """The chance of an explorer on foot or swimming in a space."""
    return in_water(s, boats, space) if is_sea(s, space) else on_land(s, boats, space)


@rule_apart
def after_sailing(s: State, boats: int, seat: int, boat: int, space: int) -> int:
    """The chance of those aboard a boat after it sails to a space (IS-B4)."""
    if s.space[space] & SERPENT_BIT != 0:
        return 0
    if s.space[space] & WHALE_BIT != 0:
        return in_water(s, boats, space)
    return in_boat(s, seat, boat, space)


# ---- gains and losses ---------------------------------------------------------------------------


@rule
def side(s: State, me: int, explorer: int) -> int:
    """The weight of an explorer: positive for one's own, negative for opponents'.

    With more opponents, each counts for less.
    """
    if owner(s, explorer) == me:
        return 2 * worth(s, explorer)
    return -(MEAN_WORTH + MEAN_WORTH // (s.seats - 1))
