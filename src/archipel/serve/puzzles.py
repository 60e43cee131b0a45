"""The puzzles of a game as its pages tell of them: what is best, by how much, and why."""

from __future__ import annotations

from functools import cache
from typing import Any

from archipel.puzzles import Puzzle, puzzles_of
from archipel.puzzles.as_lesson import name_of
from archipel.puzzles.checking import position_of
from archipel.puzzles.data import Pair
from archipel.puzzles.reasons import reasons_of
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, UnknownGameError
from archipel.rules.kit import Stream, clone, stream_key
from archipel.serve.messages import Change, Puzzles, PuzzleSolution, SolvingChoice
from archipel.serve.problems import Denied


def puzzles_text(game: str) -> Puzzles:
    """Raises `Denied`."""
    try:
        return _told(game_named(game).name)
    except UnknownGameError as error:
        raise Denied(404, "unknown_game", str(error)) from None


@cache
def _told(game: str) -> Puzzles:
    definition = game_named(game)
    return Puzzles(
        [
            _solution(definition, name_of(number), puzzle)
            for number, puzzle in enumerate(puzzles_of(game), 1)
        ]
    )


def _solution(definition: Definition[Any], name: str, puzzle: Puzzle) -> PuzzleSolution:
    state = position_of(definition.name, puzzle)
    best, following = puzzle.choices[:2]
    reasons = reasons_of(puzzle)
    return PuzzleSolution(
        name=name,
        seats=definition.read_options(state).seats,
        best=_choice(definition, state, best.action),
        next=_choice(definition, state, following.action),
        then=_then(definition, state, puzzle),
        same=list(best.same),
        chance=best.chance,
        next_chance=following.chance,
        own=None if reasons.own is None else _change("", puzzle.seat, reasons.own),
        rival=None if reasons.rival is None else _change("", *reasons.rival),
        hope=None
        if reasons.hope is None
        else _change(reasons.hope[0], puzzle.seat, reasons.hope[1]),
        risk=None
        if reasons.risk is None
        else _change(reasons.risk[0], puzzle.seat, reasons.risk[1]),
    )


def _change(name: str, seat: int, pair: Pair) -> Change:
    return Change(name, seat, pair.best, pair.next)


def _then(definition: Definition[Any], state: Any, puzzle: Puzzle) -> list[SolvingChoice]:
    told, world, action = list[SolvingChoice](), clone(state), puzzle.best
    for text in puzzle.then:
        # Nothing is drawn before a `then`.
        definition.apply(world, definition.parse_action(world, action), Stream(stream_key(0, 0)))
        told.append(_choice(definition, world, text))
        action = text
    return told


def _choice(definition: Definition[Any], state: Any, text: str) -> SolvingChoice:
    action, seat = definition.parse_action(state, text), definition.to_move(state)
    scene = definition.scene(definition.seen(state, seat), seat)
    choice = next(each for each in scene.choices if each.action == action)
    return SolvingChoice(text, choice.key, dict(choice.details), list(choice.targets))
