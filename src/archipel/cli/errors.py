"""Exceptions that end a command, and the exit status of each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from archipel.rules.catalogue import Catalogue
from archipel.rules.sentence import told


class UserError(Exception):
    """A mistake of the user (exit status 2); ``key`` names the sentence that explains it."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = key
        self.details = details

    def tell(self, words: Catalogue) -> str:
        """The message in the language of ``words``."""
        details = {name: told(value, words.language) for name, value in self.details.items()}
        return words.say(self.key, **details)


class CommandFailed(Exception):
    """The command cannot do its work (exit status 1); the argument is the message."""


class Stopped(KeyboardInterrupt):
    """The user interrupted work that can be resumed; the argument names the results so far."""


@contextmanager
def resumable(place: Path) -> Iterator[None]:
    """Turn an interrupt into `Stopped`, which names the place of the results."""
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(place) from None


class InputEnded(Exception):
    """Standard input ended before a question was answered."""
