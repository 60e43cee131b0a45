"""A puzzle held against the rules."""

from __future__ import annotations

from typing import Any

from archipel.lessons.script import dealt_position
from archipel.puzzles.data import Puzzle, PuzzleError
from archipel.puzzles.twins import choices_apart
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import clone

#: By how much the best choice wins more often than each other, at least, and of how many standard
#: errors that is.
LEAST_GAP = 0.2
ERRORS = 3


def check_puzzle(game: str, puzzle: Puzzle) -> None:
    """Raises `PuzzleError` where the rules, or its own figures, do not bear it out."""
    definition = game_named(game)
    state = position_of(game, puzzle)
    _check_seat(definition, state, puzzle)
    groups = [
        [_action(definition, state, text) for text in (choice.action, *choice.same)]
        for choice in puzzle.choices
    ]
    if sorted(groups) != choices_apart(definition, state, puzzle.seat):
        raise PuzzleError("its choices are not those that the rules allow")
    if _action(definition, state, puzzle.greedy) not in definition.legal_actions(state):
        raise PuzzleError(f"greedy cannot choose {puzzle.greedy!r}")
    _check_figures(puzzle)
    for best in groups[0]:
        _check_then(definition, state, puzzle, best)


def position_of(game: str, puzzle: Puzzle) -> Any:
    """The whole position, what the seat does not know being dealt, the same every time."""
    try:
        return dealt_position(game, puzzle.position)
    except NotationError as error:
        raise PuzzleError(f"position: {error}") from None


def _check_seat(definition: Definition[Any], state: Any, puzzle: Puzzle) -> None:
    if definition.to_move(state) != puzzle.seat:
        raise PuzzleError(f"seat {puzzle.seat + 1} does not decide here")
    for seen in (definition.seen(state, puzzle.seat), definition.recalled(state, puzzle.seat)):
        if definition.position_text(seen) != puzzle.position:
            raise PuzzleError("its position is not what the seat sees, as it is written")
    if len(puzzle.facts.points) != definition.read_options(state).seats:
        raise PuzzleError("its points are not those of every seat")
    if set(puzzle.facts.hopes) != set(definition.hopes):
        raise PuzzleError("its hopes are not those of the game")


def _check_figures(puzzle: Puzzle) -> None:
    best, *others = puzzle.choices
    if not others:
        raise PuzzleError("there is nothing to choose")
    chances = [choice.chance for choice in puzzle.choices]
    if not all(0 <= chance <= 1 for chance in chances):
        raise PuzzleError("a chance lies between 0 and 1")
    if puzzle.gap < max(LEAST_GAP, ERRORS * puzzle.gap_error):
        raise PuzzleError(f"the best is not {LEAST_GAP} ahead of the next, beyond chance")
    if any(best.chance - other.chance < LEAST_GAP for other in others):
        raise PuzzleError("another choice is as good")


def _check_then(definition: Definition[Any], state: Any, puzzle: Puzzle, best: int) -> None:
    world, action = clone(state), best
    for text in puzzle.then:
        try:
            definition.apply(world, action, _NoChance())
        except _ChanceComes:
            raise PuzzleError(f"chance comes before {text!r}") from None
        if definition.to_move(world) != puzzle.seat:
            raise PuzzleError(f"somebody else decides before {text!r}")
        action = _action(definition, world, text)
        if action not in definition.legal_actions(world):
            raise PuzzleError(f"{text!r}: {definition.refuse(world, action)}")


def _action(definition: Definition[Any], state: Any, text: str) -> int:
    try:
        return definition.parse_action(state, text)
    except NotationError as error:
        raise PuzzleError(str(error)) from None


class _ChanceComes(Exception):
    pass


class _NoChance:
    def draw(self, n: int, /) -> int:
        raise _ChanceComes
