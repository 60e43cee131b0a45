"""The puzzles shipped with a game (``lessons/puzzles.json``), and each puzzle as a lesson."""

from __future__ import annotations

import hashlib
import logging
from functools import cache
from importlib.resources import files

import msgspec

from archipel.lessons import lesson as parts
from archipel.lessons.lesson import Lesson, ScriptedMove, Words
from archipel.puzzles.puzzle import SCHEMA, VERSION, Collection, Puzzle, PuzzleError
from archipel.puzzles.puzzle_validation import check_puzzle
from archipel.rules.all_games import game_named
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import load_catalogue

log = logging.getLogger("archipel.puzzles")

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
    refusals = [
        parts.LessonRefusal(
            (other.action, *other.same),
            _say("wrong", chance=round(100 * other.chance), best=round(100 * best.chance)),
            _LINE,
        )
        for other in others
    ]
    decision = parts.LearnerDecision(_moves(best.action, *best.same), tuple(refusals), _LINE)
    return Lesson(
        game=game,
        name=name_of(number),
        title=_say("title", number=number),
        seat=puzzle.seat,
        steps=(
            parts.LessonStep(_say("asked"), puzzle.position, (), (), (decision,), (), _LINE),
            parts.LessonStep(_say("solved"), None, _moves(*puzzle.then), (), (), (), _LINE),
        ),
        remember=(),
        then="",
        file=f"{game}/lessons/puzzles.json",
        edition=hashlib.sha256(msgspec.json.encode(puzzle)).hexdigest()[:16],
        puzzle=True,
    )


def _moves(*actions: str) -> tuple[ScriptedMove, ...]:
    return tuple(ScriptedMove(action, "", _LINE) for action in actions)


def _say(key: str, **details: object) -> Words:
    return {
        language: load_catalogue("archipel.puzzles", language).say(f"puzzle.{key}", **details)
        for language in LANGUAGES
    }


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
    source = files(game_named(game).package) / "lessons" / "puzzles.json"
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
