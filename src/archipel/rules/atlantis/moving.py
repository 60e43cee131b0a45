"""Step 1: moving people and boats (chapter Moving)."""

from __future__ import annotations

from archipel.rules.atlantis.animals import animal_in, move_animal
from archipel.rules.atlantis.board import (
    CORAL_ISLANDS,
    FIRST_NEAR,
    LANDING,
    NEAR,
    SHORE_OF,
    SPACES,
)
from archipel.rules.atlantis.components import (
    BOATS,
    DOLPHIN,
    PER_TRIBE,
    PIECE_ROOM,
    RESCUE_POINTS,
    TRIBE_OF,
)
from archipel.rules.atlantis.people import go_to, save, take_up
from archipel.rules.atlantis.state import (
    BEGIN_SINKING,
    BOAT,
    DOLPHIN_BIT,
    EATERS,
    ISLAND,
    KEEP_MOVING,
    MONSTER_BIT,
    MOVE_TO,
    NOTHING,
    OCTOPUS_BIT,
    PERSON,
    RIDE,
    STOP,
    State,
)
from archipel.rules.hex_sea.boats import (
    boat_in,
    climb_aboard,
    has_room,
    is_sea,
    may_sail,
    move_boat,
)
from archipel.rules.hex_sea.places import ABOARD, LOST, NO_BOAT
from archipel.rules.hex_sea.swimmers import has_sea_step, spend_sea_step
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

# ---- which piece --------------------------------------------------------------------------------


@rule
def legal_pieces(s: State, actions: list[int]) -> int:
    """AT-T1: one's own people (AT-M9) and boats that have somewhere to go; or enough."""
    count = 0
    for person in range(s.turn * PER_TRIBE, (s.turn + 1) * PER_TRIBE):
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
def anything_can_move(s: State) -> bool:
    for person in range(s.turn * PER_TRIBE, (s.turn + 1) * PER_TRIBE):
        if person_can_move(s, person):
            return True
    for boat in range(BOATS):
        if boat_can_move(s, boat, s.turn):
            return True
    return False


@rule_apart
def person_can_move(s: State, person: int) -> bool:
    place = s.place[person]
    if place >= ABOARD:
        return place < LOST and passenger_can_move(s, person)
    if place >= SPACES:
        return False  # AT-M7: those ashore stay
    if is_sea(s, place):
        return swimmer_can_move(s, person)
    return walker_can_move(s, place)


@rule
def walker_can_move(s: State, space: int) -> bool:
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_walkers(s, NEAR[near]):
            return True
    return boats_in_reach(s, space) != 0


@rule
def passenger_can_move(s: State, person: int) -> bool:
    space = s.boat[s.place[person] - ABOARD]
    if SHORE_OF[space] >= 0 or boats_in_reach(s, space) != 0:
        return True
    return has_sea_step(s, person) and is_safe_water(s, space)


@rule
def swimmer_can_move(s: State, person: int) -> bool:
    space = s.place[person]
    if may_step_ashore(s, space) or may_ride(s, space) or can_board(s, boat_in(s, space)):
        return True
    if has_sea_step(s, person):
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_safe_water(s, NEAR[near]):
                return True
    return False


@rule
def is_open_to_walkers(s: State, space: int) -> bool:
    """AT-M1: land with room; AT-M4: or the sea."""
    return is_safe_water(s, space) if is_sea(s, space) else s.crowd[space] < PIECE_ROOM


@rule
def is_safe_water(s: State, space: int) -> bool:
    """AT-M10: sea with neither shark nor monster; whatever else is there is no hindrance."""
    return is_sea(s, space) and s.space[space] & EATERS == 0


@rule
def may_step_ashore(s: State, space: int) -> bool:
    """AT-M7: a swimmer on a landing, by option."""
    return s.swimmers_land != 0 and SHORE_OF[space] >= 0


@rule
def may_ride(s: State, space: int) -> bool:
    """AT-M8: a dolphin here, and all points still there: the step only begins."""
    return s.points == RESCUE_POINTS and s.space[space] & DOLPHIN_BIT != 0


@rule
def can_board(s: State, boat: int) -> bool:
    """AT-M2: with room; AT-B4: an octopus beside it is no danger."""
    return boat != NO_BOAT and has_room(s, boat)


@rule_apart
def boats_in_reach(s: State, space: int) -> int:
    """A set of boats: those with room on the spaces around (AT-M2, AT-M3)."""
    boats = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        boat = boat_in(s, NEAR[near])
        if can_board(s, boat):
            boats |= 1 << boat
    return boats


@rule_apart
def boat_can_move(s: State, boat: int, seat: int) -> bool:
    """AT-B1, AT-B3: empty or under one's control, and with a space to go to (AT-B2)."""
    space = s.boat[boat]
    if space >= SPACES or not may_sail(s, boat, seat):
        return False
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            return True
    return False


@rule
def is_open_to_boats(s: State, space: int) -> bool:
    """AT-B2: sea without boat, octopus or monster."""
    return (
        is_sea(s, space)
        and boat_in(s, space) == NO_BOAT
        and s.space[space] & (OCTOPUS_BIT | MONSTER_BIT) == 0
    )


@rule
def choose_piece(s: State, action: int) -> None:
    """AT-T4: first which piece, then where to."""
    if action == STOP:
        s.phase = BEGIN_SINKING
        return
    s.chosen = action
    s.phase = MOVE_TO


# ---- where to -----------------------------------------------------------------------------------


@rule
def legal_destinations(s: State, actions: list[int]) -> int:
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
def legal_courses(s: State, space: int, actions: list[int]) -> int:
    """AT-B2: where a boat in a space may go."""
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            actions[count] = NEAR[near]
            count += 1
    return count


@rule
def legal_from_land(s: State, space: int, actions: list[int]) -> int:
    """AT-M1, AT-M4: to land or sea around; AT-M2: or into a boat there."""
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_walkers(s, NEAR[near]):
            actions[count] = NEAR[near]
            count += 1
    return add_boats(boats_in_reach(s, space), actions, count)


@rule
def legal_from_boat(s: State, person: int, actions: list[int]) -> int:
    """AT-M4: overboard; AT-M7: ashore; AT-M3: into another boat."""
    space = s.boat[s.place[person] - ABOARD]
    count = 0
    if has_sea_step(s, person) and is_safe_water(s, space):
        actions[count] = space
        count += 1
    if SHORE_OF[space] >= 0:
        actions[count] = ISLAND + SHORE_OF[space]
        count += 1
    return add_boats(boats_in_reach(s, space), actions, count)


@rule
def legal_from_water(s: State, person: int, actions: list[int]) -> int:
    """AT-M5: a space further; AT-M7, AT-M8: ashore or on a dolphin; AT-M6: into the boat there."""
    space = s.place[person]
    count = 0
    if has_sea_step(s, person):
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_safe_water(s, NEAR[near]):
                actions[count] = NEAR[near]
                count += 1
    if may_step_ashore(s, space):
        actions[count] = ISLAND + SHORE_OF[space]
        count += 1
    if may_ride(s, space):
        for island in range(CORAL_ISLANDS):
            actions[count] = RIDE + island
            count += 1
    boat = boat_in(s, space)
    if can_board(s, boat):
        actions[count] = BOAT + boat
        count += 1
    return count


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


@rule
def move(s: State, action: int) -> None:
    """One point each (AT-T1), but a rescue takes them all (AT-M8)."""
    person = s.chosen - PERSON
    s.points -= 1
    if s.chosen >= BOAT:
        move_boat(s, s.chosen - BOAT, action)  # AT-B1
    elif action < ISLAND:
        walk_or_swim(s, person, action)
    elif action < RIDE:
        go_ashore(s, person, action - ISLAND)
    elif action < PERSON:
        ride(s, person, action - RIDE)
    else:
        board(s, person, action - BOAT)
    s.chosen = NOTHING
    s.phase = KEEP_MOVING


@rule
def walk_or_swim(s: State, person: int, space: int) -> None:
    """AT-M1; or AT-M4, AT-M5, the sea step of the turn."""
    go_to(s, person, space)
    if is_sea(s, space):
        spend_sea_step(s, person)


@rule
def board(s: State, person: int, boat: int) -> None:
    """AT-M2, AT-M3, AT-M6: no sea step, and no new one either."""
    take_up(s, person)
    climb_aboard(s, person, TRIBE_OF[person], boat)


@rule
def go_ashore(s: State, person: int, island: int) -> None:
    """AT-M7: from a boat, which stays, or from the water."""
    s.sea_stepped = s.sea_stepped & ~(1 << person)
    save(s, person, island)


@rule
def ride(s: State, person: int, island: int) -> None:
    """AT-M8: the dolphin (AT-M11: the lowest-numbered one) goes to the landing, whatever is there;
    it is not the animal of the turn (AT-X5)."""
    move_animal(s, animal_in(s, DOLPHIN, s.place[person]), LANDING[island])
    save(s, person, island)
    s.points = 0
