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
from archipel.puzzles.puzzle_validation import check_puzzle, played_on
from archipel.rules.all_games import game_named
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import load_catalogue
from archipel.rules.options import choice_text

log = logging.getLogger("archipel.puzzles")

#: Puzzles have no line numbers: they come from a JSON file.
_LINE = 1


def name_of(number: int) -> str:
    """The name of a puzzle; ``number`` counts from 1."""
    return f"puzzle-{number}"


def as_lesson(game: str, number: int, puzzle: Puzzle) -> Lesson:
    """Convert a puzzle to a lesson.

    The first step is the decision, which refuses every wrong choice with the chance of its best
    turn. A further step for each right choice, in their order, plays the rest of the turn.
    """
    best = puzzle.best
    refusals = [
        parts.LessonRefusal(
            (other.action,),
            _say("wrong", chance=round(100 * other.chance), best=round(100 * best.chance)),
            _LINE,
        )
        for other in puzzle.wrong_choices
    ]
    right = _moves(*(choice.action for choice in puzzle.right_choices))
    decision = parts.LearnerDecision(right, tuple(refusals), _LINE)
    rest = [
        parts.LessonStep(
            _say("solved"), None, _moves(*played_on(game, puzzle, choice)), (), (), (), _LINE
        )
        for choice in puzzle.right_choices
    ]
    return Lesson(
        game=game,
        name=name_of(number),
        title=_say("title", number=number),
        seat=puzzle.seat,
        steps=(
            parts.LessonStep(_asked(game, puzzle), puzzle.position, (), (), (decision,), (), _LINE),
            *rest,
        ),
        remember=(),
        then="",
        file=f"{game}/lessons/puzzles.json",
        edition=hashlib.sha256(msgspec.json.encode(puzzle)).hexdigest()[:16],
        puzzle=True,
    )


def _asked(game: str, puzzle: Puzzle) -> Words:
    """The question, and the options of the position that are not the defaults."""
    definition = game_named(game)
    options = definition.read_options(definition.parse_position(puzzle.position))
    usual = definition.make_options(options.seats)
    asked = dict(_say("asked"))
    for language in LANGUAGES:
        words = definition.catalogue(language)
        for name, value in options:
            if value != usual[name]:
                choice = words.say(f"choice.{name}.{choice_text(value)}")
                option = {"option": words.say(f"option.{name}"), "choice": choice}
                asked[language] += " " + _say("option", **option)[language]
    return asked


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
    """Parse a collection for this game and board; raises `PuzzleError`.

    It may be of an earlier version of the rules: positions state their options, and `check_puzzle`
    checks every puzzle against the rules of today.
    """
    definition = game_named(game)
    try:
        collection = msgspec.json.decode(text, type=Collection)
    except msgspec.DecodeError as error:
        raise PuzzleError(f"not a collection of puzzles: {error}") from None
    if (collection.schema, collection.version) != (SCHEMA, VERSION):
        raise PuzzleError(f"not {SCHEMA} {VERSION}")
    if collection.game != game:
        raise PuzzleError(f"they are for {collection.game}")
    if not 1 <= collection.rules_version <= definition.rules_version:
        raise PuzzleError(f"they are for rules version {collection.rules_version}")
    if collection.board != definition.board:
        raise PuzzleError("they are for another board")
    return collection
