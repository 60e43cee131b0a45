"""The lines of a lesson or of a guide: ``word: value``, comments, and values that go on below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from archipel.lessons.text import Words
from archipel.rules.booklet import LANGUAGES

MOST_CHARACTERS = 60_000
#: More does not fit beside a board on a phone.
LONGEST_TEXT = 330
_LINE = re.compile(r"([a-z]+)(?::\s*(.*))?")


class LessonError(ValueError):
    """A text that cannot be right: file, line, and what would be."""

    def __init__(self, file: str, line: int, why: str) -> None:
        super().__init__(f"{file}, line {line}: {why}")


@dataclass(frozen=True)
class Line:
    number: int
    word: str
    value: str


def lines_of(text: str, file: str) -> Iterator[Line]:
    """What a text says, line by line; what is indented goes on with the line above."""
    if len(text) > MOST_CHARACTERS:
        raise LessonError(file, 1, f"longer than {MOST_CHARACTERS} characters")
    pending: Line | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        if not raw.strip() or raw.startswith("#"):
            continue
        if raw[0].isspace():
            if pending is None:
                raise LessonError(file, number, "an indented line goes on with the one above it")
            joined = f"{pending.value} {raw.strip()}".strip()
            pending = Line(pending.number, pending.word, joined)
            continue
        if pending is not None:
            yield pending
        found = _LINE.fullmatch(raw.rstrip())
        if found is None:
            raise LessonError(file, number, f"expected 'word: value', not {raw[:40]!r}")
        pending = Line(number, found[1], (found[2] or "").strip())
    if pending is not None:
        yield pending


class Speech:
    """Words in every language, gathered line by line."""

    def __init__(self, file: str, line: int, what: str) -> None:
        self._file = file
        self._line = line
        self._what = what
        self._words: dict[str, str] = {}

    def add(self, line: Line) -> None:
        if line.word in self._words:
            raise LessonError(
                self._file, line.number, f"{self._what} is already said in {line.word!r}"
            )
        if not line.value:
            raise LessonError(self._file, line.number, f"nothing is said in {line.word!r}")
        if len(line.value) > LONGEST_TEXT:
            raise LessonError(
                self._file,
                line.number,
                f"{len(line.value)} characters; more than {LONGEST_TEXT} do not fit on a phone",
            )
        self._words[line.word] = well_set(line.value, line.word)

    def words(self) -> Words:
        """All of it; raises `LessonError` where a language is missing."""
        for language in LANGUAGES:
            if language not in self._words:
                raise LessonError(
                    self._file, self._line, f"{self._what} is not said in {language!r}"
                )
        return dict(self._words)


def well_set(text: str, language: str) -> str:
    """A text as it is printed: people type plain apostrophes and spaces."""
    text = text.replace("'", "’")
    if language == "fr":
        text = re.sub(r" +([;!?])", "\u202f\\1", text)
        text = re.sub(r" +:", "\u00a0:", text)
        text = re.sub(r"« *", "«\u00a0", text)
        text = re.sub(r" *»", "\u00a0»", text)
    return text
