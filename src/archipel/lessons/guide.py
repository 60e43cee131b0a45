"""The guide of a first game: one remark for each kind of event, when it first happens.

::

    game: deep - sea

    when: search.took
    en: ...
    fr: ...

``when`` has the keys of narrated events; ``key name=value`` also requires a detail of the event.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from archipel.lessons.lesson import Words
from archipel.lessons.lesson_parser import LessonError, Line, Speech, lines_of
from archipel.rules.all_games import game_named
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import UnknownGameError


@dataclass(frozen=True)
class Occasion:
    """A narrated event: its key, and perhaps a detail that it must have."""

    key: str
    name: str = ""
    value: str = ""


@dataclass(frozen=True)
class Remark:
    """A text shown once, at the first of its occasions."""

    occasions: tuple[Occasion, ...]
    words: Words


def read_guide(text: str, file: str) -> tuple[Remark, ...]:
    """Parse the remarks of a guide; raises `LessonError`."""
    lines = list(lines_of(text, file))
    if not lines or lines[0].word != "game":
        raise LessonError(file, 1, "the first line must be 'game: ...'")
    try:
        known = game_named(lines[0].value).catalogue("en").sentences
    except UnknownGameError as error:
        raise LessonError(file, lines[0].number, str(error)) from None
    remarks: list[tuple[tuple[Occasion, ...], Speech]] = []
    for line in lines[1:]:
        if line.word == "when":
            occasions = tuple(_occasions(line, known, file))
            remarks.append((occasions, Speech(file, line.number, "this remark")))
        elif line.word in LANGUAGES and remarks:
            remarks[-1][1].add(line)
        else:
            raise LessonError(file, line.number, f"expected when, en or fr, not {line.word!r}")
    return tuple(Remark(occasions, said.words()) for occasions, said in remarks)


def _occasions(line: Line, known: Iterable[str], file: str) -> Iterable[Occasion]:
    for part in line.value.split(","):
        key, _, detail = part.strip().partition(" ")
        if key not in known:
            raise LessonError(file, line.number, f"when: no event is called {key!r}")
        name, equals, value = detail.partition("=")
        if detail and not equals:
            raise LessonError(file, line.number, f"when: expected 'name=value', not {detail!r}")
        yield Occasion(key, name, value)
