"""Sentences about what somebody wrote, kept so that they can be told in the language of the reader.

The English stands in the code, where what is wrong is found out; the other languages are in
``text/refusals.<language>.json`` of the package, by the English sentence.
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
    """What can be told in a language."""

    def tell(self, language: str) -> str: ...


class Sentence:
    """A sentence with named parts, some of which may be sentences or words themselves."""

    def __init__(self, english: str, /, **parts: object) -> None:
        self.english = english
        self.parts = parts

    def tell(self, language: str) -> str:
        text = self.english
        if language != ENGLISH:
            text = translations(language).get(text, text)
        return text.format(
            **{
                name: part.tell(language) if isinstance(part, Told) else part
                for name, part in self.parts.items()
            }
        )

    def __str__(self) -> str:
        return self.tell(ENGLISH)


class ToldError(ValueError):
    """A mistake in what somebody wrote. Its text is English; ``tell`` says it in any language."""

    def __init__(self, why: Sentence | str) -> None:
        super().__init__(str(why))
        self.why = why

    def tell(self, language: str) -> str:
        return self.why.tell(language) if isinstance(self.why, Sentence) else str(self.why)


def told(value: object, language: str) -> object:
    """The value itself, or what it says in a language."""
    return value.tell(language) if isinstance(value, Told) else value


@cache
def translations(language: str) -> Mapping[str, str]:
    """What the sentences are in another language, by their English."""
    source = files("archipel") / "text" / f"refusals.{language}.json"
    found: dict[str, str] = json.loads(source.read_text("utf-8"))
    return found
