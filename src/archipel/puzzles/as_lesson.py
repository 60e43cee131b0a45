"""A puzzle as a lesson of two steps: the decision, where all but the best is refused with what it
is worth, and the end, where the turn goes on by itself."""

from __future__ import annotations

import hashlib

import msgspec

from archipel.lessons.text import Do, Lesson, Move, No, Step, Words
from archipel.puzzles.data import Puzzle
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import load_catalogue

#: No line of a text: puzzles are read from one file.
_LINE = 1


def name_of(number: int) -> str:
    """Of a game's puzzle, counted from 1."""
    return f"puzzle-{number}"


def as_lesson(game: str, number: int, puzzle: Puzzle) -> Lesson:
    best, *others = puzzle.choices
    decision = Do(
        tuple(Move(action, "", _LINE) for action in (best.action, *best.same)),
        tuple(
            No(
                (other.action, *other.same),
                _say("wrong", chance=_percent(other.chance), best=_percent(best.chance)),
                _LINE,
            )
            for other in others
        ),
        _LINE,
    )
    goes_on = tuple(Move(action, "", _LINE) for action in puzzle.then)
    return Lesson(
        game=game,
        name=name_of(number),
        title=_say("title", number=number),
        seat=puzzle.seat,
        steps=(
            Step(_say("asked"), puzzle.position, (), (), (decision,), (), _LINE),
            Step(_say("solved"), None, goes_on, (), (), (), _LINE),
        ),
        remember=(),
        then="",
        file=f"{game}/lessons/puzzles.json",
        edition=hashlib.sha256(msgspec.json.encode(puzzle)).hexdigest()[:16],
        puzzle=True,
    )


def _percent(chance: float) -> int:
    return round(100 * chance)


def _say(key: str, **details: object) -> Words:
    return {
        language: load_catalogue("archipel.puzzles", language).say(f"puzzle.{key}", **details)
        for language in LANGUAGES
    }
