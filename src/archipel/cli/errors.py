"""What the user can put right: told in one line, with exit code 2."""

from __future__ import annotations


class UserError(Exception):
    """A mistake in what was asked for: the key of the house sentence that says so."""

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = key
        self.details = details


class InputEnded(Exception):
    """Nobody is left to answer a question."""
