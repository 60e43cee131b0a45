"""Why an action is not legal: the rule it breaks."""

from __future__ import annotations

from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.animals import is_on_board
from archipel.rules.atlantis.board import BOARD, PIECE_OF, SHORE_OF, SPACES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, TERRAINS
from archipel.rules.atlantis.moving import can_board, is_safe_water
from archipel.rules.atlantis.people import is_saved, swims
from archipel.rules.atlantis.sinking import refuges, terrain_due
from archipel.rules.atlantis.state import (
    DOLPHIN_BIT,
    MONSTER_BIT,
    OCTOPUS_BIT,
    SHARK_BIT,
    Action,
    Phase,
    State,
)
from archipel.rules.contract import Refusal
from archipel.rules.hex_sea.boats import boat_in, is_sea, may_sail, space_of
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.hex_sea.swimmers import has_sea_step

#: What is asked in each phase, and by which rule: the refusal of anything else.
_ASKED = {
    Phase.PLACE: Refusal("AT-S3", "refuse.place"),
    Phase.MOVE: Refusal("AT-T1", "refuse.move"),
    Phase.MOVE_TO: Refusal("AT-T4", "refuse.move_to"),
    Phase.SINK: Refusal("AT-T1", "refuse.sink"),
    Phase.RELOCATE: Refusal("AT-K2", "refuse.relocate"),
    Phase.RELOCATE_TO: Refusal("AT-K2", "refuse.relocate_to"),
    Phase.ANIMAL: Refusal("AT-W1", "refuse.animal"),
    Phase.ANIMAL_STEP: Refusal("AT-T4", "refuse.animal_step"),
    Phase.OVER: Refusal("AT-E1", "refuse.over"),
}


def refusal(s: State, action: int) -> Refusal:
    """For an action that is not legal in a position."""
    reasons = {
        Phase.PLACE: _refused_placing,
        Phase.MOVE: _refused_piece,
        Phase.MOVE_TO: _refused_destination,
        Phase.SINK: _refused_sinking,
        Phase.RELOCATE_TO: _refused_relocation,
        Phase.ANIMAL: _refused_animal,
        Phase.ANIMAL_STEP: _refused_animal_step,
    }
    reason = reasons.get(s.phase)
    found = reason(s, action) if reason is not None else None
    return found or _ASKED[s.phase]


def _is_space(action: int) -> bool:
    return action < Action.ISLAND


def _refused_placing(s: State, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    if PIECE_OF[action] < 0:
        return Refusal("AT-S3", "refuse.not_a_piece")
    if TERRAIN_OF_SPACE[action] == box.PLAIN:
        return Refusal("AT-S3", "refuse.plain_taken")
    return Refusal("AT-S3", "refuse.piece_full")


# ---- step 1 -------------------------------------------------------------------------------------


def _refused_piece(s: State, action: int) -> Refusal | None:
    if Action.PERSON <= action < Action.BOAT:
        return _refused_person(s, action - Action.PERSON)
    if not Action.BOAT <= action < Action.ANIMAL:
        return None
    boat = action - Action.BOAT
    if s.boat[boat] >= SPACES:
        return Refusal("AT-K4", "refuse.no_such_boat")
    if not may_sail(s, boat, s.turn):
        return Refusal("AT-B3", "refuse.not_your_boat")
    return Refusal("AT-B2", "refuse.boat_shut_in")


def _refused_person(s: State, person: int) -> Refusal:
    if box.TRIBE_OF[person] != s.turn:
        return Refusal("AT-M9", "refuse.not_your_person")
    if is_saved(s, person):
        return Refusal("AT-M7", "refuse.saved")
    if s.place[person] >= ABOARD + box.BOATS:
        return Refusal("AT-K4", "refuse.lost")
    if not has_sea_step(s, person):
        return Refusal("AT-M5", "refuse.sea_step_spent")
    if is_sea(s, space_of(s, person)):
        return Refusal("AT-M10", "refuse.shut_in_water")
    return Refusal("AT-M1", "refuse.shut_in_land")


def _refused_destination(s: State, action: int) -> Refusal | None:
    if s.chosen >= Action.BOAT:
        return _refused_course(s, s.boat[s.chosen - Action.BOAT], action)
    person = s.chosen - Action.PERSON
    here = space_of(s, person)
    if Action.ISLAND <= action < Action.RIDE:
        return _refused_landing(here, action - Action.ISLAND)
    if Action.RIDE <= action < Action.PERSON:
        return _refused_ride(s, person)
    if Action.BOAT <= action < Action.ANIMAL:
        return _refused_boarding(s, person, here, action - Action.BOAT)
    if not _is_space(action):
        return None
    if s.place[person] >= ABOARD:
        return _refused_leap(s, person, here, action)
    if is_sea(s, here):
        return _refused_swim(s, person, here, action)
    return _refused_walk(s, here, action)


def _refused_course(s: State, here: int, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    if action not in BOARD.neighbours[here]:
        return Refusal("AT-B1", "refuse.boat_adjacent")
    if not is_sea(s, action):
        return Refusal("AT-B2", "refuse.boat_on_land")
    if boat_in(s, action) != NO_BOAT:
        return Refusal("AT-B2", "refuse.boat_there")
    if s.space[action] & OCTOPUS_BIT:
        return Refusal("AT-B2", "refuse.octopus_there")
    assert s.space[action] & MONSTER_BIT
    return Refusal("AT-B2", "refuse.monster_there")


def _refused_landing(here: int, island: int) -> Refusal:
    if SHORE_OF[here] == island:
        return Refusal("AT-M7", "refuse.swimmers_stay_out")
    return Refusal("AT-C3", "refuse.not_its_landing")


def _refused_ride(s: State, person: int) -> Refusal:
    if not swims(s, person) or s.space[s.place[person]] & DOLPHIN_BIT == 0:
        return Refusal("AT-M8", "refuse.no_dolphin")
    assert s.points < box.RESCUE_POINTS
    return Refusal("AT-M8", "refuse.ride_too_late")


def _refused_boarding(s: State, person: int, here: int, boat: int) -> Refusal:
    if s.boat[boat] >= SPACES:
        return Refusal("AT-K4", "refuse.no_such_boat")
    if swims(s, person):
        if boat_in(s, here) != boat:
            return Refusal("AT-M6", "refuse.board_own_space")
    elif s.boat[boat] not in BOARD.neighbours[here]:
        rule = "AT-M3" if s.place[person] >= ABOARD else "AT-M2"
        return Refusal(rule, "refuse.board_adjacent")
    assert not can_board(s, boat)
    return Refusal("AT-M2", "refuse.boat_full")


def _refused_leap(s: State, person: int, here: int, action: int) -> Refusal:
    """Out of a boat into the water."""
    if not is_sea(s, action):
        return Refusal("AT-M9", "refuse.no_way_back")
    if action != here:
        return Refusal("AT-M4", "refuse.overboard_only")
    return _refused_water(s, person, action)


def _refused_swim(s: State, person: int, here: int, action: int) -> Refusal:
    if not is_sea(s, action):
        return Refusal("AT-M9", "refuse.no_way_back")
    if action not in BOARD.neighbours[here]:
        return Refusal("AT-M5", "refuse.swim_adjacent")
    return _refused_water(s, person, action)


def _refused_water(s: State, person: int, space: int) -> Refusal:
    if not has_sea_step(s, person):
        return Refusal("AT-M5", "refuse.sea_step_spent")
    return _eater(s, space, "AT-M10")


def _eater(s: State, space: int, rule: str) -> Refusal:
    kind = "shark" if s.space[space] & SHARK_BIT else "monster"
    return Refusal(rule, f"refuse.{kind}_in_water")


def _refused_walk(s: State, here: int, action: int) -> Refusal:
    if action not in BOARD.neighbours[here]:
        return Refusal("AT-M4" if is_sea(s, action) else "AT-M1", "refuse.not_adjacent")
    if not is_sea(s, action):
        return Refusal("AT-M1", "refuse.piece_full")
    return _eater(s, action, "AT-M10")


# ---- step 2 -------------------------------------------------------------------------------------


def _refused_sinking(s: State, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    if is_sea(s, action):
        return Refusal("AT-K1", "refuse.no_piece_there")
    return Refusal("AT-K1", f"refuse.due.{TERRAINS[terrain_due(s)]}")


def _refused_relocation(s: State, action: int) -> Refusal | None:
    if not _is_space(action):
        return None
    if action == s.sinking:
        return Refusal("AT-K2", "refuse.sinking_piece")
    if not is_sea(s, action):
        return Refusal("AT-K2", "refuse.piece_full")
    if refuges(s) > 0:
        return Refusal("AT-K2", "refuse.room_left")
    if action in BOARD.neighbours[s.sinking]:
        assert not is_safe_water(s, action)
        return _eater(s, action, "AT-K3")
    return Refusal("AT-K3", "refuse.dive_adjacent")


# ---- step 3 -------------------------------------------------------------------------------------


def _refused_animal(s: State, action: int) -> Refusal | None:
    if not Action.ANIMAL <= action < Action.STOP:
        return None
    animal = action - Action.ANIMAL
    if box.KIND_OF[animal] != s.spun:
        return Refusal("AT-W1", f"refuse.spun.{ANIMAL_KINDS[s.spun]}")
    if not is_on_board(s, animal):
        return Refusal("AT-W1", "refuse.no_such_animal")
    return Refusal("AT-W2", "refuse.animal_shut_in")


def _refused_animal_step(s: State, action: int) -> Refusal | None:
    if action == Action.STOP:
        return Refusal("AT-T4", "refuse.first_step")
    if not _is_space(action):
        return None
    if not is_sea(s, action):
        return Refusal("AT-X4", "refuse.animal_on_land")
    if s.part == box.T:
        return Refusal("AT-W3", "refuse.not_free")
    if action == s.origin:
        return Refusal("AT-W2", "refuse.not_back")
    return Refusal("AT-W2", "refuse.animal_adjacent")
