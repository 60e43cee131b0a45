"""The turn (chapter The turn): what may be done, doing it, and going on to the next decision."""

from __future__ import annotations

from archipel.rules.atlantis.animals import step_animal
from archipel.rules.atlantis.components import MOVEMENT_POINTS
from archipel.rules.atlantis.end import end_game, somebody_is_done
from archipel.rules.atlantis.moving import (
    MOVING,
    choose_piece,
    legal_destinations,
    legal_pieces,
    move,
)
from archipel.rules.atlantis.sea import SEA, any_piece_left, next_seat
from archipel.rules.atlantis.setup import legal_places, place_person
from archipel.rules.atlantis.sinking import (
    choose_person_to_relocate,
    choose_piece_to_sink,
    legal_people_to_relocate,
    legal_relocations,
    legal_sinkings,
    relocate,
    relocate_to,
    show_symbol,
)
from archipel.rules.atlantis.spinner import (
    arrive,
    choose_animal,
    legal_animal_steps,
    legal_animals,
    spin,
)
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_STEP,
    ARRIVED,
    BEGIN_SINKING,
    KEEP_MOVING,
    MOVE,
    MOVE_TO,
    NOTHING,
    PLACE,
    RELOCATE,
    RELOCATE_TO,
    RELOCATING,
    SHOW_SYMBOL,
    SINK,
    SPACE,
    SPIN,
    STALEMATE,
    TRIBE_GONE,
    TURN_BEGINS,
    UNKNOWN,
    State,
)
from archipel.rules.hex_sea import turn
from archipel.rules.kit import Chance, rule

keep_moving = MOVING(turn.keep_moving)  # AT-T1, AT-T3
count_idle_turn = SEA(turn.count_idle_turn)  # AT-E3
is_stalemate = SEA(turn.is_stalemate)  # AT-E3: twelve turns per player


@rule
def legal(s: State, actions: list[int]) -> int:
    """Fill in the legal actions in ascending order; how many there are."""
    if s.phase == MOVE:
        return legal_pieces(s, actions)
    if s.phase == MOVE_TO:
        return legal_destinations(s, actions)
    if s.phase == SINK:
        return legal_sinkings(s, actions)
    if s.phase == ANIMAL:
        return legal_animals(s, actions)
    if s.phase == ANIMAL_STEP:
        return legal_animal_steps(s, actions)
    if s.phase == RELOCATE:
        return legal_people_to_relocate(s, actions)
    if s.phase == RELOCATE_TO:
        return legal_relocations(s, actions)
    if s.phase == PLACE:
        return legal_places(s, actions)
    return 0


@rule
def act(s: State, action: int) -> None:
    """What the action itself does."""
    if s.phase == MOVE:
        choose_piece(s, action)
    elif s.phase == MOVE_TO:
        move(s, action)
    elif s.phase == SINK:
        choose_piece_to_sink(s, action - SPACE)
    elif s.phase == ANIMAL:
        choose_animal(s, action)
    elif s.phase == ANIMAL_STEP:
        step_animal(s, action)
    elif s.phase == RELOCATE:
        choose_person_to_relocate(s, action)
    elif s.phase == RELOCATE_TO:
        relocate_to(s, action - SPACE)
    else:
        place_person(s, action - SPACE)


@rule
def go_on_once(s: State, chance: Chance) -> None:
    if somebody_is_done(s):
        end_game(s, TRIBE_GONE)  # AT-E1
    elif s.phase == TURN_BEGINS:
        begin_turn(s)
    elif s.phase == KEEP_MOVING:
        keep_moving(s)
    elif s.phase == BEGIN_SINKING:
        begin_sinking(s)
    elif s.phase == RELOCATING:
        relocate(s)
    elif s.phase == SHOW_SYMBOL:
        show_symbol(s)
    elif s.phase == SPIN:
        spin(s, chance)
    elif s.phase == ARRIVED:
        arrive(s)
    else:
        end_turn(s)


@rule
def begin_turn(s: State) -> None:
    """AT-T1: three points; AT-E3: a turn with no piece left is counted until something happens."""
    count_idle_turn(s)
    s.points = MOVEMENT_POINTS
    s.phase = KEEP_MOVING


@rule
def begin_sinking(s: State) -> None:
    """AT-T1: points that are left are lost; AT-T2: with no piece left this step is skipped."""
    s.points = 0
    s.sea_stepped = 0
    s.phase = SINK if any_piece_left(s) else SPIN


@rule
def end_turn(s: State) -> None:
    """On to the next player (AT-S5), unless nothing has happened for long (AT-E3)."""
    if is_stalemate(s):
        end_game(s, STALEMATE)
        return
    s.chosen = NOTHING
    s.spun = UNKNOWN
    s.part = 0
    s.steps = 0
    s.origin = NOTHING
    s.turn = next_seat(s, s.turn)
    s.phase = TURN_BEGINS


TURN = SEA.and_also(act=act, go_on_once=go_on_once)
apply = TURN(turn.apply)  # AT-T3: goes on through everything that nobody decides
