"""Validate a puzzle against the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from archipel.lessons.script import dealt_position
from archipel.puzzles.puzzle import EvaluatedChoice, Puzzle, PuzzleError
from archipel.puzzles.turn_search import MOST_POSITIONS, Key, TurnSearch
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import ChanceError, Stream, Tape, clone

#: Smallest advantage of the best turn over any turn that begins with a wrong choice, in win
#: probability and standard errors.
LEAST_GAP = 0.2
ERRORS = 3
#: Largest advantage of the best turn over those that begin with other right choices.
AS_GOOD = 0.05
#: Largest share of right choices.
MOST_RIGHT = 0.5


def check_puzzle(game: str, puzzle: Puzzle) -> None:
    """Check a puzzle against the rules and its own figures; raises `PuzzleError`."""
    definition = game_named(game)
    state = position_of(game, puzzle)
    _check_seat(definition, state, puzzle)
    legal = [definition.action_text(state, action) for action in definition.legal_actions(state)]
    if sorted(choice.action for choice in puzzle.choices) != sorted(legal):
        raise PuzzleError("its choices are not the legal ones")
    if puzzle.greedy not in legal:
        raise PuzzleError(f"greedy cannot choose {puzzle.greedy!r}")
    _check_figures(puzzle)
    for choice in puzzle.right_choices:
        _check_turn(definition, state, puzzle.seat, choice)


def check_turns(game: str, puzzle: Puzzle, most: int = MOST_POSITIONS) -> None:
    """Search the turn, at most ``most`` positions per wrong choice: none may lead to the end of a
    right choice's turn.

    Raises `PuzzleError`. Compiles the rules, so the server leaves this check to the tests.
    """
    definition, search, seat = game_named(game), TurnSearch(game), puzzle.seat
    state = position_of(game, puzzle)
    goals: set[Key] = set()
    solution: list[str] = []
    for choice in puzzle.right_choices:
        actions = _actions(definition, state, choice)
        goal = search.result(state, actions, seat)
        if goal is None:
            raise PuzzleError(f"{choice.action!r}: its turn does not end")
        goals.add(goal)
        solution += (choice.action, *choice.then)
    refused, starts = list[int](), list[Any]()
    for choice in puzzle.wrong_choices:
        action = _action(definition, state, choice.action)
        first = search.step(state, action, seat)
        if first.goes_on:
            refused.append(action)
            starts.append(first.state)
        elif first.key in goals:
            raise PuzzleError(f"{choice.action!r} is refused, but is equal to the solution")
    # One search from all of them: most of their positions are the same.
    if starts and (way := search.way_to(starts, seat, goals, solution, most)):
        number, actions = way
        action = refused[number]
        raise PuzzleError(
            f"{definition.action_text(state, action)!r} is refused, but leads to the end of the "
            f"solution: {_texts(definition, state, [action, *actions])}"
        )


def position_of(game: str, puzzle: Puzzle) -> Any:
    """Return the full position; unknown parts are always dealt the same way."""
    try:
        return dealt_position(game, puzzle.position)
    except NotationError as error:
        raise PuzzleError(f"position: {error}") from None


def played_on(game: str, puzzle: Puzzle, choice: EvaluatedChoice) -> tuple[str, ...]:
    """The rest of a choice's turn, without a last action that draws chance or shows something."""
    definition, world = game_named(game), position_of(game, puzzle)
    texts = (choice.action, *choice.then)
    for number, text in enumerate(texts):
        before = clone(world)
        try:
            definition.apply(world, _action(definition, world, text), Tape())
        except ChanceError:
            return texts[1:number]
        if definition.reveals(before, world):
            return texts[1:number]
    return texts[1:]


def _check_seat(definition: Definition[Any], state: Any, puzzle: Puzzle) -> None:
    given = definition.parse_position(puzzle.position)
    if definition.to_move(state) != puzzle.seat:
        raise PuzzleError(f"seat {puzzle.seat + 1} is not to move")
    for seen in (definition.seen(state, puzzle.seat), definition.recalled(state, puzzle.seat)):
        if definition.position_text(seen) != definition.position_text(given):
            raise PuzzleError("its position is not the view of the seat")
    if len(puzzle.facts.points) != definition.read_options(state).seats:
        raise PuzzleError("it does not have the points of every seat")
    if set(puzzle.facts.hopes) != set(definition.goals):
        raise PuzzleError("its hopes are not the goals of the game")


def _check_figures(puzzle: Puzzle) -> None:
    if not 1 <= puzzle.right <= MOST_RIGHT * len(puzzle.choices):
        raise PuzzleError("too many choices are right")
    if not all(0 <= share <= 1 for share in (puzzle.glance, *(c.chance for c in puzzle.choices))):
        raise PuzzleError("a chance is not between 0 and 1")
    if puzzle.gap < max(LEAST_GAP, ERRORS * puzzle.gap_error):
        raise PuzzleError(f"the best is not significantly {LEAST_GAP} ahead of the wrong ones")
    best = puzzle.best.chance
    if any(best - other.chance < LEAST_GAP for other in puzzle.wrong_choices):
        raise PuzzleError("a wrong choice is as good")
    if any(abs(best - other.chance) > AS_GOOD for other in puzzle.right_choices):
        raise PuzzleError("a right choice is worse than the best")


def _check_turn(
    definition: Definition[Any], state: Any, seat: int, choice: EvaluatedChoice
) -> None:
    """Check that the rest of the turn can be played as written; only its last action may draw."""
    world, text = clone(state), choice.action
    for following in choice.then:
        try:
            definition.apply(world, _action(definition, world, text), Tape())
        except ChanceError:
            raise PuzzleError(f"chance is drawn before {following!r}") from None
        if definition.to_move(world) != seat:
            raise PuzzleError(f"another seat decides before {following!r}")
        action = _action(definition, world, following)
        if action not in definition.legal_actions(world):
            raise PuzzleError(f"{following!r}: {definition.refuse(world, action)}")
        text = following


def _actions(definition: Definition[Any], state: Any, choice: EvaluatedChoice) -> list[int]:
    """The actions of the turn that a choice begins."""
    world, actions = clone(state), list[int]()
    for text in (choice.action, *choice.then):
        actions.append(_action(definition, world, text))
        definition.apply(world, actions[-1], Stream(1))
    return actions


def _texts(definition: Definition[Any], state: Any, actions: Sequence[int]) -> str:
    world, texts = clone(state), list[str]()
    for action in actions:
        texts.append(definition.action_text(world, action))
        definition.apply(world, action, Stream(1))
    return ", ".join(texts)


def _action(definition: Definition[Any], state: Any, text: str) -> int:
    try:
        return definition.parse_action(state, text)
    except NotationError as error:
        raise PuzzleError(str(error)) from None
