"""Step 2: moving explorers and boats (chapter Step 2).

A boat and swimmers may share a space without anything happening (IS-B7).
"""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.boats import boat_in, climb_aboard, is_sea, load, move_boat
from archipel.rules.hex_sea.moving import Moving
from archipel.rules.hex_sea.places import LOST, NO_FREE_SEA
from archipel.rules.hex_sea.swimmers import has_sea_step, spend_sea_step
from archipel.rules.kit import rule
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SHORE_OF
from archipel.rules.the_island.explorers import capsize, plunge, save, swims
from archipel.rules.the_island.sea import SEA, take_up, touches_sea
from archipel.rules.the_island.state import NOTHING, SINKERS, Action, Phase, State, owner

can_board = SEA.can_board  # IS-M2, IS-M3, IS-M7

# ---- destinations -------------------------------------------------------------------------------


@rule
def walker_can_move(s: State, space: int) -> bool:
    """IS-M1, IS-M4: always, since every adjacent space has room for another explorer."""
    return True


@rule
def is_open_to_walkers(s: State, space: int) -> bool:
    """IS-M1: land, with any number of explorers; IS-M4: sea, with a boat or not."""
    return True


@rule
def may_go_overboard(s: State, explorer: int, space: int) -> bool:
    """IS-M5: an explorer may go overboard even to creatures in the water."""
    return may_take_sea_step(s, explorer)


@rule
def swimmer_can_move(s: State, explorer: int) -> bool:
    space = s.place[explorer]
    if may_take_sea_step(s, explorer) and touches_sea(s, space):
        return True
    if not may_leave_water(s, explorer):
        return False
    return SHORE_OF[space] >= 0 or can_board(s, boat_in(s, space))


@rule
def may_take_sea_step(s: State, explorer: int) -> bool:
    """IS-M12: once a turn; IS-M7: under `strict_swimming` as the only move in or out of water."""
    return has_sea_step(s, explorer) and may_leave_water(s, explorer)


@rule
def may_leave_water(s: State, explorer: int) -> bool:
    """IS-M7, IS-M8: always, except under `strict_swimming`."""
    return s.strict_swimming == 0 or s.wet_moved >> explorer & 1 == 0


@rule
def is_open_to_boats(s: State, space: int) -> bool:
    """IS-B2: sea, and no boat there."""
    return s.space[space] & NO_FREE_SEA == 0


@rule
def legal_from_water(s: State, explorer: int, actions: list[int]) -> int:
    """IS-M6: to an adjacent space; IS-M8: ashore; IS-M7: into the boat of the same space."""
    space = s.place[explorer]
    count = 0
    if may_take_sea_step(s, explorer):
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_sea(s, NEAR[near]):
                actions[count] = NEAR[near]
                count += 1
    if SHORE_OF[space] >= 0:
        actions[count] = Action.ISLAND + SHORE_OF[space]
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

legal_pieces = MOVING.legal_pieces  # IS-T2, IS-M10
anything_can_move = MOVING.anything_can_move
person_can_move = MOVING.person_can_move  # IS-M9: nobody leaves a safe island
boat_can_move = MOVING.boat_can_move  # IS-B1, IS-B2, IS-B3
keep_moving = MOVING.keep_moving  # IS-T2
choose_piece = MOVING.choose_piece  # IS-T8
legal_destinations = MOVING.legal_destinations  # IS-M1 to IS-M8
legal_courses = MOVING.legal_courses  # IS-B2

# ---- moving -------------------------------------------------------------------------------------


@rule
def move(s: State, action: int) -> None:
    """Every move costs one point (IS-T2)."""
    if s.chosen >= Action.BOAT:
        sail(s, s.chosen - Action.BOAT, action, True)
    elif action < Action.ISLAND:
        walk_or_swim(s, s.chosen - Action.EXPLORER, action)
    elif action < Action.EXPLORER:
        go_ashore(s, s.chosen - Action.EXPLORER, action - Action.ISLAND)
    else:
        board(s, s.chosen - Action.EXPLORER, action - Action.BOAT)
    s.chosen = NOTHING
    s.points -= 1
    s.phase = Phase.KEEP_MOVING


@rule
def walk_or_swim(s: State, explorer: int, space: int) -> None:
    """IS-M1; or IS-M4, IS-M5, IS-M6, which are the sea step of the turn (IS-M12)."""
    if not is_sea(s, space):
        s.place[explorer] = space
        return
    plunge(s, explorer, space)
    if s.place[explorer] != LOST:
        spend_sea_step(s, explorer)
        s.wet_moved |= 1 << explorer


@rule
def go_ashore(s: State, explorer: int, island: int) -> None:
    """IS-M8: by boat or swimming; the boat stays."""
    s.sea_stepped = s.sea_stepped & ~(1 << explorer)
    s.wet_moved = s.wet_moved & ~(1 << explorer)
    save(s, explorer, island)


@rule
def board(s: State, explorer: int, boat: int) -> None:
    """IS-M2, IS-M3, IS-M7."""
    if swims(s, explorer):
        s.wet_moved |= 1 << explorer
    take_up(s, explorer)
    climb_aboard(s, explorer, owner(s, explorer), boat)


@rule
def sail(s: State, boat: int, space: int, in_step_2: bool) -> None:
    """IS-B4: serpents and whales sink an occupied boat; IS-B5, IS-B6: sharks sink none."""
    move_boat(s, boat, space)
    if s.space[space] & SINKERS != 0 and load(s, boat) > 0:
        capsize(s, boat, in_step_2)
