"""Translatable error messages.

The English text is in the code that finds the error. ``text/refusals.<language>.json`` of the
package has the translations, by the English text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Protocol, runtime_checkable

ENGLISH = "en"


@runtime_checkable
class Told(Protocol):
    """A translatable object."""

    def tell(self, language: str) -> str: ...


class Sentence:
    """A message with named parts, which may be messages; without parts it is not a template."""

    def __init__(self, english: str, /, **parts: object) -> None:
        self.english = english
        self.parts = parts

    def tell(self, language: str) -> str:
        text = self.english
        if language != ENGLISH:
            text = translations(language).get(text, text)
        parts = {name: told(part, language) for name, part in self.parts.items()}
        return text.format(**parts) if parts else text

    def __str__(self) -> str:
        return self.tell(ENGLISH)


class ToldError(ValueError):
    """An error in user input. ``str`` is English; ``tell`` translates it."""

    def __init__(self, why: Sentence | str, /, **parts: object) -> None:
        self.why = Sentence(why, **parts) if isinstance(why, str) else why
        super().__init__(str(self.why))

    def tell(self, language: str) -> str:
        return self.why.tell(language)


def told(value: object, language: str) -> object:
    """Return a value, translated if it can be."""
    return value.tell(language) if isinstance(value, Told) else value


@cache
def translations(language: str) -> Mapping[str, str]:
    """The translations to a language, by the English text."""
    source = files("archipel") / "text" / f"refusals.{language}.json"
    found: dict[str, str] = json.loads(source.read_text("utf-8"))
    return found
