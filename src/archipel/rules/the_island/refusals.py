"""Why an action is not legal: the rule it breaks."""

from __future__ import annotations

from archipel.rules.contract import Refusal
from archipel.rules.hex_sea.boats import boat_in, is_sea, may_sail, space_of
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import BOARD, SHORE_OF, SPACES, TILE_OF
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.moving import can_board, may_leave_water, may_take_sea_step
from archipel.rules.the_island.sinking import terrain_due
from archipel.rules.the_island.state import ON_BOARD, Action, Phase, State, owner

#: What is asked in each phase, and by which rule: the refusal of anything else.
_ASKED = {
    Phase.PLACE_EXPLORER: Refusal("IS-S5", "refuse.place_explorer"),
    Phase.NAME_VALUE: Refusal("IS-S8", "refuse.name_value"),
    Phase.PLACE_BOAT: Refusal("IS-S6", "refuse.place_boat"),
    Phase.PLAY_TILE: Refusal("IS-T1", "refuse.play_tile"),
    Phase.TILE_PIECE: Refusal("IS-T8", "refuse.tile_piece"),
    Phase.TILE_STEP: Refusal("IS-T8", "refuse.tile_step"),
    Phase.MOVE: Refusal("IS-T2", "refuse.move"),
    Phase.MOVE_TO: Refusal("IS-T8", "refuse.move_to"),
    Phase.REMOVE: Refusal("IS-T3", "refuse.remove"),
    Phase.FILL_BOAT: Refusal("IS-K8", "refuse.fill_boat"),
    Phase.CREATURE: Refusal("IS-T4", "refuse.creature"),
    Phase.CREATURE_STEP: Refusal("IS-T8", "refuse.creature_step"),
    Phase.DEFEND: Refusal("IS-D3", "refuse.defend"),
    Phase.OVER: Refusal("IS-E1", "refuse.over"),
}


def refusal(s: State, action: int) -> Refusal:
    """For an action that is not legal in a position."""
    reasons = {
        Phase.PLACE_EXPLORER: _refused_tile_at_set_up,
        Phase.NAME_VALUE: _refused_value,
        Phase.PLACE_BOAT: _refused_boat_start,
        Phase.PLAY_TILE: _refused_tile_of_hand,
        Phase.TILE_PIECE: _refused_piece_for_tile,
        Phase.TILE_STEP: _refused_tile_step,
        Phase.MOVE: _refused_piece,
        Phase.MOVE_TO: _refused_destination,
        Phase.REMOVE: _refused_removal,
        Phase.CREATURE: _refused_creature,
        Phase.CREATURE_STEP: _refused_creature_step,
        Phase.DEFEND: _refused_answer,
    }
    reason = reasons.get(s.phase)
    found = reason(s, action) if reason is not None else None
    return found or _ASKED[s.phase]


def _is_space(action: int) -> bool:
    return action < Action.ISLAND


# ---- set-up -------------------------------------------------------------------------------------


def _refused_tile_at_set_up(s: State, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    if TILE_OF[action] < 0:
        return Refusal("IS-S5", "refuse.not_a_tile")
    return Refusal("IS-V1" if s.crowded else "IS-S5", "refuse.tile_full")


def _refused_value(s: State, action: int) -> Refusal | None:
    if Action.VALUE <= action < Action.STOP:
        return Refusal("IS-V3" if s.all_equal else "IS-C2", "refuse.no_such_value")
    return None


def _refused_boat_start(s: State, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    if is_sea(s, action) and s.space[action] != 0:
        return Refusal("IS-S6", "refuse.boat_start_taken")
    return Refusal("IS-S6", "refuse.boat_start_far")


# ---- tiles of the hand --------------------------------------------------------------------------


def _refused_tile_of_hand(s: State, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    tile = TILE_OF[action]
    if tile < 0 or s.holder[tile] != s.to_move:
        return Refusal("IS-T1", "refuse.not_in_hand")
    if s.back[tile] >= box.FIRST_DEFENCE:
        return Refusal("IS-D4", "refuse.defence_tile")
    return Refusal("IS-H4", f"refuse.no_use.{box.SYMBOLS[s.back[tile]]}")


def _refused_piece_for_tile(s: State, action: int) -> Refusal | None:
    if s.playing == box.DOLPHIN:
        return Refusal("IS-H1", "refuse.dolphin_piece")
    if s.playing == box.WIND:
        return Refusal("IS-H2", "refuse.wind_piece")
    return Refusal("IS-H3", f"refuse.{box.SYMBOLS[s.playing]}_piece")


def _refused_tile_step(s: State, action: int) -> Refusal | None:
    if action == Action.STOP:
        return Refusal("IS-T8", "refuse.first_step")
    if s.chosen >= Action.CREATURE:
        return Refusal("IS-H3", "refuse.not_unoccupied") if _is_space(action) else None
    if s.chosen >= Action.BOAT:
        return _refused_course(s, s.boat[s.chosen - Action.BOAT], action)
    if Action.ISLAND <= action < Action.CREATURE:
        return Refusal("IS-H1", "refuse.dolphin_ends_in_water")
    return _refused_swim(s, s.place[s.chosen - Action.EXPLORER], action)


# ---- step 2 -------------------------------------------------------------------------------------


def _refused_piece(s: State, action: int) -> Refusal | None:
    if Action.EXPLORER <= action < Action.BOAT:
        return _refused_explorer(s, action - Action.EXPLORER)
    if not Action.BOAT <= action < Action.CREATURE:
        return None
    boat = action - Action.BOAT
    if s.boat[boat] >= SPACES:
        return Refusal("IS-K11", "refuse.no_such_boat")
    if not may_sail(s, boat, s.to_move):
        return Refusal("IS-B3", "refuse.not_your_boat")
    return Refusal("IS-B2", "refuse.boat_shut_in")


def _refused_explorer(s: State, explorer: int) -> Refusal:
    if owner(s, explorer) != s.to_move:
        return Refusal("IS-M10", "refuse.not_your_explorer")
    if is_saved(s, explorer):
        return Refusal("IS-M9", "refuse.saved")
    if s.place[explorer] >= ABOARD + box.BOATS:
        return Refusal("IS-M11", "refuse.lost")
    if not may_leave_water(s, explorer):
        return Refusal("IS-M7", "refuse.wet_move_spent")
    if not may_take_sea_step(s, explorer):
        return Refusal("IS-M12", "refuse.sea_step_spent")
    return Refusal("IS-M6", "refuse.shut_in")


def _refused_destination(s: State, action: int) -> Refusal | None:
    if s.chosen >= Action.BOAT:
        return _refused_course(s, s.boat[s.chosen - Action.BOAT], action)
    explorer = s.chosen - Action.EXPLORER
    here = space_of(s, explorer)
    if Action.ISLAND <= action < Action.EXPLORER:
        if SHORE_OF[here] == action - Action.ISLAND:
            return Refusal("IS-M7", "refuse.wet_move_spent")
        return Refusal("IS-M8", "refuse.not_an_exit")
    if Action.BOAT <= action < Action.CREATURE:
        return _refused_boarding(s, explorer, here, action - Action.BOAT)
    if not _is_space(action):
        return None
    if s.place[explorer] >= ABOARD:
        return _refused_leap(s, explorer, here, action)
    if is_sea(s, here):
        if is_sea(s, action) and action in BOARD.neighbours[here]:
            return _spent(s, explorer)
        return _refused_swim(s, here, action)
    return Refusal("IS-M1", "refuse.not_adjacent")


def _refused_leap(s: State, explorer: int, here: int, action: int) -> Refusal:
    """Out of a boat into the water."""
    if action == here:
        return _spent(s, explorer)
    if not is_sea(s, action):
        return Refusal("IS-M9", "refuse.no_way_back")
    return Refusal("IS-M5", "refuse.overboard_only")


def _spent(s: State, explorer: int) -> Refusal:
    if not may_leave_water(s, explorer):
        return Refusal("IS-M7", "refuse.wet_move_spent")
    return Refusal("IS-M12", "refuse.sea_step_spent")


def _refused_boarding(s: State, explorer: int, here: int, boat: int) -> Refusal:
    swims = s.place[explorer] < SPACES and is_sea(s, here)
    if s.boat[boat] >= SPACES:
        return Refusal("IS-K11", "refuse.no_such_boat")
    if swims and boat_in(s, here) != boat:
        return Refusal("IS-M7", "refuse.board_own_space")
    if not swims and s.boat[boat] not in BOARD.neighbours[here]:
        return Refusal("IS-M2", "refuse.board_adjacent")
    if not can_board(s, boat):
        return Refusal("IS-M2", "refuse.boat_full")
    return Refusal("IS-M7", "refuse.wet_move_spent")


def _refused_swim(s: State, here: int, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    if not is_sea(s, action):
        return Refusal("IS-M9", "refuse.no_way_back")
    return Refusal("IS-M6", "refuse.swim_adjacent")


def _refused_course(s: State, here: int, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    if action not in BOARD.neighbours[here]:
        return Refusal("IS-B1", "refuse.boat_adjacent")
    if boat_in(s, action) != NO_BOAT:
        return Refusal("IS-B2", "refuse.boat_there")
    return Refusal("IS-B2", "refuse.boat_on_land")


# ---- steps 3 and 4 ------------------------------------------------------------------------------


def _refused_removal(s: State, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    tile = TILE_OF[action]
    if tile < 0 or s.holder[tile] != ON_BOARD:
        return Refusal("IS-T3", "refuse.no_tile_there")
    if s.terrain[tile] != terrain_due(s):
        return Refusal("IS-K1", f"refuse.due.{box.TERRAINS[terrain_due(s)]}")
    return Refusal("IS-K2", "refuse.touches_no_sea")


def _refused_creature(s: State, action: int) -> Refusal | None:
    if not Action.CREATURE <= action < Action.VALUE:
        return None
    if box.KIND_OF[action - Action.CREATURE] != s.die:
        return Refusal("IS-T4", f"refuse.die.{box.CREATURE_KINDS[s.die]}")
    return Refusal("IS-T4", "refuse.no_such_creature")


def _refused_creature_step(s: State, action: int) -> Refusal | None:
    if action == Action.STOP:
        return Refusal("IS-T8", "refuse.first_step")
    if not _is_space(action):
        return None
    if not is_sea(s, action):
        return Refusal("IS-X6", "refuse.creature_on_land")
    return Refusal("IS-X6", "refuse.creature_adjacent")


def _refused_answer(s: State, action: int) -> Refusal | None:
    if action == Action.STOP + 1:
        return Refusal("IS-D3", f"refuse.no_repel.{box.CREATURE_KINDS[s.die]}")
    return None
