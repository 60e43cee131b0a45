"""How greedy-1 values the moves of step 2: the best move of each piece.

Only the best piece is needed, so each piece first gets an upper bound of the value of its moves. A
piece whose bound is below the best value so far is skipped.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.the_island import rescue_chances as chances
from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SHORE_OF, SPACES
from archipel.rules.the_island.components import BOATS, HIGHEST_VALUE, PER_COLOUR
from archipel.rules.the_island.moving import is_open_to_boats
from archipel.rules.the_island.state import Action, State, colours_in_play

# Least gain of a move, so that pieces do not wander.
LEAST_GAIN: Final = 150

WORST: Final = -1_000_000_000

NO_SPACE: Final = -1

ASHORE: Final = chances.SAVED + 200  # a certain rescue beats everything
MOST_ON_LAND: Final = max(chances.ON_LAND)

# Value of an empty boat, less for every step to it and from it to an exit.
PULL: Final = 420
AWAY: Final = 75
ON_THE_WAY: Final = 10
MOST_WORTH: Final = max(chances.MEAN_WORTH, 10 * HIGHEST_VALUE)


# ---- pieces -------------------------------------------------------------------------------------


@rule
def foremost(s: State, boats: int) -> int:
    """The space of the boat nearest to an exit, or none."""
    found = NO_SPACE
    for boat in range(BOATS):
        if boats >> boat & 1 != 0:
            if found == NO_SPACE or chances.TO_EXIT[s.boat[boat]] < chances.TO_EXIT[found]:
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
    weight = chances.worth(s, explorer)
    alone = max(chances.LEAST, chances.without_boat(s, place))
    left = max(0, chances.TO_EXIT[place] - 1)
    on_foot = max(chances.of_swimmer(left), MOST_ON_LAND - chances.FARTHER_ON_LAND * left)
    least = alone
    if ahead != NO_SPACE:
        least = max(alone, chances.by_boat_in(place, ahead))
    if weight * max(chances.TO_BOARD, on_foot - least) <= enough:
        return WORST  # with any other boats
    by_boat = chances.by_boat(s, boats, place)
    before = max(alone, by_boat)
    most = max(chances.LEAST, by_boat + chances.TO_BOARD, on_foot)
    if weight * (most - before) <= enough:
        return WORST
    after = chance_beside(s, boats, place)
    for near in range(FIRST_NEAR[place], FIRST_NEAR[place + 1]):
        if after < most and not is_sea(s, NEAR[near]):
            after = max(after, chances.on_land(s, boats, NEAR[near]))
    # A swimmer is no nearer to boats than it was on land.
    if after < max(chances.LEAST, by_boat, chances.of_swimmer(left)):
        for near in range(FIRST_NEAR[place], FIRST_NEAR[place + 1]):
            if is_sea(s, NEAR[near]):
                after = max(after, chances.in_water(s, boats, NEAR[near]))
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
    before = chances.in_boat(s, s.to_move, boat, space)
    weight = chances.worth(s, explorer)
    if SHORE_OF[space] >= 0:
        return weight * (ASHORE - before)
    after = chance_beside(s, boats, space)
    if s.sea_stepped >> explorer & 1 == 0:
        left = chances.TO_EXIT[space]
        back = chances.of_boat(left) - chances.TO_BOARD
        if weight * (max(chances.LEAST, chances.of_swimmer(left), back) - before) > enough:
            after = max(after, chances.in_water(s, boats, space))
    return weight * (after - before) if after > WORST else WORST


@rule_apart
def value_of_swimmer(s: State, boats: int, explorer: int, space: int, enough: int) -> int:
    """The value for a swimmer: go ashore, climb into a boat, or swim a space."""
    before = chances.in_water(s, boats, space)
    weight = chances.worth(s, explorer)
    if SHORE_OF[space] >= 0:
        return weight * (ASHORE - before)
    swimming = chances.of_swimmer(max(0, chances.TO_EXIT[space] - 1))
    most = max(chances.LEAST, swimming, chances.by_boat(s, boats, space))
    if weight * (most - before) <= enough:
        return WORST
    after = WORST
    boat = boat_in(s, space)
    if boat != NO_BOAT and boats >> boat & 1 != 0:
        after = chance_if_aboard(s, boat)
    if s.sea_stepped >> explorer & 1 == 0:
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_sea(s, NEAR[near]) and after < most:
                after = max(after, chances.in_water(s, boats, NEAR[near]))
    return weight * (after - before) if after > WORST else WORST


@rule
def chance_if_aboard(s: State, boat: int) -> int:
    """The chance aboard a boat after boarding it, which can change who controls it."""
    me = s.to_move
    s.aboard[boat][me] += 1
    after = chances.in_boat(s, me, boat, s.boat[boat])
    s.aboard[boat][me] -= 1
    return after


# ---- boats --------------------------------------------------------------------------------------


@rule_apart
def value_of_boat(s: State, boats: int, boat: int, enough: int) -> int:
    """The value of a boat's best move, or WORST if it cannot exceed ``enough``."""
    space = s.boat[boat]
    most = (AWAY + ON_THE_WAY) * MOST_WORTH // 2  # of a step of an empty boat
    if load(s, boat) == 0 and most <= enough:
        return WORST
    before = worth_of_boat(s, boats, boat, space)
    if load(s, boat) > 0:
        weight = weight_aboard(s, boat)
        nearer = max(chances.LEAST, chances.of_boat(max(0, chances.TO_EXIT[space] - 1)))
        most = weight * ((nearer if weight >= 0 else 0) - before)  # 0: where a serpent is
    best = WORST
    if most > enough:
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if best < most and is_open_to_boats(s, NEAR[near]):
                best = max(best, value_of_sailing(s, boats, boat, before, NEAR[near]))
    return best


@rule_apart
def value_of_sailing(s: State, boats: int, boat: int, before: int, space: int) -> int:
    """The gain of sailing to a space; ``before`` is the worth of the boat where it is."""
    gain = worth_of_boat(s, boats, boat, space) - before
    return gain // 2 if load(s, boat) == 0 else weight_aboard(s, boat) * gain


@rule
def worth_of_boat(s: State, boats: int, boat: int, space: int) -> int:
    """The chance of those aboard a boat in a space; for an empty boat, `pull_of` the space."""
    if load(s, boat) == 0:
        return pull_of(s, s.to_move, space)
    return chances.after_sailing(s, boats, s.to_move, boat, space)


@rule
def weight_aboard(s: State, boat: int) -> int:
    """The value of a boat move for all aboard, one's own and opponents."""
    me = s.to_move
    left = s.aboard[boat][me]
    weight = (load(s, boat) - left) * (-chances.MEAN_WORTH // 4)
    for colour in range(me, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if left > 0 and s.place[explorer] == ABOARD + boat:
                weight += chances.worth(s, explorer)
                left -= 1
    return weight


@rule_apart
def pull_of(s: State, me: int, space: int) -> int:
    """The value of an empty boat in a space to one's people without a boat."""
    best = 0
    most = PULL - ON_THE_WAY * chances.TO_EXIT[space]
    for colour in range(me, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            place = s.place[explorer]
            if place < SPACES:
                pull = most - AWAY * chances.distance(place, space)
                if pull > 0:
                    best = max(best, chances.worth(s, explorer) * pull)
    return best


# ---- destinations -------------------------------------------------------------------------------


@rule
def worth_of_chosen(s: State, boats: int) -> int:
    """The chance of the chosen explorer, or the worth of the chosen boat, where it is."""
    if s.chosen >= Action.BOAT:
        boat = s.chosen - Action.BOAT
        return worth_of_boat(s, boats, boat, s.boat[boat])
    return chances.of_explorer(s, boats, s.chosen - Action.EXPLORER)


@rule_apart
def value_of_destination(s: State, boats: int, before: int, action: int) -> int:
    """The gain of a move of the chosen piece; ``before`` is its `worth_of_chosen`."""
    if s.chosen >= Action.BOAT:
        return value_of_sailing(s, boats, s.chosen - Action.BOAT, before, action)
    if action >= Action.BOAT:
        after = chance_if_aboard(s, action - Action.BOAT)
    elif action >= Action.ISLAND:
        after = ASHORE
    else:
        after = chances.in_space(s, boats, action)
    return chances.worth(s, s.chosen - Action.EXPLORER) * (after - before)
