"""Refusals: a code for programs, a sentence for people, and the rule if a rule forbids it.

The sentence of a code is ``problem.<code>`` in the catalogue of the tables.  The refusal of an
action that the rules of a game forbid has the code ``illegal`` and the sentence of the game.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from archipel.rules.catalogue import load_catalogue

#: The store did not serve a request: it was not asked, wrote nothing for certain, or may have
#: written it (see `TableRefused`).
STORE_TROUBLE = frozenset({"unavailable", "not_stored", "unknown"})


class Problem(Struct, frozen=True):
    """A refusal as it is sent, with its sentence in the language of the caller."""

    code: str
    message: str
    rule: str | None = None


class Refusal(Exception):
    """A refusal before translation: a code, and the parameters of its sentence."""

    def __init__(
        self,
        code: str,
        details: Mapping[str, object] | None = None,
        *,
        rule: str | None = None,
        words: str | None = None,
        english: str | None = None,
    ) -> None:
        """``words`` replaces the sentence of the code, in the language of the caller; ``english``
        replaces it for English callers only."""
        super().__init__(code)
        self.code = code
        self.details = details or {}
        self.rule = rule
        self.words = words
        self.english = english

    def say(self, language: str) -> Problem:
        if self.words is not None:
            return Problem(self.code, self.words, self.rule)
        if self.english is not None and language == "en":
            return Problem(self.code, self.english, self.rule)
        sentences = load_catalogue("archipel.tables", language)
        return Problem(self.code, sentences.say(f"problem.{self.code}", **self.details), self.rule)


def refuse(code: str, **details: object) -> Refusal:
    return Refusal(code, details)


def refuse_if(condition: object, code: str, **details: object) -> None:
    """Raise the refusal if the condition holds."""
    if condition:
        raise Refusal(code, details)


class TableRefused(Exception):
    """Raised by the service when it refuses: nothing was changed.

    With the code ``unknown`` the outcome is not known: a repeat with the same request id finds it.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.problem = problem
