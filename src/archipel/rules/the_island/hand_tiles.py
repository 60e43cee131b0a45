"""Step 1: playing tiles from the hand (chapter Hand tiles played in step 1)."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.boats import controls, is_sea
from archipel.rules.hex_sea.places import LOST
from archipel.rules.kit import rule, rule_apart
from archipel.rules.the_island import components as box
from archipel.rules.the_island import moving
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SPACES, TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.explorers import plunge, swims
from archipel.rules.the_island.sea import SEA, is_on_board, touches_sea
from archipel.rules.the_island.state import NOTHING, OUT, UNKNOWN, Action, Phase, State, owner

# The first piece that each tile can move, from the dolphin on, and one more for the end.
FIRST_PIECE: Final = [
    Action.EXPLORER,
    Action.BOAT,
    *(Action.CREATURE + first for first in box.FIRST_OF_KIND),
]


@rule
def legal_tiles_of_hand(s: State, actions: list[int]) -> int:
    """IS-T1, IS-H4: fill in the useful tiles, named by the spaces they came from, and pass."""
    count = 0
    for tile in range(TILES):
        if s.holder[tile] == s.to_move and can_be_used(s, s.back[tile]):
            actions[count] = Action.SPACE + TILE_SPACES[tile]
            count += 1
    actions[count] = Action.STOP
    return count + 1


@rule_apart
def can_be_used(s: State, symbol: int) -> bool:
    """IS-H4: whether a tile can move any piece."""
    if symbol >= box.FIRST_DEFENCE:
        return False
    kind = symbol - box.DOLPHIN
    for piece in range(FIRST_PIECE[kind], FIRST_PIECE[kind + 1]):
        if can_move_by_tile(s, piece):
            return True
    return False


@rule
def can_move_by_tile(s: State, piece: int) -> bool:
    """IS-H1, IS-H2; IS-H3: a creature always has an unoccupied space to go to (`components`)."""
    if piece < Action.BOAT:
        return dolphin_can_help(s, piece - Action.EXPLORER)
    if piece < Action.CREATURE:
        return wind_can_drive(s, piece - Action.BOAT)
    return is_on_board(s, piece - Action.CREATURE)


@rule
def dolphin_can_help(s: State, explorer: int) -> bool:
    """IS-H1: whether an explorer is the player's swimmer with a sea space beside it."""
    mine = owner(s, explorer) == s.to_move
    return mine and swims(s, explorer) and touches_sea(s, s.place[explorer])


@rule
def wind_can_drive(s: State, boat: int) -> bool:
    """IS-H2: whether a boat can move and the player controls it, which excludes empty boats."""
    return controls(s, boat, s.to_move) and moving.boat_can_move(s, boat, s.to_move)


@rule
def play_tile(s: State, action: int) -> None:
    """IS-T1: show a tile and remove it from the game."""
    if action == Action.STOP:
        s.phase = Phase.BEGIN_MOVING
        return
    tile = TILE_OF[action - Action.SPACE]
    s.holder[tile] = OUT
    s.playing = s.back[tile]
    s.phase = Phase.TILE_PIECE


@rule
def legal_pieces_for_tile(s: State, actions: list[int]) -> int:
    count = 0
    kind = s.playing - box.DOLPHIN
    for piece in range(FIRST_PIECE[kind], FIRST_PIECE[kind + 1]):
        if can_move_by_tile(s, piece):
            actions[count] = piece
            count += 1
    return count


@rule
def choose_piece_for_tile(s: State, action: int) -> None:
    s.chosen = action
    s.steps = box.MOST_TILE_STEPS if action < Action.CREATURE else 1
    s.phase = Phase.TILE_STEP


@rule
def legal_tile_steps(s: State, actions: list[int]) -> int:
    """IS-H1, IS-H2: adjacent spaces, and stop after a first step; IS-H3: any unoccupied space."""
    if s.chosen >= Action.CREATURE:
        return legal_unoccupied(s, actions)
    count = 0
    if s.chosen >= Action.BOAT:
        count = moving.legal_courses(s, s.boat[s.chosen - Action.BOAT], actions)
    else:
        space = s.place[s.chosen - Action.EXPLORER]
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_sea(s, NEAR[near]):
                actions[count] = NEAR[near]
                count += 1
    if s.steps < box.MOST_TILE_STEPS:
        actions[count] = Action.STOP
        count += 1
    return count


@rule
def step_for_tile(s: State, action: int) -> None:
    """IS-H1, IS-H2: the move ends if the swimmer or the boat is lost."""
    if action != Action.STOP:
        s.steps -= 1
        if s.chosen >= Action.CREATURE:
            SEA.move_creature(s, s.chosen - Action.CREATURE, action)
        elif s.chosen >= Action.BOAT:
            moving.sail(s, s.chosen - Action.BOAT, action, False)
            if s.boat[s.chosen - Action.BOAT] >= SPACES:
                s.steps = 0
        else:
            plunge(s, s.chosen - Action.EXPLORER, action)
            if s.place[s.chosen - Action.EXPLORER] == LOST:
                s.steps = 0
        if s.steps > 0:
            return
    s.chosen = NOTHING
    s.steps = 0
    s.playing = UNKNOWN
    s.phase = Phase.BEGIN_MOVING


# ---- unoccupied spaces (IS-H3) ------------------------------------------------------------------


@rule
def swimmers_between(s: State, first: int) -> int:
    """The set of spaces with explorers among 60 spaces from the first on."""
    found = 0
    for explorer in range(box.EXPLORERS):
        place = s.place[explorer]
        if first <= place < first + 60:
            found |= 1 << (place - first)
    return found


@rule_apart
def legal_unoccupied(s: State, actions: list[int]) -> int:
    """IS-H3: fill in sea spaces with no boat, no creature and no swimmer."""
    count = 0
    for first in range(0, SPACES, 60):
        taken = swimmers_between(s, first)
        for space in range(first, min(first + 60, SPACES)):
            if s.space[space] == 0 and taken >> (space - first) & 1 == 0:
                actions[count] = Action.SPACE + space
                count += 1
    return count
