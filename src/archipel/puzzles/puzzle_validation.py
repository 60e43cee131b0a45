"""Validate a puzzle against the rules."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from archipel.lessons.script import dealt_position
from archipel.puzzles.puzzle import Puzzle, PuzzleError
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import ChanceError, Tape, clone
from archipel.rules.scene import Choice, Piece, Scene


def equivalent_actions(definition: Definition[Any], state: Any, seat: int) -> list[list[int]]:
    """Group the legal actions of the seat to move into equivalent ones.

    Equivalent actions do the same with identical pieces, such as two people of one tribe in one
    boat.
    """
    scene = definition.scene(definition.recalled(state, seat), seat)
    pieces = {piece.id: piece for piece in scene.pieces}
    groups: dict[Hashable, list[int]] = {}
    for choice in scene.choices:
        groups.setdefault(_look(choice, pieces), []).append(choice.action)
    known = {choice.action for choice in scene.choices}
    alone = [[action] for action in definition.legal_actions(state) if action not in known]
    return sorted([sorted(group) for group in groups.values()] + alone)


def is_choosing(scene: Scene) -> bool:
    """Whether a piece has been chosen and its destination has not."""
    return scene.gauges.get("chosen") is not None


def _look(choice: Choice, pieces: dict[str, Piece]) -> Hashable:
    """The look of the chosen pieces; the number of an action that is not a choice of pieces."""
    if not choice.targets or any(target not in pieces for target in choice.targets):
        return choice.action
    chosen = [pieces[target] for target in choice.targets]
    return choice.key, tuple(
        (piece.kind, piece.cell, piece.seat, tuple(sorted(piece.properties.items(), key=str)))
        for piece in chosen
    )


#: Smallest advantage of the best choice over any other, in win probability and standard errors.
LEAST_GAP = 0.2
ERRORS = 3


def check_puzzle(game: str, puzzle: Puzzle) -> None:
    """Check a puzzle against the rules and its own figures; raises `PuzzleError`."""
    definition = game_named(game)
    state = position_of(game, puzzle)
    _check_seat(definition, state, puzzle)
    groups = [
        [_action(definition, state, text) for text in (choice.action, *choice.same)]
        for choice in puzzle.choices
    ]
    if sorted(groups) != equivalent_actions(definition, state, puzzle.seat):
        raise PuzzleError("its choices are not the legal ones")
    if _action(definition, state, puzzle.greedy) not in definition.legal_actions(state):
        raise PuzzleError(f"greedy cannot choose {puzzle.greedy!r}")
    _check_figures(puzzle)
    for best in groups[0]:
        _check_then(definition, state, puzzle, best)


def position_of(game: str, puzzle: Puzzle) -> Any:
    """Return the full position; unknown parts are always dealt the same way."""
    try:
        return dealt_position(game, puzzle.position)
    except NotationError as error:
        raise PuzzleError(f"position: {error}") from None


def _check_seat(definition: Definition[Any], state: Any, puzzle: Puzzle) -> None:
    if definition.to_move(state) != puzzle.seat:
        raise PuzzleError(f"seat {puzzle.seat + 1} is not to move")
    for seen in (definition.seen(state, puzzle.seat), definition.recalled(state, puzzle.seat)):
        if definition.position_text(seen) != puzzle.position:
            raise PuzzleError("its position is not the view of the seat")
    if len(puzzle.facts.points) != definition.read_options(state).seats:
        raise PuzzleError("it does not have the points of every seat")
    if set(puzzle.facts.hopes) != set(definition.goals):
        raise PuzzleError("its hopes are not the goals of the game")


def _check_figures(puzzle: Puzzle) -> None:
    best, *others = puzzle.choices
    if not others:
        raise PuzzleError("it has only one choice")
    chances = [choice.chance for choice in puzzle.choices]
    if not all(0 <= chance <= 1 for chance in chances):
        raise PuzzleError("a chance is not between 0 and 1")
    if puzzle.gap < max(LEAST_GAP, ERRORS * puzzle.gap_error):
        raise PuzzleError(f"the best is not significantly {LEAST_GAP} ahead of the next")
    if any(best.chance - other.chance < LEAST_GAP for other in others):
        raise PuzzleError("another choice is as good")


def _check_then(definition: Definition[Any], state: Any, puzzle: Puzzle, best: int) -> None:
    world, action = clone(state), best
    for text in puzzle.then:
        try:
            definition.apply(world, action, Tape())
        except ChanceError:
            raise PuzzleError(f"chance is drawn before {text!r}") from None
        if definition.to_move(world) != puzzle.seat:
            raise PuzzleError(f"another seat decides before {text!r}")
        action = _action(definition, world, text)
        if action not in definition.legal_actions(world):
            raise PuzzleError(f"{text!r}: {definition.refuse(world, action)}")


def _action(definition: Definition[Any], state: Any, text: str) -> int:
    try:
        return definition.parse_action(state, text)
    except NotationError as error:
        raise PuzzleError(str(error)) from None
