"""Why an action is not legal: the rule it breaks."""

from __future__ import annotations

from typing import Final

from archipel.rules.contract import Refusal
from archipel.rules.hex_sea.boats import boat_in, is_sea, may_sail, space_of
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.hex_sea.refusals import Asked, first_of, refusal_of
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import BOARD, SHORE_OF, SPACES, TILE_OF
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.moving import can_board, may_leave_water, may_take_sea_step
from archipel.rules.the_island.sinking import terrain_due
from archipel.rules.the_island.state import ACTIONS, ON_BOARD, Action, Phase, State, owner

_ALL: Final = range(ACTIONS)
_SPACES: Final = range(Action.ISLAND)
_CREATURES: Final = range(Action.CREATURE, Action.VALUE)
_VALUES: Final = range(Action.VALUE, Action.STOP)


def refusal(s: State, action: int) -> Refusal:
    """The reason why an action is not legal in a position."""
    return refusal_of(_ASKED[s.phase], s, action)


# ---- set-up -------------------------------------------------------------------------------------


def _tile_at_set_up(s: State, action: int) -> Refusal:
    full = ("IS-V1" if s.crowded else "IS-S5", "tile_full")
    return first_of((TILE_OF[action] < 0, "IS-S5", "not_a_tile"), (True, *full))


def _value(s: State, action: int) -> Refusal:
    return first_of((True, "IS-V3" if s.all_equal else "IS-C2", "no_such_value"))


def _boat_start(s: State, action: int) -> Refusal:
    taken = is_sea(s, action) and s.space[action] != 0
    return first_of((taken, "IS-S6", "boat_start_taken"), (True, "IS-S6", "boat_start_far"))


# ---- tiles of the hand --------------------------------------------------------------------------


def _tile_of_hand(s: State, action: int) -> Refusal:
    tile = TILE_OF[action]
    return first_of(
        (tile < 0 or s.holder[tile] != s.to_move, "IS-T1", "not_in_hand"),
        (s.back[tile] >= box.FIRST_DEFENCE, "IS-D4", "defence_tile"),
        (True, "IS-H4", f"no_use.{box.SYMBOLS[s.back[tile]]}"),
    )


def _piece_for_tile(s: State, action: int) -> Refusal:
    return first_of(
        (s.playing == box.DOLPHIN, "IS-H1", "dolphin_piece"),
        (s.playing == box.WIND, "IS-H2", "wind_piece"),
        (True, "IS-H3", f"{box.SYMBOLS[s.playing]}_piece"),
    )


def _tile_step(s: State, action: int) -> Refusal | None:
    if action == Action.STOP:
        return Refusal("IS-T8", "refuse.first_step")
    if s.chosen >= Action.CREATURE:
        return Refusal("IS-H3", "refuse.not_unoccupied") if action in _SPACES else None
    if s.chosen >= Action.BOAT:
        return _course(s, s.boat[s.chosen - Action.BOAT], action)
    if Action.ISLAND <= action < Action.CREATURE:
        return Refusal("IS-H1", "refuse.dolphin_ends_in_water")
    return _swim(s, action) if action in _SPACES else None


# ---- step 2 -------------------------------------------------------------------------------------


def _piece(s: State, action: int) -> Refusal:
    if action < Action.BOAT:
        return _explorer(s, action - Action.EXPLORER)
    boat = action - Action.BOAT
    return first_of(
        (s.boat[boat] >= SPACES, "IS-K11", "no_such_boat"),
        (not may_sail(s, boat, s.to_move), "IS-B3", "not_your_boat"),
        (True, "IS-B2", "boat_shut_in"),
    )


def _explorer(s: State, explorer: int) -> Refusal:
    return first_of(
        (owner(s, explorer) != s.to_move, "IS-M10", "not_your_explorer"),
        (is_saved(s, explorer), "IS-M9", "saved"),
        (s.place[explorer] >= ABOARD + box.BOATS, "IS-M11", "lost"),
        (not may_leave_water(s, explorer), "IS-M7", "wet_move_spent"),
        (not may_take_sea_step(s, explorer), "IS-M12", "sea_step_spent"),
        (True, "IS-M6", "shut_in"),
    )


def _destination(s: State, action: int) -> Refusal | None:
    if s.chosen >= Action.BOAT:
        return _course(s, s.boat[s.chosen - Action.BOAT], action)
    explorer = s.chosen - Action.EXPLORER
    here = space_of(s, explorer)
    if Action.ISLAND <= action < Action.EXPLORER:
        is_exit = SHORE_OF[here] == action - Action.ISLAND
        return first_of((is_exit, "IS-M7", "wet_move_spent"), (True, "IS-M8", "not_an_exit"))
    if Action.BOAT <= action < Action.CREATURE:
        return _boarding(s, explorer, here, action - Action.BOAT)
    if action not in _SPACES:
        return None
    if s.place[explorer] >= ABOARD:
        return _leap(s, explorer, here, action)
    if not is_sea(s, here):
        return Refusal("IS-M1", "refuse.not_adjacent")
    near = is_sea(s, action) and action in BOARD.neighbours[here]
    return _spent(s, explorer) if near else _swim(s, action)


def _leap(s: State, explorer: int, here: int, action: int) -> Refusal:
    """Out of a boat into the water."""
    if action == here:
        return _spent(s, explorer)
    on_land = not is_sea(s, action)
    return first_of((on_land, "IS-M9", "no_way_back"), (True, "IS-M5", "overboard_only"))


def _spent(s: State, explorer: int) -> Refusal:
    wet = not may_leave_water(s, explorer)
    return first_of((wet, "IS-M7", "wet_move_spent"), (True, "IS-M12", "sea_step_spent"))


def _boarding(s: State, explorer: int, here: int, boat: int) -> Refusal:
    swims = s.place[explorer] < SPACES and is_sea(s, here)
    adjacent = s.boat[boat] in BOARD.neighbours[here]
    return first_of(
        (s.boat[boat] >= SPACES, "IS-K11", "no_such_boat"),
        (swims and boat_in(s, here) != boat, "IS-M7", "board_own_space"),
        (not swims and not adjacent, "IS-M2", "board_adjacent"),
        (not can_board(s, boat), "IS-M2", "boat_full"),
        (True, "IS-M7", "wet_move_spent"),
    )


def _swim(s: State, action: int) -> Refusal:
    on_land = not is_sea(s, action)
    return first_of((on_land, "IS-M9", "no_way_back"), (True, "IS-M6", "swim_adjacent"))


def _course(s: State, here: int, action: int) -> Refusal | None:
    if action not in _SPACES:
        return None
    return first_of(
        (action not in BOARD.neighbours[here], "IS-B1", "boat_adjacent"),
        (boat_in(s, action) != NO_BOAT, "IS-B2", "boat_there"),
        (True, "IS-B2", "boat_on_land"),
    )


# ---- steps 3 and 4 ------------------------------------------------------------------------------


def _removal(s: State, action: int) -> Refusal:
    tile, due = TILE_OF[action], terrain_due(s)
    return first_of(
        (tile < 0 or s.holder[tile] != ON_BOARD, "IS-T3", "no_tile_there"),
        (s.terrain[tile] != due, "IS-K1", f"due.{box.TERRAINS[due]}"),
        (True, "IS-K2", "touches_no_sea"),
    )


def _creature(s: State, action: int) -> Refusal:
    other = box.KIND_OF[action - Action.CREATURE] != s.die
    kind = f"die.{box.CREATURE_KINDS[s.die]}"
    return first_of((other, "IS-T4", kind), (True, "IS-T4", "no_such_creature"))


def _creature_step(s: State, action: int) -> Refusal | None:
    if action == Action.STOP:
        return Refusal("IS-T8", "refuse.first_step")
    if action not in _SPACES:
        return None
    on_land = not is_sea(s, action)
    return first_of((on_land, "IS-X6", "creature_on_land"), (True, "IS-X6", "creature_adjacent"))


def _answer(s: State, action: int) -> Refusal:
    return Refusal("IS-D3", f"refuse.no_repel.{box.CREATURE_KINDS[s.die]}")


_ASKED: Final = {
    Phase.PLACE_EXPLORER: Asked("IS-S5", "place_explorer", _SPACES, _tile_at_set_up),
    Phase.NAME_VALUE: Asked("IS-S8", "name_value", _VALUES, _value),
    Phase.PLACE_BOAT: Asked("IS-S6", "place_boat", _SPACES, _boat_start),
    Phase.PLAY_TILE: Asked("IS-T1", "play_tile", _SPACES, _tile_of_hand),
    Phase.TILE_PIECE: Asked("IS-T8", "tile_piece", _ALL, _piece_for_tile),
    Phase.TILE_STEP: Asked("IS-T8", "tile_step", _ALL, _tile_step),
    Phase.MOVE: Asked("IS-T2", "move", range(Action.EXPLORER, Action.CREATURE), _piece),
    Phase.MOVE_TO: Asked("IS-T8", "move_to", _ALL, _destination),
    Phase.REMOVE: Asked("IS-T3", "remove", _SPACES, _removal),
    Phase.FILL_BOAT: Asked("IS-K8", "fill_boat"),
    Phase.CREATURE: Asked("IS-T4", "creature", _CREATURES, _creature),
    Phase.CREATURE_STEP: Asked("IS-T8", "creature_step", _ALL, _creature_step),
    Phase.DEFEND: Asked("IS-D3", "defend", range(Action.YES, ACTIONS), _answer),
    Phase.OVER: Asked("IS-E1", "over"),
}
