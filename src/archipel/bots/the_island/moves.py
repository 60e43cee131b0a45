"""How greedy-1 values the moves of step 2: the best move of each piece.

A choice asks for the best piece only, so each is first given the most that any of its moves could
be worth; whatever stays below the best piece so far is not looked at closely.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.the_island.rescue_chances import (
    BOAT_AT_EXIT,
    BOAT_STEP,
    FARTHER_ON_LAND,
    LEAST,
    MEAN_WORTH,
    ON_LAND,
    SAVED,
    SWIMMER_AT_EXIT,
    SWIMMER_STEP,
    TO_BOARD,
    TO_EXIT,
    chance_after_sailing,
    chance_alone,
    chance_at,
    chance_by_boat,
    chance_in_boat,
    chance_in_water,
    chance_of,
    chance_on_land,
    distance,
    roomy_boats,
    worth,
)
from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SHORE_OF, SPACES
from archipel.rules.the_island.components import BOATS, HIGHEST_VALUE, PER_COLOUR
from archipel.rules.the_island.moving import is_open_to_boats
from archipel.rules.the_island.state import Action, State, colours_in_play

# Least gain of a move, so that pieces do not wander.
LEAST_GAIN: Final = 150

WORST: Final = -1_000_000_000

NO_SPACE: Final = -1

ASHORE: Final = SAVED + 200  # a certain rescue beats everything
MOST_ON_LAND: Final = max(ON_LAND)

# Value of an empty boat, less for every step to it and from it to an exit.
PULL: Final = 420
AWAY: Final = 75
ON_THE_WAY: Final = 10
MOST_WORTH: Final = max(MEAN_WORTH, 10 * HIGHEST_VALUE)


# ---- pieces -------------------------------------------------------------------------------------


@rule_apart
def choose_piece(s: State, actions: list[int], count: int, chance: Chance) -> int:
    """Choose the piece with the best move, at random among equal ones."""
    boats = roomy_boats(s)
    ahead = foremost(s, boats)
    best = WORST
    chosen = actions[0]
    for index in range(count):
        luck = draw(chance, 4)
        value = value_of_piece(s, boats, ahead, actions[index], (best - luck) // 4) * 4 + luck
        if value > best:
            best = value
            chosen = actions[index]
    return chosen


@rule
def foremost(s: State, boats: int) -> int:
    """The space of the boat nearest to an exit, or none."""
    found = NO_SPACE
    for boat in range(BOATS):
        if boats >> boat & 1 != 0:
            if found == NO_SPACE or TO_EXIT[s.boat[boat]] < TO_EXIT[found]:
                found = s.boat[boat]
    return found


@rule
def value_of_piece(s: State, boats: int, ahead: int, action: int, enough: int) -> int:
    """The value of a piece's best move, or WORST if it cannot exceed ``enough``."""
    if action == Action.STOP:
        return LEAST_GAIN
    if action >= Action.BOAT:
        return value_of_boat(s, boats, action - Action.BOAT, enough)
    explorer = action - Action.EXPLORER
    place = s.place[explorer]
    if place < SPACES and not is_sea(s, place):
        return value_of_walker(s, boats, ahead, explorer, place, enough)
    if place >= ABOARD:
        return value_of_passenger(s, boats, explorer, place - ABOARD, enough)
    return value_of_swimmer(s, boats, explorer, place, enough)


@rule_apart
def value_of_walker(
    s: State, boats: int, ahead: int, explorer: int, place: int, enough: int
) -> int:
    """The value for an explorer on land. A step brings it at most one space nearer to boats and
    exits; the first boat gives a lower bound for all of them."""
    weight = worth(s, explorer)
    alone = max(LEAST, chance_alone(s, place))
    left = max(0, TO_EXIT[place] - 1)
    on_foot = max(SWIMMER_AT_EXIT - SWIMMER_STEP * left, MOST_ON_LAND - FARTHER_ON_LAND * left)
    least = alone
    if ahead != NO_SPACE:
        steps = distance(place, ahead)
        least = max(alone, BOAT_AT_EXIT - BOAT_STEP * TO_EXIT[ahead] - TO_BOARD * steps)
    if weight * max(TO_BOARD, on_foot - least) <= enough:
        return WORST  # whatever other boats there are
    by_boat = chance_by_boat(s, boats, place)
    before = max(alone, by_boat)
    most = max(LEAST, by_boat + TO_BOARD, on_foot)
    if weight * (most - before) <= enough:
        return WORST
    after = chance_beside(s, boats, place)
    for near in range(FIRST_NEAR[place], FIRST_NEAR[place + 1]):
        if after < most and not is_sea(s, NEAR[near]):
            after = max(after, chance_on_land(s, boats, NEAR[near]))
    # A swimmer is no nearer to boats than it was on land.
    if after < max(LEAST, by_boat, SWIMMER_AT_EXIT - SWIMMER_STEP * left):
        for near in range(FIRST_NEAR[place], FIRST_NEAR[place + 1]):
            if is_sea(s, NEAR[near]):
                after = max(after, chance_in_water(s, boats, NEAR[near]))
    return weight * (after - before)


@rule
def chance_beside(s: State, boats: int, space: int) -> int:
    """The value of boarding the best boat on a neighbouring space; WORST if there is none."""
    best = WORST
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        boat = boat_in(s, NEAR[near])
        if boat != NO_BOAT and boats >> boat & 1 != 0:
            best = max(best, chance_if_aboard(s, boat))
    return best


@rule_apart
def value_of_passenger(s: State, boats: int, explorer: int, boat: int, enough: int) -> int:
    """The value for an explorer in a boat: go ashore, change boats, or jump overboard."""
    space = s.boat[boat]
    before = chance_in_boat(s, s.to_move, boat, space)
    weight = worth(s, explorer)
    if SHORE_OF[space] >= 0:
        return weight * (ASHORE - before)
    after = chance_beside(s, boats, space)
    if s.sea_stepped >> explorer & 1 == 0:
        swimming = SWIMMER_AT_EXIT - SWIMMER_STEP * TO_EXIT[space]
        back = BOAT_AT_EXIT - BOAT_STEP * TO_EXIT[space] - TO_BOARD
        if weight * (max(LEAST, swimming, back) - before) > enough:
            after = max(after, chance_in_water(s, boats, space))
    return weight * (after - before) if after > WORST else WORST


@rule_apart
def value_of_swimmer(s: State, boats: int, explorer: int, space: int, enough: int) -> int:
    """The value for a swimmer: go ashore, climb into a boat, or swim a space."""
    before = chance_in_water(s, boats, space)
    weight = worth(s, explorer)
    if SHORE_OF[space] >= 0:
        return weight * (ASHORE - before)
    swimming = SWIMMER_AT_EXIT - SWIMMER_STEP * max(0, TO_EXIT[space] - 1)
    most = max(LEAST, swimming, chance_by_boat(s, boats, space))
    if weight * (most - before) <= enough:
        return WORST
    after = WORST
    boat = boat_in(s, space)
    if boat != NO_BOAT and boats >> boat & 1 != 0:
        after = chance_if_aboard(s, boat)
    if s.sea_stepped >> explorer & 1 == 0:
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_sea(s, NEAR[near]) and after < most:
                after = max(after, chance_in_water(s, boats, NEAR[near]))
    return weight * (after - before) if after > WORST else WORST


@rule
def chance_if_aboard(s: State, boat: int) -> int:
    """The chance aboard a boat after boarding it, which can change who controls it."""
    me = s.to_move
    s.aboard[boat][me] += 1
    after = chance_in_boat(s, me, boat, s.boat[boat])
    s.aboard[boat][me] -= 1
    return after


# ---- boats --------------------------------------------------------------------------------------


@rule_apart
def value_of_boat(s: State, boats: int, boat: int, enough: int) -> int:
    space = s.boat[boat]
    if load(s, boat) == 0:
        return value_of_empty_boat(s, space, enough)
    weight = weight_aboard(s, boat)
    before = chance_after_sailing(s, boats, s.to_move, boat, space)
    most = max(LEAST, BOAT_AT_EXIT - BOAT_STEP * max(0, TO_EXIT[space] - 1))
    if weight < 0:
        most = 0  # where a serpent is
    if weight * (most - before) <= enough:
        return WORST
    best = WORST
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if best < weight * (most - before) and is_open_to_boats(s, NEAR[near]):
            after = chance_after_sailing(s, boats, s.to_move, boat, NEAR[near])
            best = max(best, weight * (after - before))
    return best


@rule
def weight_aboard(s: State, boat: int) -> int:
    """The value of a boat move for all aboard, one's own and opponents."""
    me = s.to_move
    left = s.aboard[boat][me]
    weight = (load(s, boat) - left) * (-MEAN_WORTH // 4)
    for colour in range(me, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if left > 0 and s.place[explorer] == ABOARD + boat:
                weight += worth(s, explorer)
                left -= 1
    return weight


@rule_apart
def value_of_empty_boat(s: State, space: int, enough: int) -> int:
    """The value of moving an empty boat, for those who could board it."""
    if enough >= (AWAY + ON_THE_WAY) * MOST_WORTH // 2:
        return WORST  # more than that nobody gains by a step
    me = s.to_move
    here = pull_of(s, me, space)
    best = WORST
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            best = max(best, (pull_of(s, me, NEAR[near]) - here) // 2)
    return best


@rule_apart
def pull_of(s: State, me: int, space: int) -> int:
    """The value of an empty boat in a space to one's people without a boat."""
    best = 0
    most = PULL - ON_THE_WAY * TO_EXIT[space]
    for colour in range(me, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            place = s.place[explorer]
            if place < SPACES:
                pull = most - AWAY * distance(place, space)
                if pull > 0:
                    best = max(best, worth(s, explorer) * pull)
    return best


# ---- destinations -------------------------------------------------------------------------------


@rule_apart
def choose_destination(s: State, actions: list[int], count: int, chance: Chance) -> int:
    """Choose the destination of the chosen piece."""
    boats = roomy_boats(s)
    piece = s.chosen
    before = 0 if piece >= Action.BOAT else chance_of(s, boats, piece - Action.EXPLORER)
    best = WORST
    chosen = actions[0]
    for index in range(count):
        value = value_of_destination(s, boats, piece, before, actions[index])
        value = value * 4 + draw(chance, 4)
        if value > best:
            best = value
            chosen = actions[index]
    return chosen


@rule_apart
def value_of_destination(s: State, boats: int, piece: int, before: int, action: int) -> int:
    """The gain of a move for one's people."""
    if piece >= Action.BOAT:
        return value_of_course(s, boats, piece - Action.BOAT, action)
    if action >= Action.BOAT:
        after = chance_if_aboard(s, action - Action.BOAT)
    elif action >= Action.ISLAND:
        after = ASHORE
    else:
        after = chance_at(s, boats, action)
    return worth(s, piece - Action.EXPLORER) * (after - before)


@rule_apart
def value_of_course(s: State, boats: int, boat: int, space: int) -> int:
    me = s.to_move
    here = s.boat[boat]
    if load(s, boat) == 0:
        return (pull_of(s, me, space) - pull_of(s, me, here)) // 2
    before = chance_after_sailing(s, boats, me, boat, here)
    return weight_aboard(s, boat) * (chance_after_sailing(s, boats, me, boat, space) - before)
