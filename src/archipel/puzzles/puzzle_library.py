"""The puzzles shipped with a game (``lessons/puzzles.json``), and each puzzle as a lesson."""

from __future__ import annotations

import hashlib
import logging
from functools import cache
from importlib.resources import files

import msgspec

from archipel.lessons.lesson import (
    LearnerDecision,
    Lesson,
    LessonRefusal,
    LessonStep,
    ScriptedMove,
    Words,
)
from archipel.puzzles.puzzle import SCHEMA, VERSION, Collection, Puzzle, PuzzleError
from archipel.puzzles.puzzle_validation import check_puzzle
from archipel.rules.all_games import game_named
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import load_catalogue

#: Puzzles have no line numbers: they come from a JSON file.
_LINE = 1


def name_of(number: int) -> str:
    """The name of a puzzle; ``number`` counts from 1."""
    return f"puzzle-{number}"


def as_lesson(game: str, number: int, puzzle: Puzzle) -> Lesson:
    """Convert a puzzle to a lesson of two steps.

    The first step is the decision, which refuses every choice but the best with its chance. The
    second plays the rest of the turn.
    """
    best, *others = puzzle.choices
    decision = LearnerDecision(
        tuple(ScriptedMove(action, "", _LINE) for action in (best.action, *best.same)),
        tuple(
            LessonRefusal(
                (other.action, *other.same),
                _say("wrong", chance=_percent(other.chance), best=_percent(best.chance)),
                _LINE,
            )
            for other in others
        ),
        _LINE,
    )
    goes_on = tuple(ScriptedMove(action, "", _LINE) for action in puzzle.then)
    return Lesson(
        game=game,
        name=name_of(number),
        title=_say("title", number=number),
        seat=puzzle.seat,
        steps=(
            LessonStep(_say("asked"), puzzle.position, (), (), (decision,), (), _LINE),
            LessonStep(_say("solved"), None, goes_on, (), (), (), _LINE),
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


log = logging.getLogger("archipel.puzzles")

FOLDER, FILE = "lessons", "puzzles.json"


@cache
def puzzles_of(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game in order, or none if one is invalid, which is logged.

    Puzzles are for the standard board: with a custom board there are none.
    """
    try:
        collection = read_collection(game)
        if collection is None:
            return ()
        for number, puzzle in enumerate(collection.puzzles, 1):
            try:
                check_puzzle(game, puzzle)
            except PuzzleError as error:
                raise PuzzleError(f"{name_of(number)}: {error}") from None
    except PuzzleError as error:
        log.warning("skipping the puzzles of %s: %s", game, error)
        return ()
    return collection.puzzles


@cache
def puzzle_lesson(game: str, name: str) -> Lesson | None:
    """Return the puzzle of that name as a lesson, or None."""
    for number, puzzle in enumerate(puzzles_of(game), 1):
        if name_of(number) == name:
            return as_lesson(game, number, puzzle)
    return None


def read_collection(game: str) -> Collection | None:
    """Parse the puzzle file of a game, if it has one; raises `PuzzleError`."""
    source = files(game_named(game).package) / FOLDER / FILE
    return parse_collection(game, source.read_bytes()) if source.is_file() else None


def parse_collection(game: str, text: bytes) -> Collection:
    """Parse a collection for this game, rules version and board; raises `PuzzleError`."""
    definition = game_named(game)
    try:
        collection = msgspec.json.decode(text, type=Collection)
    except msgspec.DecodeError as error:
        raise PuzzleError(f"not a collection of puzzles: {error}") from None
    if (collection.schema, collection.version) != (SCHEMA, VERSION):
        raise PuzzleError(f"not {SCHEMA} {VERSION}")
    if collection.game != game:
        raise PuzzleError(f"they are for {collection.game}")
    if collection.rules_version != definition.rules_version:
        raise PuzzleError(f"they are for rules version {collection.rules_version}")
    if collection.board != definition.board:
        raise PuzzleError("they are for another board")
    return collection
