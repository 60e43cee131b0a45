"""The lessons of each game, from the folder ``lessons`` of its package.

``1-first-dive.txt`` is the first lesson, named ``first-dive``; ``guide.txt`` has the remarks in a
first game.
"""

from __future__ import annotations

import logging
import re
from functools import cache
from importlib.resources import files

from archipel.lessons.lesson import Lesson, Remark
from archipel.lessons.lesson_parser import LessonError, read_guide, read_lesson
from archipel.lessons.lesson_validation import check_lesson
from archipel.rules.all_games import game_named

log = logging.getLogger("archipel.lessons")

_FILE = re.compile(r"[1-9]-([a-z-]+)\.txt")
_GUIDE = "guide.txt"


@cache
def lessons_of(game: str) -> tuple[Lesson, ...]:
    """Return the valid lessons of a game and log the others: a custom board can break some."""
    found = []
    for lesson in read_lessons(game):
        try:
            check_lesson(lesson)
            found.append(lesson)
        except LessonError as error:
            log.warning("skipping a lesson: %s", error)
    return tuple(found)


def read_lessons(game: str) -> list[Lesson]:
    """Parse all lessons of a game in order, without validation; raises `LessonError`."""
    folder = files(game_named(game).package) / "lessons"
    texts = [
        each
        for each in (folder.iterdir() if folder.is_dir() else ())
        if each.name.endswith(".txt") and each.name != _GUIDE
    ]
    lessons = []
    for file in sorted(texts, key=lambda file: file.name):
        matched = _FILE.fullmatch(file.name)
        if matched is None:
            raise LessonError(file.name, 1, "the file of a lesson is named like '1-first-dive.txt'")
        text = file.read_text("utf-8")
        lessons.append(read_lesson(text, matched[1], f"{game}/lessons/{file.name}"))
    return lessons


def lesson_named(game: str, name: str) -> Lesson | None:
    return next((lesson for lesson in lessons_of(game) if lesson.name == name), None)


@cache
def guide_of(game: str) -> tuple[Remark, ...]:
    """Return the remarks of a game's guide; raises `LessonError`."""
    source = files(game_named(game).package) / "lessons" / _GUIDE
    if not source.is_file():
        return ()
    return read_guide(source.read_text("utf-8"), f"{game}/lessons/{_GUIDE}")
