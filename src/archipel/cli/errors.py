"""What the user can put right: told in one line, with exit code 2."""

from __future__ import annotations

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


class InputEnded(Exception):
    """Nobody is left to answer a question."""
