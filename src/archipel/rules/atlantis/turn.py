"""The turn (chapter The turn): legal actions, applying them, and the automatic steps."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis import moving, sinking, spinner
from archipel.rules.atlantis.animals import step_animal
from archipel.rules.atlantis.components import MOVEMENT_POINTS
from archipel.rules.atlantis.end import end_game, somebody_is_done
from archipel.rules.atlantis.sea import SEA, any_piece_left, next_seat
from archipel.rules.atlantis.setup import legal_places, place_person
from archipel.rules.atlantis.state import MOST_LEGAL, NOTHING, UNKNOWN, Action, Ending, Phase, State
from archipel.rules.hex_sea.turn import Turn
from archipel.rules.kit import Chance, rule

count_idle_turn = SEA.count_idle_turn  # AT-E3
is_stalemate = SEA.is_stalemate  # AT-E3: twelve turns per player


@rule
def legal(s: State, actions: list[int]) -> int:
    """Fill in the legal actions in ascending order, and return their number."""
    match s.phase:
        case Phase.MOVE:
            return moving.legal_pieces(s, actions)
        case Phase.MOVE_TO:
            return moving.legal_destinations(s, actions)
        case Phase.SINK:
            return sinking.legal_sinkings(s, actions)
        case Phase.ANIMAL:
            return spinner.legal_animals(s, actions)
        case Phase.ANIMAL_STEP:
            return spinner.legal_animal_steps(s, actions)
        case Phase.RELOCATE:
            return sinking.legal_people_to_relocate(s, actions)
        case Phase.RELOCATE_TO:
            return sinking.legal_relocations(s, actions)
        case Phase.PLACE:
            return legal_places(s, actions)
    return 0


def legal_actions(s: State) -> list[int]:
    actions = [0] * MOST_LEGAL
    return actions[: legal(s, actions)]


@rule
def begin_turn(s: State) -> None:
    """AT-T1: three points; AT-E3: a turn with no piece left is counted until something happens."""
    count_idle_turn(s)
    s.points = MOVEMENT_POINTS
    s.phase = Phase.KEEP_MOVING


@rule
def begin_sinking(s: State) -> None:
    """AT-T1: unused points are lost; AT-T2: with no piece left this step is skipped."""
    s.points = 0
    s.sea_stepped = 0
    s.phase = Phase.SINK if any_piece_left(s) else Phase.SPIN


@rule
def end_turn(s: State) -> None:
    """The next player's turn (AT-S5), or a stalemate (AT-E3)."""
    if is_stalemate(s):
        end_game(s, Ending.STALEMATE)
        return
    s.chosen = NOTHING
    s.spun = UNKNOWN
    s.part = 0
    s.steps = 0
    s.origin = NOTHING
    s.turn = next_seat(s, s.turn)
    s.phase = Phase.TURN_BEGINS


class AtlantisTurn(Turn[State]):
    """The steps of a turn."""

    @rule
    def act(self, s: State, action: int) -> None:
        """Apply the action itself."""
        match s.phase:
            case Phase.MOVE:
                moving.choose_piece(s, action)
            case Phase.MOVE_TO:
                moving.move(s, action)
            case Phase.SINK:
                sinking.choose_piece_to_sink(s, action - Action.SPACE)
            case Phase.ANIMAL:
                spinner.choose_animal(s, action)
            case Phase.ANIMAL_STEP:
                step_animal(s, action)
            case Phase.RELOCATE:
                sinking.choose_person_to_relocate(s, action)
            case Phase.RELOCATE_TO:
                sinking.relocate_to(s, action - Action.SPACE)
            case _:
                place_person(s, action - Action.SPACE)

    @rule
    def go_on_once(self, s: State, chance: Chance) -> None:
        if somebody_is_done(s):
            end_game(s, Ending.TRIBE_GONE)  # AT-E1
            return
        match s.phase:
            case Phase.TURN_BEGINS:
                begin_turn(s)
            case Phase.KEEP_MOVING:
                moving.keep_moving(s)
            case Phase.BEGIN_SINKING:
                begin_sinking(s)
            case Phase.RELOCATING:
                sinking.relocate(s)
            case Phase.SHOW_SYMBOL:
                sinking.show_symbol(s)
            case Phase.SPIN:
                spinner.spin(s, chance)
            case Phase.ARRIVED:
                spinner.arrive(s)
            case _:
                end_turn(s)


TURN: Final = AtlantisTurn(SEA)
act = TURN.act
go_on_once = TURN.go_on_once
apply = TURN.apply  # AT-T3: takes all automatic steps
