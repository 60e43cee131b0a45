"""Lessons: a game taught by playing it, step by step, from a text file beside its booklet.

`reading` reads the text, `checking` plays it through by the rules, `shelf` keeps what was found
right, `guide` is what is said in a first game.  ``docs/writing-lessons.md`` tells how to write one.
"""

from archipel.lessons.checking import check_lesson
from archipel.lessons.guide import Remark, read_guide
from archipel.lessons.reading import LessonError, read_lesson
from archipel.lessons.shelf import guide_of, lesson_named, lessons_of
from archipel.lessons.text import Lesson

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
