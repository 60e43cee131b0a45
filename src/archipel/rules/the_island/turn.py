"""The turn (chapter The turn): legal actions, applying them, and the automatic steps.

A move is two decisions, which piece and where to (IS-T8).
"""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.turn import Turn
from archipel.rules.kit import Chance, rule
from archipel.rules.the_island import creatures, hand_tiles, moving, setup, sinking, state
from archipel.rules.the_island.components import MOVEMENT_POINTS
from archipel.rules.the_island.defence import answer, legal_answers
from archipel.rules.the_island.end import end_game, nobody_left
from archipel.rules.the_island.sea import SEA, any_tile_left, next_seat
from archipel.rules.the_island.state import (
    NOTHING,
    UNKNOWN,
    Action,
    Ending,
    Phase,
    State,
    hand_size,
)

count_idle_turn = SEA.count_idle_turn  # IS-V2
is_stalemate = SEA.is_stalemate  # IS-V2: twelve turns per player


@rule
def legal(s: State, actions: list[int]) -> int:
    """Fill in the legal actions in ascending order, and return their number."""
    match s.phase:
        case Phase.MOVE:
            return moving.legal_pieces(s, actions)
        case Phase.MOVE_TO:
            return moving.legal_destinations(s, actions)
        case Phase.REMOVE:
            return sinking.legal_removals(s, actions)
        case Phase.CREATURE:
            return creatures.legal_creatures(s, actions)
        case Phase.CREATURE_STEP:
            return creatures.legal_creature_steps(s, actions)
        case Phase.PLAY_TILE:
            return hand_tiles.legal_tiles_of_hand(s, actions)
        case Phase.TILE_PIECE:
            return hand_tiles.legal_pieces_for_tile(s, actions)
        case Phase.TILE_STEP:
            return hand_tiles.legal_tile_steps(s, actions)
        case Phase.DEFEND:
            return legal_answers(s, actions)
        case Phase.FILL_BOAT:
            return sinking.legal_passengers(s, actions)
        case Phase.PLACE_EXPLORER:
            return setup.legal_tiles(s, actions)
        case Phase.NAME_VALUE:
            return setup.legal_values(s, actions)
        case Phase.PLACE_BOAT:
            return setup.legal_boat_starts(s, actions)
    return 0


def legal_actions(s: State) -> list[int]:
    actions = [0] * state.MOST_LEGAL
    return actions[: legal(s, actions)]


@rule
def begin_turn(s: State) -> None:
    """IS-T1, IS-T6: ask every player who holds a tile, so that the question reveals nothing."""
    count_idle_turn(s)
    s.phase = Phase.PLAY_TILE if hand_size(s, s.turn) > 0 else Phase.BEGIN_MOVING


@rule
def begin_moving(s: State) -> None:
    """IS-T5: without an explorer on the board there is no step 2."""
    if s.left[s.turn] == 0:
        s.phase = Phase.BEGIN_REMOVING
        return
    s.points = MOVEMENT_POINTS
    s.phase = Phase.KEEP_MOVING


@rule
def begin_removing(s: State) -> None:
    """IS-T3; IS-V2: with no tile left there is no step 3. The sea steps of the turn are over."""
    s.points = 0
    s.sea_stepped = 0
    s.wet_moved = 0
    s.phase = Phase.REMOVE if any_tile_left(s) else Phase.ROLL


@rule
def after_removing(s: State) -> None:
    """IS-V4: the last tile ends a `sunken` game; otherwise the die is next (IS-T4)."""
    if s.sunken != 0 and not any_tile_left(s):
        end_game(s, Ending.LAST_TILE)
        return
    s.phase = Phase.ROLL


@rule
def end_turn(s: State) -> None:
    """The next player's turn (IS-S4), or a stalemate (IS-V2)."""
    if is_stalemate(s):
        end_game(s, Ending.STALEMATE)
        return
    s.chosen = NOTHING
    s.steps = 0
    s.die = UNKNOWN
    s.turn = next_seat(s, s.turn)
    s.to_move = s.turn
    s.phase = Phase.TURN_BEGINS


class IslandTurn(Turn[State]):
    """The steps of a turn."""

    @rule
    def act(self, s: State, action: int) -> None:
        """Apply the action itself."""
        match s.phase:
            case Phase.MOVE:
                moving.choose_piece(s, action)
            case Phase.MOVE_TO:
                moving.move(s, action)
            case Phase.REMOVE:
                sinking.remove_tile(s, action - Action.SPACE)
            case Phase.CREATURE:
                creatures.choose_creature(s, action)
            case Phase.CREATURE_STEP:
                creatures.step_creature(s, action)
            case Phase.PLAY_TILE:
                hand_tiles.play_tile(s, action)
            case Phase.TILE_PIECE:
                hand_tiles.choose_piece_for_tile(s, action)
            case Phase.TILE_STEP:
                hand_tiles.step_for_tile(s, action)
            case Phase.DEFEND:
                answer(s, action)
            case Phase.FILL_BOAT:
                sinking.take_aboard(s, action - Action.EXPLORER)
            case Phase.PLACE_EXPLORER:
                setup.choose_tile(s, action - Action.SPACE)
            case Phase.NAME_VALUE:
                setup.name_value(s, action)
            case _:
                setup.place_boat(s, action - Action.SPACE)

    @rule
    def go_on_once(self, s: State, chance: Chance) -> None:
        if nobody_left(s):
            end_game(s, Ending.NOBODY_LEFT)  # IS-E3
            return
        match s.phase:
            case Phase.TURN_BEGINS:
                begin_turn(s)
            case Phase.BEGIN_MOVING:
                begin_moving(s)
            case Phase.KEEP_MOVING:
                moving.keep_moving(s)
            case Phase.BEGIN_REMOVING:
                begin_removing(s)
            case Phase.TILE_RESOLVED:
                after_removing(s)
            case Phase.ROLL:
                creatures.roll(s, chance)
            case Phase.ARRIVED:
                creatures.arrive(s)
            case _:
                end_turn(s)


TURN: Final = IslandTurn(SEA)
act = TURN.act
go_on_once = TURN.go_on_once
go_on = TURN.go_on  # IS-T7
apply = TURN.apply


@rule
def set_up(s: State, chance: Chance) -> None:
    """Set up a game, up to the first decision."""
    setup.deal(s, chance)
    if s.auto_setup != 0:
        setup.place_all(s, chance)
        go_on(s, chance)
