"""What a quiet guide says in a first game: one remark for each new thing, when it first happens.

::

    game: deep - sea

    when: search.took
    en: ...
    fr: ...

``when`` names what the rules narrate, by the keys of its sentences; ``key name=value`` only where a
detail of it is so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from archipel.lessons.lines import LessonError, Line, Speech, lines_of
from archipel.lessons.text import Words
from archipel.rules.all_games import game_named
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import UnknownGameError


@dataclass(frozen=True)
class Occasion:
    """Something that is narrated: its key, and a detail that it must have, if any."""

    key: str
    name: str = ""
    value: str = ""


@dataclass(frozen=True)
class Remark:
    """What is said once, when one of its occasions comes for the first time."""

    occasions: tuple[Occasion, ...]
    words: Words


def read_guide(text: str, file: str) -> tuple[Remark, ...]:
    """The remarks a text tells; raises `LessonError`, which names file and line."""
    lines = list(lines_of(text, file))
    if not lines or lines[0].word != "game":
        raise LessonError(file, 1, "the first line says which game it is: 'game: ...'")
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
            raise LessonError(file, line.number, f"when: nothing is told as {key!r}")
        name, equals, value = detail.partition("=")
        if detail and not equals:
            raise LessonError(file, line.number, f"when: expected 'name=value', not {detail!r}")
        yield Occasion(key, name, value)
