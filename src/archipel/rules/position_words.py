"""Reading positions: a row of ``name=value`` words in any order, each taken once."""

from __future__ import annotations

from collections.abc import Mapping

from archipel.rules.contract import NOBODY, NotationError

LONGEST_NUMBER = 6


class PositionWords:
    """The words of a position that have not been read yet."""

    def __init__(self, text: str, example: str = "seats=2") -> None:
        self._words: dict[str, str] = {}
        for word in text.split():
            name, equals, value = word.partition("=")
            if not equals or not value:
                raise NotationError(f"{word!r}: a position is made of words like {example}")
            if name in self._words:
                raise NotationError(f"{name} is given twice")
            self._words[name] = value

    def __contains__(self, name: str) -> bool:
        return name in self._words

    def text(self, name: str, default: str) -> str:
        """The value of a word, or the default where it is not given."""
        return self._words.pop(name, default)

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """A number within bounds; without a default it has to be given."""
        value = self._words.pop(name, None)
        if value is None:
            if default is None:
                raise NotationError(f"{name} is missing: write {name}={low} to {name}={high}")
            return default
        digits = value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER
        if not digits or not low <= int(value) <= high:
            raise NotationError(f"{name}={value}: expected a number from {low} to {high}")
        return int(value)

    def choice(self, name: str, choices: Mapping[str, int], default: str | None = None) -> int:
        """One of some words by its number; the first of them unless another is the default."""
        value = self._words.pop(name, next(iter(choices)) if default is None else default)
        if value not in choices:
            raise NotationError(f"{name}={value}: expected one of {', '.join(choices)}")
        return choices[value]

    def seat(self, name: str, seats: int) -> int:
        """A seat, numbered from 1 in the text; ``-`` is nobody, as it is where nothing is said."""
        if self._words.get(name, "-") == "-":
            self._words.pop(name, None)
            return NOBODY
        return self.number(name, 1, seats) - 1

    def finish(self) -> None:
        """Refuse words that nothing asked for."""
        if self._words:
            raise NotationError(f"{next(iter(self._words))}: a position has no such word")
