"""Step 2: moving explorers and boats (chapter Step 2).

A boat and swimmers may share a space without anything happening (IS-B7).
"""

from __future__ import annotations

from archipel.rules.hex_sea.boats import (
    boat_in,
    climb_aboard,
    has_room,
    is_sea,
    leave_boat,
    load,
    may_sail,
    move_boat,
)
from archipel.rules.hex_sea.places import ABOARD, LOST, NO_BOAT
from archipel.rules.hex_sea.swimmers import has_sea_step, spend_sea_step
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SHORE_OF, SPACES
from archipel.rules.the_island.components import BOATS, PER_COLOUR
from archipel.rules.the_island.explorers import capsize, plunge, save
from archipel.rules.the_island.state import (
    BEGIN_REMOVING,
    BOAT,
    EXPLORER,
    ISLAND,
    KEEP_MOVING,
    MOVE_TO,
    NOTHING,
    SERPENT_BIT,
    STOP,
    WHALE_BIT,
    State,
    colours_in_play,
    owner,
)

# ---- which piece --------------------------------------------------------------------------------


@rule
def legal_pieces(s: State, actions: list[int]) -> int:
    """IS-T2: an explorer of one's own (IS-M10) or a boat that has somewhere to go; or enough."""
    count = 0
    for colour in range(s.to_move, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if explorer_can_move(s, explorer):
                actions[count] = EXPLORER + explorer
                count += 1
    for boat in range(BOATS):
        if boat_can_move(s, boat, s.to_move):
            actions[count] = BOAT + boat
            count += 1
    actions[count] = STOP
    return count + 1


@rule
def anything_can_move(s: State) -> bool:
    for colour in range(s.turn, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if explorer_can_move(s, explorer):
                return True
    for boat in range(BOATS):
        if boat_can_move(s, boat, s.turn):
            return True
    return False


@rule_apart
def explorer_can_move(s: State, explorer: int) -> bool:
    place = s.place[explorer]
    if place >= ABOARD:
        return place < LOST and passenger_can_move(s, explorer)
    if place >= SPACES:
        return False  # IS-M9: nobody leaves a safe island
    return not is_sea(s, place) or swimmer_can_move(s, explorer)


@rule
def passenger_can_move(s: State, explorer: int) -> bool:
    space = s.boat[s.place[explorer] - ABOARD]
    return may_take_sea_step(s, explorer) or SHORE_OF[space] >= 0 or boats_in_reach(s, space) != 0


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
    """IS-M12: once a turn; and under `strict_swimming` not after any other move in or out of the
    water (IS-M7)."""
    return has_sea_step(s, explorer) and may_leave_water(s, explorer)


@rule
def may_leave_water(s: State, explorer: int) -> bool:
    """IS-M7, IS-M8: always, but for `strict_swimming`."""
    return s.strict_swimming == 0 or s.wet_moved >> explorer & 1 == 0


@rule
def touches_sea(s: State, space: int) -> bool:
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            return True
    return False


@rule
def can_board(s: State, boat: int) -> bool:
    return boat != NO_BOAT and has_room(s, boat)


@rule
def boats_in_reach(s: State, space: int) -> int:
    """A set of boats: those with room on the spaces around (IS-M2, IS-M3)."""
    boats = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        boat = boat_in(s, NEAR[near])
        if can_board(s, boat):
            boats |= 1 << boat
    return boats


@rule_apart
def boat_can_move(s: State, boat: int, seat: int) -> bool:
    """IS-B1, IS-B3: empty or under one's control, and with a free sea space beside it (IS-B2)."""
    space = s.boat[boat]
    if space >= SPACES or not may_sail(s, boat, seat):
        return False
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            return True
    return False


@rule
def is_open_to_boats(s: State, space: int) -> bool:
    """IS-B2: sea, and no boat there."""
    return is_sea(s, space) and boat_in(s, space) == NO_BOAT


@rule
def choose_piece(s: State, action: int) -> None:
    if action == STOP:
        s.phase = BEGIN_REMOVING
        return
    s.chosen = action
    s.phase = MOVE_TO


# ---- where to -----------------------------------------------------------------------------------


@rule
def legal_destinations(s: State, actions: list[int]) -> int:
    if s.chosen >= BOAT:
        return legal_courses(s, s.boat[s.chosen - BOAT], actions)
    explorer = s.chosen - EXPLORER
    place = s.place[explorer]
    if place >= ABOARD:
        return legal_from_boat(s, explorer, actions)
    if is_sea(s, place):
        return legal_from_water(s, explorer, actions)
    return legal_from_land(s, place, actions)


@rule
def legal_courses(s: State, space: int, actions: list[int]) -> int:
    """IS-B2: where a boat in a space may go."""
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_open_to_boats(s, NEAR[near]):
            actions[count] = NEAR[near]
            count += 1
    return count


@rule
def legal_from_land(s: State, space: int, actions: list[int]) -> int:
    """IS-M1, IS-M4: any space around; IS-M2: or a boat there."""
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        actions[count] = NEAR[near]
        count += 1
    return add_boats(boats_in_reach(s, space), actions, count)


@rule
def legal_from_boat(s: State, explorer: int, actions: list[int]) -> int:
    """IS-M5: overboard; IS-M8: ashore; IS-M3: into another boat."""
    space = s.boat[s.place[explorer] - ABOARD]
    count = 0
    if may_take_sea_step(s, explorer):
        actions[count] = space
        count += 1
    if SHORE_OF[space] >= 0:
        actions[count] = ISLAND + SHORE_OF[space]
        count += 1
    return add_boats(boats_in_reach(s, space), actions, count)


@rule
def legal_from_water(s: State, explorer: int, actions: list[int]) -> int:
    """IS-M6: a space further; IS-M8: ashore; IS-M7: into the boat of the same space."""
    space = s.place[explorer]
    count = 0
    if may_take_sea_step(s, explorer):
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_sea(s, NEAR[near]):
                actions[count] = NEAR[near]
                count += 1
    if not may_leave_water(s, explorer):
        return count
    if SHORE_OF[space] >= 0:
        actions[count] = ISLAND + SHORE_OF[space]
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
    """Every move costs one point (IS-T2)."""
    if s.chosen >= BOAT:
        sail(s, s.chosen - BOAT, action, True)
    elif action < ISLAND:
        walk_or_swim(s, s.chosen - EXPLORER, action)
    elif action < EXPLORER:
        go_ashore(s, s.chosen - EXPLORER, action - ISLAND)
    else:
        board(s, s.chosen - EXPLORER, action - BOAT)
    s.chosen = NOTHING
    s.points -= 1
    s.phase = KEEP_MOVING


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
    s.wet_moved |= is_swimming(s, explorer) << explorer
    seat = owner(s, explorer)
    leave_boat(s, explorer, seat)
    climb_aboard(s, explorer, seat, boat)


@rule
def is_swimming(s: State, explorer: int) -> int:
    place = s.place[explorer]
    return 1 if place < SPACES and is_sea(s, place) else 0


@rule
def sail(s: State, boat: int, space: int, in_step_2: bool) -> None:
    """IS-B4: serpents and whales in the new space sink an occupied boat; IS-B5, IS-B6: an empty one
    they do not harm, nor does a shark."""
    move_boat(s, boat, space)
    if s.space[space] & (SERPENT_BIT | WHALE_BIT) != 0 and load(s, boat) > 0:
        capsize(s, boat, in_step_2)
