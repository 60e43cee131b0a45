"""Why an action is not legal: the rule it breaks."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis import components as box
from archipel.rules.atlantis import state
from archipel.rules.atlantis.animals import is_on_board
from archipel.rules.atlantis.board import BOARD, PIECE_OF, SHORE_OF, SPACES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, TERRAINS
from archipel.rules.atlantis.people import is_saved, swims
from archipel.rules.atlantis.sinking import refuges, terrain_due
from archipel.rules.atlantis.state import ACTIONS, Action, Phase, State
from archipel.rules.contract import Refusal
from archipel.rules.hex_sea.boats import boat_in, is_sea, may_sail, space_of
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.hex_sea.refusals import Asked, first_of, refusal_of
from archipel.rules.hex_sea.swimmers import has_sea_step

_ALL: Final = range(ACTIONS)
_SPACES: Final = range(Action.ISLAND)


def refusal(s: State, action: int) -> Refusal:
    """The reason why an action is not legal in a position."""
    return refusal_of(_ASKED[s.phase], s, action)


def _placing(s: State, action: int) -> Refusal:
    return first_of(
        (PIECE_OF[action] < 0, "AT-S3", "not_a_piece"),
        (TERRAIN_OF_SPACE[action] == box.PLAIN, "AT-S3", "plain_taken"),
        (True, "AT-S3", "piece_full"),
    )


# ---- step 1 -------------------------------------------------------------------------------------


def _piece(s: State, action: int) -> Refusal:
    if action < Action.BOAT:
        return _person(s, action - Action.PERSON)
    boat = action - Action.BOAT
    return first_of(
        (s.boat[boat] >= SPACES, "AT-K4", "no_such_boat"),
        (not may_sail(s, boat, s.turn), "AT-B3", "not_your_boat"),
        (True, "AT-B2", "boat_shut_in"),
    )


def _person(s: State, person: int) -> Refusal:
    on_board = s.place[person] < ABOARD + box.BOATS and not is_saved(s, person)
    return first_of(
        (box.TRIBE_OF[person] != s.turn, "AT-M9", "not_your_person"),
        (is_saved(s, person), "AT-M7", "saved"),
        (not on_board, "AT-K4", "lost"),
        (not has_sea_step(s, person), "AT-M5", "sea_step_spent"),
        (on_board and is_sea(s, space_of(s, person)), "AT-M10", "shut_in_water"),
        (True, "AT-M1", "shut_in_land"),
    )


def _destination(s: State, action: int) -> Refusal | None:
    if s.chosen >= Action.BOAT:
        return _course(s, s.boat[s.chosen - Action.BOAT], action) if action in _SPACES else None
    person = s.chosen - Action.PERSON
    here = space_of(s, person)
    if Action.ISLAND <= action < Action.RIDE:
        is_landing = SHORE_OF[here] == action - Action.ISLAND
        stay_out = (is_landing, "AT-M7", "swimmers_stay_out")
        return first_of(stay_out, (True, "AT-C3", "not_its_landing"))
    if Action.RIDE <= action < Action.PERSON:
        on_dolphin = swims(s, person) and s.space[here] & state.DOLPHIN_BIT != 0
        return first_of((on_dolphin, "AT-M8", "ride_too_late"), (True, "AT-M8", "no_dolphin"))
    if Action.BOAT <= action < Action.ANIMAL:
        return _boarding(s, person, here, action - Action.BOAT)
    if action not in _SPACES:
        return None
    if is_sea(s, here):
        return _into_water(s, person, here, action)
    return _walk(s, here, action)


def _course(s: State, here: int, action: int) -> Refusal:
    return first_of(
        (action not in BOARD.neighbours[here], "AT-B1", "boat_adjacent"),
        (not is_sea(s, action), "AT-B2", "boat_on_land"),
        (boat_in(s, action) != NO_BOAT, "AT-B2", "boat_there"),
        (s.space[action] & state.OCTOPUS_BIT != 0, "AT-B2", "octopus_there"),
        (s.space[action] & state.MONSTER_BIT != 0, "AT-B2", "monster_there"),
    )


def _boarding(s: State, person: int, here: int, boat: int) -> Refusal:
    swimming, aboard = swims(s, person), s.place[person] >= ABOARD
    far = s.boat[boat] not in BOARD.neighbours[here]
    return first_of(
        (s.boat[boat] >= SPACES, "AT-K4", "no_such_boat"),
        (swimming and boat_in(s, here) != boat, "AT-M6", "board_own_space"),
        (not swimming and far, "AT-M3" if aboard else "AT-M2", "board_adjacent"),
        (True, "AT-M2", "boat_full"),
    )


def _into_water(s: State, person: int, here: int, action: int) -> Refusal:
    """A move from a boat into the water, or from water to water."""
    aboard = s.place[person] >= ABOARD
    return first_of(
        (not is_sea(s, action), "AT-M9", "no_way_back"),
        (aboard and action != here, "AT-M4", "overboard_only"),
        (not aboard and action not in BOARD.neighbours[here], "AT-M5", "swim_adjacent"),
        (not has_sea_step(s, person), "AT-M5", "sea_step_spent"),
        (True, "AT-M10", _eater(s, action)),
    )


def _eater(s: State, space: int) -> str:
    return f"{'shark' if s.space[space] & state.SHARK_BIT else 'monster'}_in_water"


def _walk(s: State, here: int, action: int) -> Refusal:
    far, into_sea = action not in BOARD.neighbours[here], is_sea(s, action)
    return first_of(
        (far, "AT-M4" if into_sea else "AT-M1", "not_adjacent"),
        (not into_sea, "AT-M1", "piece_full"),
        (True, "AT-M10", _eater(s, action)),
    )


# ---- step 2 -------------------------------------------------------------------------------------


def _sinking(s: State, action: int) -> Refusal:
    due = (True, "AT-K1", f"due.{TERRAINS[terrain_due(s)]}")
    return first_of((is_sea(s, action), "AT-K1", "no_piece_there"), due)


def _relocation(s: State, action: int) -> Refusal:
    return first_of(
        (action == s.sinking, "AT-K2", "sinking_piece"),
        (not is_sea(s, action), "AT-K2", "piece_full"),
        (refuges(s) > 0, "AT-K2", "room_left"),
        (action in BOARD.neighbours[s.sinking], "AT-K3", _eater(s, action)),
        (True, "AT-K3", "dive_adjacent"),
    )


# ---- step 3 -------------------------------------------------------------------------------------


def _animal(s: State, action: int) -> Refusal:
    animal = action - Action.ANIMAL
    return first_of(
        (box.KIND_OF[animal] != s.spun, "AT-W1", f"spun.{ANIMAL_KINDS[s.spun]}"),
        (not is_on_board(s, animal), "AT-W1", "no_such_animal"),
        (True, "AT-W2", "animal_shut_in"),
    )


def _animal_step(s: State, action: int) -> Refusal | None:
    if action == Action.STOP:
        return Refusal("AT-T4", "refuse.first_step")
    if action not in _SPACES:
        return None
    return first_of(
        (not is_sea(s, action), "AT-X4", "animal_on_land"),
        (s.part == box.T, "AT-W3", "not_free"),
        (action == s.origin, "AT-W2", "not_back"),
        (True, "AT-W2", "animal_adjacent"),
    )


_ASKED: Final = {
    Phase.PLACE: Asked("AT-S3", "place", _SPACES, _placing),
    Phase.MOVE: Asked("AT-T1", "move", range(Action.PERSON, Action.ANIMAL), _piece),
    Phase.MOVE_TO: Asked("AT-T4", "move_to", _ALL, _destination),
    Phase.SINK: Asked("AT-T1", "sink", _SPACES, _sinking),
    Phase.RELOCATE: Asked("AT-K2", "relocate"),
    Phase.RELOCATE_TO: Asked("AT-K2", "relocate_to", _SPACES, _relocation),
    Phase.ANIMAL: Asked("AT-W1", "animal", range(Action.ANIMAL, Action.STOP), _animal),
    Phase.ANIMAL_STEP: Asked("AT-T4", "animal_step", _ALL, _animal_step),
    Phase.OVER: Asked("AT-E1", "over"),
}
