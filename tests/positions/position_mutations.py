"""Random position texts: mutations of valid ones, and combinations of valid words."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from archipel.game import Game
from archipel.rules.contract import Definition
from archipel.testing.random_games import every_options

_NUMBERS = ("0", "1", "2", "3", "4", "5", "6", "9", "12", "23", "24", "25", "36", "48", "127", "-1")
_ODD = (
    *("", "-", "x", "?", "lost", "home", "out", "on", "off", "²", "--", ",", "a1", "e5", "g6"),
    *("beaches", "mountains", "plains", "hills,mountains", "beaches,forests,mountains"),
)
_CHARACTERS = "abcdefghijklmnop0123456789?:+-,[]<>=.*^@ \n_"


class Corpus:
    """Positions of random games with all options, and their words and parts."""

    def __init__(self, definition: Definition[Any], games: int, seed: int) -> None:
        self.chooser = random.Random(f"{definition.name} {seed}")
        self.texts: list[str] = []
        self.values: dict[str, list[str]] = defaultdict(list)
        self.parts: dict[str, list[str]] = defaultdict(list)
        options = every_options(definition)
        for number in range(games):
            chosen = options[(number * 7919) % len(options)]
            self._play(Game.new(definition.name, chosen.seats, seed=number, **chosen.values))
        for text in self.texts:
            for name, value in words_of(text):
                self.values[name].append(value)
                self.parts[name.rstrip("0123456789")] += value.split(",")
        for pool in (self.values, self.parts):  # without duplicates, so that rare ones are chosen
            for name in pool:
                pool[name] = sorted(set(pool[name]))
        self.names = sorted(self.values)
        self.all_parts = sorted({part for parts in self.parts.values() for part in parts})

    def _play(self, game: Game) -> None:
        """Play a random game and collect about twenty of its positions, and the last."""
        every = self.chooser.randint(10, 60)
        while not game.is_over:
            if len(game.moves) % every == 0:
                self.texts.append(game.position.text)
                self.texts.append(game.view(self.chooser.randrange(game.seats)).text)
            game.play(self.chooser.choice(game.legal))
        self.texts.append(game.position.text)

    # ---- random texts ---------------------------------------------------------------------------

    def mutants(self, count: int) -> Iterator[str]:
        for number in range(count):
            yield self.invented() if number % 4 == 3 else self.altered()

    def altered(self) -> str:
        """Return a valid text with a few words changed, removed, or taken from another text."""
        words = words_of(self.chooser.choice(self.texts))
        for _ in range(self.chooser.choice((1, 1, 1, 2, 2, 3))):
            if not words:
                break
            at = self.chooser.randrange(len(words))
            name, value = words[at]
            match self.chooser.randrange(8):
                case 0:
                    del words[at]
                case 1 | 2:
                    words[at] = name, self.chooser.choice(self.values[name])
                case 3 | 4 | 5:
                    words[at] = name, self._recombined(name, value)
                case 6:
                    words[at] = name, self.chooser.choice((*_NUMBERS, *_ODD))
                case _:
                    other = self.chooser.choice(self.names)
                    words.append((other, self.chooser.choice(self.values[other])))
        text = " ".join(f"{name}={value}" for name, value in words)
        return self._garbled(text) if self.chooser.random() < 0.1 else text

    def invented(self) -> str:
        """Return a few words, most of them valid, in any order."""
        count = self.chooser.randint(0, 9)
        names = self.chooser.sample(self.names, min(count, len(self.names)))
        if self.chooser.random() < 0.9 and "seats" not in names:
            names.insert(0, "seats")
        words = []
        for name in names:
            value = self.chooser.choice(self.values[name])
            if self.chooser.random() < 0.3:
                value = self._recombined(name, value)
            words.append(f"{name}={value}")
        return " ".join(words)

    def _recombined(self, name: str, value: str) -> str:
        """Change a number, or remove, duplicate, swap or replace parts of a list."""
        if value.isascii() and value.isdigit() and self.chooser.random() < 0.7:
            return str(max(0, int(value) + self.chooser.choice((-2, -1, 1, 1, 2, 10))))
        parts = value.split(",")
        known = self.parts[name.rstrip("0123456789")]
        for _ in range(self.chooser.choice((1, 1, 2, 4))):
            at = self.chooser.randrange(len(parts) + 1)
            match self.chooser.randrange(6):
                case 0 if len(parts) > 1:
                    del parts[at - 1]
                case 1:
                    parts.insert(at, self.chooser.choice(known))
                case 2 if parts:
                    other = self.chooser.randrange(len(parts))
                    parts[at - 1], parts[other] = parts[other], parts[at - 1]
                case 3 if parts:
                    parts[at - 1] = self.chooser.choice(self.all_parts)
                case 4:
                    del parts[at:]
                case _ if parts:
                    parts[at - 1] = self.chooser.choice(known)
        return ",".join(parts) or "-"

    def _garbled(self, text: str) -> str:
        at = self.chooser.randrange(len(text) + 1)
        length = self.chooser.randrange(4)
        written = "".join(self.chooser.choices(_CHARACTERS, k=self.chooser.randrange(4)))
        return text[:at] + written + text[at + length :]


def words_of(text: str) -> list[tuple[str, str]]:
    pairs = (word.partition("=") for word in text.split())
    return [(name, value) for name, _, value in pairs]
