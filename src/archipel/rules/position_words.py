"""Reading positions: a row of ``name=value`` words in any order, each taken once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

from archipel.rules.contract import NOBODY, NotationError
from archipel.rules.options import written
from archipel.rules.sentence import Sentence

LONGEST_NUMBER = 6
LONGEST_TEXT = 20_000

_AROUND = re.compile(r"\s*([=,])\s*")
_NUMBERED = re.compile(r"(.*?)([1-9])")


def as_text(words: Mapping[str, object]) -> str:
    """Words given as keywords, as the text that says the same: lists and tuples are separated by
    commas, a table is a list of ``name:value``, and what there is none of is ``-``."""
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
        Sentence(
            "{name}: {value!r} is not a text, a number, or a list of them", name=name, value=value
        )
    )


class PositionWords:
    """The words of a position that have not been read yet."""

    def __init__(self, text: str, example: str = "seats=2") -> None:
        if len(text) > LONGEST_TEXT:
            raise NotationError(
                Sentence("a position has {most} characters at most", most=LONGEST_TEXT)
            )
        self._words: dict[str, str] = {}
        #: Those that were asked for.
        self.known: list[str] = []
        for word in _AROUND.sub(r"\1", text).split():
            name, equals, value = word.partition("=")
            if not equals or not value:
                raise NotationError(
                    Sentence(
                        "{word!r}: a position is made of words like {example}",
                        word=word,
                        example=example,
                    )
                )
            if name in self._words:
                raise NotationError(Sentence("{name} is given twice", name=name))
            self._words[name] = value

    def __contains__(self, name: str) -> bool:
        return name in self._words

    def seats(self, low: int, high: int, *stems: str, names: Sequence[str] = ()) -> int:
        """How many play. Where it is not said, as many as the highest seat that has a word of its
        own (``diver3``, or the third of the names), and at least as few as can play."""
        found = low
        for word in self._words:
            numbered = _NUMBERED.fullmatch(word)
            if numbered and numbered[1] in stems:
                found = max(found, int(numbered[2]))
            if word in names:
                found = max(found, names.index(word) + 1)
        return self.number("seats", low, high, min(found, high))

    def text(self, name: str, default: str) -> str:
        """The value of a word, or the default where it is not given."""
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
                Sentence(
                    "{name}={value}: expected a number from {low} to {high}",
                    name=name,
                    value=value,
                    low=low,
                    high=high,
                )
            )
        return int(value)

    def choice(self, name: str, choices: Mapping[str, int], default: str | None = None) -> int:
        """One of some words by its number; the first of them unless another is the default."""
        value = self.text(name, next(iter(choices)) if default is None else default)
        if value not in choices:
            raise NotationError(
                Sentence(
                    "{name}={value}: expected one of {choices}",
                    name=name,
                    value=value,
                    choices=", ".join(choices),
                )
            )
        return choices[value]

    def switch(self, name: str, default: str = "off") -> int:
        """On or off, 1 or 0; in the words that options take, too."""
        value = written(self.text(name, default).lower())
        if value not in ("on", "off"):
            raise NotationError(
                Sentence("{name}={value}: expected on or off", name=name, value=value)
            )
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
        """Refuse words that nothing asked for."""
        for word in self._words:
            raise NotationError(self._unknown(word, self.known))

    @staticmethod
    def _unknown(word: str, known: Iterable[str]) -> Sentence:
        near = difflib.get_close_matches(word, known, 1)
        if near:
            return Sentence(
                "{word}: a position has no such word; did you mean {near}?", word=word, near=near[0]
            )
        return Sentence("{word}: a position has no such word", word=word)
