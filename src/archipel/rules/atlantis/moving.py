"""Step 1: moving people and boats (chapter Moving)."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.animals import animal_in, move_animal
from archipel.rules.atlantis.board import CORAL_ISLANDS, FIRST_NEAR, LANDING, NEAR, SHORE_OF
from archipel.rules.atlantis.components import DOLPHIN, PIECE_ROOM, RESCUE_POINTS, TRIBE_OF
from archipel.rules.atlantis.people import go_to, save
from archipel.rules.atlantis.sea import SEA, take_up
from archipel.rules.atlantis.state import (
    BLOCKERS,
    DOLPHIN_BIT,
    EATERS,
    NOTHING,
    Action,
    Phase,
    State,
)
from archipel.rules.hex_sea.boats import boat_in, climb_aboard, is_sea, move_boat
from archipel.rules.hex_sea.moving import Moving
from archipel.rules.hex_sea.places import NO_FREE_SEA
from archipel.rules.hex_sea.swimmers import has_sea_step, spend_sea_step
from archipel.rules.kit import rule

can_board = SEA.can_board  # AT-M2, AT-M6; AT-B4: next to an octopus, too
boats_in_reach = SEA.boats_in_reach  # AT-M2, AT-M3

# ---- who may go where ---------------------------------------------------------------------------


@rule
def walker_can_move(s: State, space: int) -> bool:
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_walkers(s, NEAR[near]):
            return True
    return boats_in_reach(s, space) != 0


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
    """AT-M10: sea with neither shark nor monster."""
    return is_sea(s, space) and s.space[space] & EATERS == 0


@rule
def may_step_ashore(s: State, space: int) -> bool:
    """AT-M7: a swimmer on a landing, by option."""
    return s.swimmers_land != 0 and SHORE_OF[space] >= 0


@rule
def may_ride(s: State, space: int) -> bool:
    """AT-M8: with a dolphin in the space and no point spent yet."""
    return s.points == RESCUE_POINTS and s.space[space] & DOLPHIN_BIT != 0


@rule
def is_open_to_boats(s: State, space: int) -> bool:
    """AT-B2: sea without boat, octopus or monster."""
    return s.space[space] & (NO_FREE_SEA | BLOCKERS) == 0


@rule
def may_go_overboard(s: State, person: int, space: int) -> bool:
    """AT-M4, AT-M5, AT-M10: as the sea step of the turn, into safe water."""
    return has_sea_step(s, person) and is_safe_water(s, space)


@rule
def legal_from_water(s: State, person: int, actions: list[int]) -> int:
    """AT-M5: adjacent water; AT-M7, AT-M8: ashore or on a dolphin; AT-M6: into the boat there."""
    space = s.place[person]
    count = 0
    if has_sea_step(s, person):
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_safe_water(s, NEAR[near]):
                actions[count] = NEAR[near]
                count += 1
    if may_step_ashore(s, space):
        actions[count] = Action.ISLAND + SHORE_OF[space]
        count += 1
    if may_ride(s, space):
        for island in range(CORAL_ISLANDS):
            actions[count] = Action.RIDE + island
            count += 1
    boat = boat_in(s, space)
    if can_board(s, boat):
        actions[count] = Action.BOAT + boat
        count += 1
    return count


MOVING: Final = Moving(
    SEA,
    walker_can_move=walker_can_move,
    is_open_to_walkers=is_open_to_walkers,
    may_go_overboard=may_go_overboard,
    swimmer_can_move=swimmer_can_move,
    is_open_to_boats=is_open_to_boats,
    legal_from_water=legal_from_water,
)

legal_pieces = MOVING.legal_pieces  # AT-T1, AT-M9
person_can_move = MOVING.person_can_move  # AT-M7: saved people stay ashore
boat_can_move = MOVING.boat_can_move  # AT-B1, AT-B2, AT-B3
keep_moving = MOVING.keep_moving  # AT-T1, AT-T3
choose_piece = MOVING.choose_piece  # AT-T4
legal_destinations = MOVING.legal_destinations  # AT-M1 to AT-M8

# ---- moving -------------------------------------------------------------------------------------


@rule
def move(s: State, action: int) -> None:
    """Every move costs one point (AT-T1), but a rescue costs all three (AT-M8)."""
    person = s.chosen - Action.PERSON
    s.points -= 1
    if s.chosen >= Action.BOAT:
        move_boat(s, s.chosen - Action.BOAT, action)  # AT-B1
    elif action < Action.ISLAND:
        walk_or_swim(s, person, action)
    elif action < Action.RIDE:
        go_ashore(s, person, action - Action.ISLAND)
    elif action < Action.PERSON:
        ride(s, person, action - Action.RIDE)
    else:
        board(s, person, action - Action.BOAT)
    s.chosen = NOTHING
    s.phase = Phase.KEEP_MOVING


@rule
def walk_or_swim(s: State, person: int, space: int) -> None:
    """AT-M1; or AT-M4, AT-M5, the sea step of the turn."""
    go_to(s, person, space)
    if is_sea(s, space):
        spend_sea_step(s, person)


@rule
def board(s: State, person: int, boat: int) -> None:
    """AT-M2, AT-M3, AT-M6: boarding is no sea step and gives no new one."""
    take_up(s, person)
    climb_aboard(s, person, TRIBE_OF[person], boat)


@rule
def go_ashore(s: State, person: int, island: int) -> None:
    """AT-M7: from a boat, which stays, or from the water."""
    s.sea_stepped = s.sea_stepped & ~(1 << person)
    save(s, person, island)


@rule
def ride(s: State, person: int, island: int) -> None:
    """AT-M8, AT-X5: the dolphin, the lowest-numbered one (AT-M11), goes to the landing."""
    move_animal(s, animal_in(s, DOLPHIN, s.place[person]), LANDING[island])
    save(s, person, island)
    s.points = 0
