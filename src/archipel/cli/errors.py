"""Mistakes of the user, reported in one line with exit code 2, and interruptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archipel.rules.catalogue import Catalogue
from archipel.rules.sentence import told


class UserError(Exception):
    """A mistake of the user; ``key`` names the sentence that explains it."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = key
        self.details = details

    def tell(self, words: Catalogue) -> str:
        """The message in the language of ``words``."""
        details = {name: told(value, words.language) for name, value in self.details.items()}
        return words.say(self.key, **details)


class Stopped(KeyboardInterrupt):
    """The user interrupted work that can be resumed; ``place`` holds the results so far."""

    def __init__(self, place: Path) -> None:
        super().__init__()
        self.place = place


@contextmanager
def kept_in(place: Path) -> Iterator[None]:
    """Turn an interrupt into `Stopped`, which names the place of the results."""
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(place) from None


class InputEnded(Exception):
    """Standard input ended before a question was answered."""
