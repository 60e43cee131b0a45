"""Lessons: text files that teach a game step by step, by playing it.

`lesson_parser` parses the text, `lesson_validation` plays it through by the rules and
`lesson_library` finds the lessons of a game, and its guide: the remarks in a player's first game.
See ``docs/writing-lessons.md``.
"""

from archipel.lessons.lesson import Lesson, Remark
from archipel.lessons.lesson_library import guide_of, lesson_named, lessons_of
from archipel.lessons.lesson_parser import LessonError, read_guide, read_lesson
from archipel.lessons.lesson_validation import check_lesson

__all__ = [
    "Lesson",
    "LessonError",
    "Remark",
    "check_lesson",
    "guide_of",
    "lesson_named",
    "lessons_of",
    "read_guide",
    "read_lesson",
]
