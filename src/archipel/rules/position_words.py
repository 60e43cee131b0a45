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
    """The position text for words given as keywords. Lists and tuples are separated by commas, a
    mapping is a list of ``name:value``, and an empty value is ``-``."""
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
        """The value of a word, or the default if the word is left out."""
        self.known.append(name)
        return self._words.pop(name, default)

    def parts(self, name: str, default: str = "-") -> list[str]:
        """The parts of a list; ``-`` is an empty one."""
        value = self.text(name, default)
        return [] if value == "-" else value.split(",")

    def number(self, name: str, low: int, high: int, default: int) -> int:
        """A number within bounds."""
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

    def choice(self, name: str, choices: Mapping[str, int], default: str | None = None) -> int:
        """The number of one of some names; by default, of the first of them."""
        value = self.text(name, next(iter(choices)) if default is None else default)
        if value not in choices:
            raise NotationError(
                "{name}={value}: expected one of {choices}",
                name=name,
                value=value,
                choices=", ".join(choices),
            )
        return choices[value]

    def switch(self, name: str, default: str = "off") -> int:
        """1 for on or 0 for off, in any form that options accept."""
        value = written(self.text(name, default).lower())
        if value not in ("on", "off"):
            raise NotationError("{name}={value}: expected on or off", name=name, value=value)
        return int(value == "on")

    def seat(self, name: str, seats: int, default: int = NOBODY) -> int:
        """A seat, numbered from 1 in the text; ``-`` is nobody."""
        if self._words.get(name) == "-":
            self.text(name, "-")
            return NOBODY
        if name not in self._words:
            self.known.append(name)
            return default
        return self.number(name, 1, seats, 1) - 1

    def finish(self) -> None:
        """Refuse words that have not been read: the game has no such words."""
        for word in self._words:
            if near := difflib.get_close_matches(word, self.known, 1):
                raise NotationError(
                    "{word}: a position has no such word; did you mean {near}?",
                    word=word,
                    near=near[0],
                )
            raise NotationError("{word}: a position has no such word", word=word)
