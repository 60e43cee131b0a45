"""Moving people and boats: which piece, and where to.

What is in the water of a space, and who may go into it, each game sees in its own way; the rest is
the same.
"""

from __future__ import annotations

from archipel.rules.hex_sea.boats import HasBoats, boat_in, has_room, is_sea, may_sail
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import (
    BEGIN_SINKING,
    BOAT,
    BOATS,
    FIRST_NEAR,
    ISLAND,
    MOVE_TO,
    NEAR,
    PER_COLOUR,
    PERSON,
    SHORE_OF,
    SPACES,
    STOP,
    colours_in_play,
    is_open_to_boats,
    is_open_to_walkers,
    legal_from_water,
    may_go_overboard,
    swimmer_can_move,
    walker_can_move,
)
from archipel.rules.hex_sea.places import ABOARD, LOST, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

# ---- which piece --------------------------------------------------------------------------------


@rule
def legal_pieces(s: HasSea, actions: list[int]) -> int:
    """One's own people and the boats that have somewhere to go; or enough."""
    count = 0
    for colour in range(s.turn, colours_in_play(s), s.seats):
        for person in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if person_can_move(s, person):
                actions[count] = PERSON + person
                count += 1
    for boat in range(BOATS):
        if boat_can_move(s, boat, s.turn):
            actions[count] = BOAT + boat
            count += 1
    actions[count] = STOP
    return count + 1


@rule
def anything_can_move(s: HasSea) -> bool:
    for colour in range(s.turn, colours_in_play(s), s.seats):
        for person in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if person_can_move(s, person):
                return True
    for boat in range(BOATS):
        if boat_can_move(s, boat, s.turn):
            return True
    return False


@rule_apart
def person_can_move(s: HasSea, person: int) -> bool:
    place = s.place[person]
    if place >= ABOARD:
        return place < LOST and passenger_can_move(s, person)
    if place >= SPACES:
        return False  # nobody leaves a safe island
    if is_sea(s, place):
        return swimmer_can_move(s, person)
    return walker_can_move(s, place)


@rule
def passenger_can_move(s: HasSea, person: int) -> bool:
    space = s.boat[s.place[person] - ABOARD]
    return (
        may_go_overboard(s, person, space) or SHORE_OF[space] >= 0 or boats_in_reach(s, space) != 0
    )


@rule
def touches_sea(s: HasBoats, space: int) -> bool:
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            return True
    return False


@rule
def can_board(s: HasBoats, boat: int) -> bool:
    """Whatever else is in its space: a boat with room takes anybody."""
    return boat != NO_BOAT and has_room(s, boat)


@rule
def boats_in_reach(s: HasBoats, space: int) -> int:
    """A set of boats: those with room on the spaces around."""
    boats = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        boat = boat_in(s, NEAR[near])
        if can_board(s, boat):
            boats |= 1 << boat
    return boats


@rule_apart
def boat_can_move(s: HasBoats, boat: int, seat: int) -> bool:
    """Empty or under one's control, and with a space to go to."""
    space = s.boat[boat]
    if space >= SPACES or not may_sail(s, boat, seat):
        return False
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            return True
    return False


@rule
def choose_piece(s: HasSea, action: int) -> None:
    """First which piece, then where to; or enough, and the points that are left are lost."""
    if action == STOP:
        s.phase = BEGIN_SINKING
        return
    s.chosen = action
    s.phase = MOVE_TO


# ---- where to -----------------------------------------------------------------------------------


@rule
def legal_destinations(s: HasSea, actions: list[int]) -> int:
    if s.chosen >= BOAT:
        return legal_courses(s, s.boat[s.chosen - BOAT], actions)
    person = s.chosen - PERSON
    place = s.place[person]
    if place >= ABOARD:
        return legal_from_boat(s, person, actions)
    if is_sea(s, place):
        return legal_from_water(s, person, actions)
    return legal_from_land(s, place, actions)


@rule
def legal_courses(s: HasBoats, space: int, actions: list[int]) -> int:
    """Where a boat in a space may go."""
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            actions[count] = NEAR[near]
            count += 1
    return count


@rule
def legal_from_land(s: HasSea, space: int, actions: list[int]) -> int:
    """To land or sea around, or into a boat there."""
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_walkers(s, NEAR[near]):
            actions[count] = NEAR[near]
            count += 1
    return add_boats(boats_in_reach(s, space), actions, count)


@rule
def legal_from_boat(s: HasSea, person: int, actions: list[int]) -> int:
    """Overboard, ashore, or into another boat."""
    space = s.boat[s.place[person] - ABOARD]
    count = 0
    if may_go_overboard(s, person, space):
        actions[count] = space
        count += 1
    if SHORE_OF[space] >= 0:
        actions[count] = ISLAND + SHORE_OF[space]
        count += 1
    return add_boats(boats_in_reach(s, space), actions, count)


@rule
def add_boats(boats: int, actions: list[int], count: int) -> int:
    """The boats of a set, in their order."""
    boat = 0
    while boats >> boat != 0:
        if boats >> boat & 1 != 0:
            actions[count] = BOAT + boat
            count += 1
        boat += 1
    return count
