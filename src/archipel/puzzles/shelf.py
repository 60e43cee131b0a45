"""The puzzles that are shipped with a game, from ``lessons/puzzles.json`` of its package."""

from __future__ import annotations

import logging
from functools import cache
from importlib.resources import files

import msgspec

from archipel.lessons.text import Lesson
from archipel.puzzles.as_lesson import as_lesson, name_of
from archipel.puzzles.checking import check_puzzle
from archipel.puzzles.data import SCHEMA, VERSION, Collection, Puzzle, PuzzleError
from archipel.rules.all_games import game_named

log = logging.getLogger("archipel.puzzles")

FOLDER, FILE = "lessons", "puzzles.json"


@cache
def puzzles_of(game: str) -> tuple[Puzzle, ...]:
    """Those of a game, in their order, all of them borne out by the rules: with another board than
    ours there are none.  What is wrong is told in the log, in one line."""
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
        log.warning("the puzzles of %s are left out: %s", game, error)
        return ()
    return collection.puzzles


@cache
def puzzle_lesson(game: str, name: str) -> Lesson | None:
    """The puzzle of that name, to be run like a lesson."""
    for number, puzzle in enumerate(puzzles_of(game), 1):
        if name_of(number) == name:
            return as_lesson(game, number, puzzle)
    return None


def read_collection(game: str) -> Collection | None:
    """The file of a game as it stands; None where there is none.  Raises `PuzzleError`."""
    source = files(game_named(game).package) / FOLDER / FILE
    return parse_collection(game, source.read_bytes()) if source.is_file() else None


def parse_collection(game: str, text: bytes) -> Collection:
    """Raises `PuzzleError` where it is no collection of this game, rules and board."""
    definition = game_named(game)
    try:
        collection = msgspec.json.decode(text, type=Collection)
    except msgspec.DecodeError as error:
        raise PuzzleError(f"not a collection of puzzles: {error}") from None
    if (collection.schema, collection.version) != (SCHEMA, VERSION):
        raise PuzzleError(f"not {SCHEMA} {VERSION}")
    if collection.game != game:
        raise PuzzleError(f"they are of {collection.game}")
    if collection.rules_version != definition.rules_version:
        raise PuzzleError(f"they are of rules {collection.rules_version}")
    if collection.board != definition.board:
        raise PuzzleError("they are of another board")
    return collection
