"""The words of a position text: ``name=value``, in any order, each at most once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from archipel.rules.contract import NOBODY, NotationError
from archipel.rules.options import written

LONGEST_NUMBER = 6
LONGEST_TEXT = 20_000

_AROUND = re.compile(r"\s*([=,])\s*")


def as_text(words: Mapping[str, object]) -> str:
    """Return the position text for words given as keywords.

    Lists and tuples are separated by commas, a mapping is a list of ``name:value``, and an empty
    value is ``-``.
    """
    return " ".join(f"{name}={_value_text(name, value)}" for name, value in words.items())


def _value_text(name: str, value: object) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{key}:{_part_text(name, part)}" for key, part in value.items()) or "-"
    if isinstance(value, list | tuple):
        return ",".join(_part_text(name, part) for part in value) or "-"
    text = _part_text(name, value)
    return text if text.strip() else "-"


def _part_text(name: str, value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, str | int):
        return written(value)
    raise NotationError(
        "{name}: {value!r} is not a text, a number, or a list of them", name=name, value=value
    )


class PositionWords:
    """The words of a position text not read yet. Its methods raise `NotationError`."""

    def __init__(self, text: str, example: str = "seats=2") -> None:
        if len(text) > LONGEST_TEXT:
            raise NotationError("a position has {most} characters at most", most=LONGEST_TEXT)
        self._words: dict[str, str] = {}
        #: The words that a position of the game can have.
        self.known: list[str] = []
        for word in _AROUND.sub(r"\1", text).split():
            name, equals, value = word.partition("=")
            if not equals or not value:
                raise NotationError(
                    "{word!r}: a position is made of words like {example}",
                    word=word,
                    example=example,
                )
            if name in self._words:
                raise NotationError("{name} is given twice", name=name)
            self._words[name] = value

    def __contains__(self, name: str) -> bool:
        return name in self._words

    def text(self, name: str, default: str) -> str:
        """Return the value of a word, or the default if the word is left out."""
        self.known.append(name)
        return self._words.pop(name, default)

    def number(self, name: str, low: int, high: int, default: int) -> int:
        """Return a number within bounds."""
        value = self.text(name, str(default))
        digits = value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER
        if not digits or not low <= int(value) <= high:
            raise NotationError(
                "{name}={value}: expected a number from {low} to {high}",
                name=name,
                value=value,
                low=low,
                high=high,
            )
        return int(value)

    def seat(self, name: str, seats: int, default: int = NOBODY) -> int:
        """Return a seat, numbered from 1 in the text; ``-`` is nobody."""
        if self._words.get(name) == "-":
            self.text(name, "-")
            return NOBODY
        if name not in self._words:
            self.known.append(name)
            return default
        return self.number(name, 1, seats, 1) - 1

    def finish(self) -> None:
        """Raise `NotationError` for words that have not been read: the game has no such words."""
        for word in self._words:
            if near := difflib.get_close_matches(word, self.known, 1):
                raise NotationError(
                    "{word}: a position has no such word; did you mean {near}?",
                    word=word,
                    near=near[0],
                )
            raise NotationError("{word}: a position has no such word", word=word)
