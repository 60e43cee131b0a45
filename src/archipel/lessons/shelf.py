"""The lessons of each game, from the folder ``lessons`` of its package: ``1-first-dive.txt`` is the
first, called ``first-dive``; ``guide.txt`` is what is said in a first game."""

from __future__ import annotations

import logging
import re
from functools import cache
from importlib.resources import files

from archipel.lessons.checking import check_lesson
from archipel.lessons.guide import Remark, read_guide
from archipel.lessons.lines import LessonError
from archipel.lessons.reading import read_lesson
from archipel.lessons.text import Lesson
from archipel.rules.all_games import game_named

log = logging.getLogger("archipel.lessons")

_FILE = re.compile(r"[1-9]-([a-z-]+)\.txt")
_GUIDE = "guide.txt"


@cache
def lessons_of(game: str) -> tuple[Lesson, ...]:
    """Those that the rules follow; with another board than ours some may not be.  What is left out
    is told in the log, in one line."""
    found = []
    for lesson in read_shelf(game):
        try:
            check_lesson(lesson)
            found.append(lesson)
        except LessonError as error:
            log.warning("a lesson is left out: %s", error)
    return tuple(found)


def read_shelf(game: str) -> list[Lesson]:
    """All lessons of a game as they stand in their files, in their order, not yet checked; raises
    `LessonError`."""
    lessons = []
    for name, text in sorted(_texts(game).items()):
        matched = _FILE.fullmatch(name)
        if matched is None:
            raise LessonError(name, 1, "a lesson is called like '1-first-dive.txt'")
        lessons.append(read_lesson(text, matched[1], f"{game}/lessons/{name}"))
    return lessons


def lesson_named(game: str, name: str) -> Lesson | None:
    return next((lesson for lesson in lessons_of(game) if lesson.name == name), None)


@cache
def guide_of(game: str) -> tuple[Remark, ...]:
    """What is said in a first game of it; raises `LessonError`."""
    source = files(game_named(game).package) / "lessons" / _GUIDE
    if not source.is_file():
        return ()
    return read_guide(source.read_text("utf-8"), f"{game}/lessons/{_GUIDE}")


def _texts(game: str) -> dict[str, str]:
    folder = files(game_named(game).package) / "lessons"
    if not folder.is_dir():
        return {}
    return {
        each.name: each.read_text("utf-8")
        for each in folder.iterdir()
        if each.name.endswith(".txt") and each.name != _GUIDE
    }
