"""The turn (chapter The turn): what may be done, doing it, and going on to the next decision.

A move is two decisions, which piece and where to (IS-T8).
"""

from __future__ import annotations

from archipel.rules.hex_sea import turn
from archipel.rules.kit import Chance, rule
from archipel.rules.the_island.components import MOVEMENT_POINTS
from archipel.rules.the_island.creature_move import (
    arrive,
    choose_creature,
    legal_creature_steps,
    legal_creatures,
    roll,
    step_creature,
)
from archipel.rules.the_island.defence import answer, legal_answers
from archipel.rules.the_island.end import end_game, nobody_left
from archipel.rules.the_island.hand_tiles import (
    choose_piece_for_tile,
    legal_pieces_for_tile,
    legal_tile_steps,
    legal_tiles_of_hand,
    play_tile,
    step_for_tile,
)
from archipel.rules.the_island.moving import (
    MOVING,
    choose_piece,
    legal_destinations,
    legal_pieces,
    move,
)
from archipel.rules.the_island.sea import SEA, any_tile_left, next_seat
from archipel.rules.the_island.setup import (
    choose_tile,
    deal,
    legal_boat_starts,
    legal_tiles,
    legal_values,
    name_value,
    place_all,
    place_boat,
)
from archipel.rules.the_island.sinking import (
    legal_passengers,
    legal_removals,
    remove_tile,
    take_aboard,
)
from archipel.rules.the_island.state import (
    ARRIVED,
    BEGIN_MOVING,
    BEGIN_REMOVING,
    CREATURE,
    CREATURE_STEP,
    DEFEND,
    EXPLORER,
    FILL_BOAT,
    KEEP_MOVING,
    LAST_TILE,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    NOBODY_LEFT,
    NOTHING,
    PLACE_BOAT,
    PLACE_EXPLORER,
    PLAY_TILE,
    REMOVE,
    ROLL,
    SPACE,
    STALEMATE,
    TILE_PIECE,
    TILE_RESOLVED,
    TILE_STEP,
    TURN_BEGINS,
    UNKNOWN,
    State,
    hand_size,
)

keep_moving = MOVING(turn.keep_moving)  # IS-T2
count_idle_turn = SEA(turn.count_idle_turn)  # IS-V2
is_stalemate = SEA(turn.is_stalemate)  # IS-V2: twelve turns per player


@rule
def legal(s: State, actions: list[int]) -> int:
    """Fill in the legal actions in ascending order; how many there are."""
    if s.phase == MOVE:
        return legal_pieces(s, actions)
    if s.phase == MOVE_TO:
        return legal_destinations(s, actions)
    if s.phase == REMOVE:
        return legal_removals(s, actions)
    if s.phase == CREATURE:
        return legal_creatures(s, actions)
    if s.phase == CREATURE_STEP:
        return legal_creature_steps(s, actions)
    if s.phase == PLAY_TILE:
        return legal_tiles_of_hand(s, actions)
    if s.phase == TILE_PIECE:
        return legal_pieces_for_tile(s, actions)
    if s.phase == TILE_STEP:
        return legal_tile_steps(s, actions)
    if s.phase == DEFEND:
        return legal_answers(s, actions)
    if s.phase == FILL_BOAT:
        return legal_passengers(s, actions)
    if s.phase == PLACE_EXPLORER:
        return legal_tiles(s, actions)
    if s.phase == NAME_VALUE:
        return legal_values(s, actions)
    if s.phase == PLACE_BOAT:
        return legal_boat_starts(s, actions)
    return 0


@rule
def act(s: State, action: int) -> None:
    """What the action itself does."""
    if s.phase == MOVE:
        choose_piece(s, action)
    elif s.phase == MOVE_TO:
        move(s, action)
    elif s.phase == REMOVE:
        remove_tile(s, action - SPACE)
    elif s.phase == CREATURE:
        choose_creature(s, action)
    elif s.phase == CREATURE_STEP:
        step_creature(s, action)
    elif s.phase == PLAY_TILE:
        play_tile(s, action)
    elif s.phase == TILE_PIECE:
        choose_piece_for_tile(s, action)
    elif s.phase == TILE_STEP:
        step_for_tile(s, action)
    elif s.phase == DEFEND:
        answer(s, action)
    elif s.phase == FILL_BOAT:
        take_aboard(s, action - EXPLORER)
    elif s.phase == PLACE_EXPLORER:
        choose_tile(s, action - SPACE)
    elif s.phase == NAME_VALUE:
        name_value(s, action)
    else:
        place_boat(s, action - SPACE)


@rule
def go_on_once(s: State, chance: Chance) -> None:
    if nobody_left(s):
        end_game(s, NOBODY_LEFT)  # IS-E3
    elif s.phase == TURN_BEGINS:
        begin_turn(s)
    elif s.phase == BEGIN_MOVING:
        begin_moving(s)
    elif s.phase == KEEP_MOVING:
        keep_moving(s)
    elif s.phase == BEGIN_REMOVING:
        begin_removing(s)
    elif s.phase == TILE_RESOLVED:
        after_removing(s)
    elif s.phase == ROLL:
        roll(s, chance)
    elif s.phase == ARRIVED:
        arrive(s)
    else:
        end_turn(s)


@rule
def begin_turn(s: State) -> None:
    """IS-T1, IS-T6: whoever has a tile is asked, so that nothing tells which it is."""
    count_idle_turn(s)
    s.phase = PLAY_TILE if hand_size(s, s.turn) > 0 else BEGIN_MOVING


@rule
def begin_moving(s: State) -> None:
    """IS-T5: without an explorer on the board there is no step 2."""
    if s.left[s.turn] == 0:
        s.phase = BEGIN_REMOVING
        return
    s.points = MOVEMENT_POINTS
    s.phase = KEEP_MOVING


@rule
def begin_removing(s: State) -> None:
    """IS-T3; IS-V2: with no tile left there is no step 3. The sea steps of the turn are over."""
    s.points = 0
    s.sea_stepped = 0
    s.wet_moved = 0
    s.phase = REMOVE if any_tile_left(s) else ROLL


@rule
def after_removing(s: State) -> None:
    """IS-V4: the last tile ends a `sunken` game; otherwise the die is next (IS-T4)."""
    if s.sunken != 0 and not any_tile_left(s):
        end_game(s, LAST_TILE)
        return
    s.phase = ROLL


@rule
def end_turn(s: State) -> None:
    """On to the next player (IS-S4), unless nothing has happened for long (IS-V2)."""
    if is_stalemate(s):
        end_game(s, STALEMATE)
        return
    s.chosen = NOTHING
    s.steps = 0
    s.die = UNKNOWN
    s.turn = next_seat(s, s.turn)
    s.to_move = s.turn
    s.phase = TURN_BEGINS


TURN = SEA.and_also(act=act, go_on_once=go_on_once)
go_on = TURN(turn.go_on)  # IS-T7
apply = TURN(turn.apply)


@rule
def set_up(s: State, chance: Chance) -> None:
    """Everything up to the first decision."""
    deal(s, chance)
    if s.auto_setup != 0:
        place_all(s, chance)
        go_on(s, chance)
