"""Step 3: the spinner, and the animal it lets the player move (chapter Spinner)."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.animals import finds_prey, harm, is_on_board
from archipel.rules.atlantis.board import FIRST_NEAR, NEAR, SPACES
from archipel.rules.atlantis.components import SPUN_KIND, SPUN_PART, T
from archipel.rules.atlantis.sea import SEA, touches_sea
from archipel.rules.atlantis.state import Action, Phase, Purpose, State
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.moving import CreatureMoves
from archipel.rules.kit import Chance, draw_for, rule


@rule
def can_be_moved(s: State, animal: int) -> bool:
    """AT-W2: with sea beside it; AT-W3: with a free sea space anywhere."""
    if not is_on_board(s, animal):
        return False
    if s.part == T:
        for space in range(SPACES):
            if is_unoccupied(s, space):
                return True
        return False
    return touches_sea(s, s.creature[animal])


@rule
def is_unoccupied(s: State, space: int) -> bool:
    """AT-W3: sea with no animal, boat or swimmer."""
    return s.space[space] == 0 and s.crowd[space] == 0


MOVABLE: Final = CreatureMoves(SEA, can_be_moved)
any_can_be_moved = MOVABLE.any_can_be_moved
legal_creatures_of = MOVABLE.legal_creatures_of


@rule
def spin(s: State, chance: Chance) -> None:
    """AT-W1: spin a kind of animal and a number or T; one such animal may move, if any can."""
    result = draw_for(chance, Purpose.SPINNER + s.turn, len(SPUN_KIND))
    s.spun = SPUN_KIND[result]
    s.part = SPUN_PART[result]
    s.phase = Phase.ANIMAL if any_can_be_moved(s, s.spun) else Phase.TURN_ENDS


@rule
def legal_animals(s: State, actions: list[int]) -> int:
    """AT-W1: fill in the animals of the kind spun, and pass."""
    return legal_creatures_of(s, s.spun, actions)


@rule
def choose_animal(s: State, action: int) -> None:
    if action == Action.STOP:
        s.phase = Phase.TURN_ENDS
        return
    s.chosen = action
    s.origin = s.creature[action - Action.ANIMAL]
    s.steps = 1 if s.part == T else s.part
    s.phase = Phase.ANIMAL_STEP


@rule
def legal_animal_steps(s: State, actions: list[int]) -> int:
    """AT-W2: an adjacent sea space, but not its origin; or stop. AT-W3: any free sea space."""
    count = 0
    if s.part == T:
        for space in range(SPACES):
            if is_unoccupied(s, space):
                actions[count] = space
                count += 1
        return count
    here = s.creature[s.chosen - Action.ANIMAL]
    for near in range(FIRST_NEAR[here], FIRST_NEAR[here + 1]):
        if may_step_to(s, NEAR[near]):
            actions[count] = NEAR[near]
            count += 1
    if here != s.origin:
        actions[count] = Action.STOP
        count += 1
    return count


@rule
def may_step_to(s: State, space: int) -> bool:
    return is_sea(s, space) and space != s.origin


@rule
def arrive(s: State) -> None:
    """AT-W2: an animal that harms stops; others go on if they have steps and a place to go."""
    animal = s.chosen - Action.ANIMAL
    s.phase = Phase.TURN_ENDS
    if finds_prey(s, animal):
        harm(s, animal)
    elif s.steps > 0:
        space = s.creature[animal]
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if may_step_to(s, NEAR[near]):
                s.phase = Phase.ANIMAL_STEP
