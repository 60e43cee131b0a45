"""What the user can put right: told in one line, with exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archipel.rules.catalogue import Catalogue
from archipel.rules.sentence import told


class UserError(Exception):
    """A mistake in what was asked for: the key of the house sentence that says so."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = key
        self.details = details

    def tell(self, words: Catalogue) -> str:
        """In the language of the words, and what it quotes with it."""
        details = {name: told(value, words.language) for name, value in self.details.items()}
        return words.say(self.key, **details)


class Stopped(KeyboardInterrupt):
    """The user stopped what can be gone on with: where all that was done is kept."""

    def __init__(self, place: Path) -> None:
        super().__init__()
        self.place = place


@contextmanager
def kept_in(place: Path) -> Iterator[None]:
    """Whoever stops this is told where to find what was done."""
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(place) from None


class InputEnded(Exception):
    """Nobody is left to answer a question."""
