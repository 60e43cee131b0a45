"""Sentences: one catalogue per game and language, keyed, whole sentences with named parameters."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one game, or of the house, in one language."""

    language: str
    sentences: Mapping[str, str]

    def say(self, key: str, /, **parameters: object) -> str:
        """The sentence for a key, its parameters filled in."""
        return self.sentences[key].format(**parameters)

    def called(self, details: Mapping[str, object]) -> dict[str, object]:
        """Details as people say them: what has a name of its own (``name.nw``) is called by it."""
        return {
            name: self.sentences.get(f"name.{value}", value) if isinstance(value, str) else value
            for name, value in details.items()
        }

    def parameters(self, key: str) -> frozenset[str]:
        """The names a sentence asks for."""
        parsed = string.Formatter().parse(self.sentences[key])
        return frozenset(name for _, name, _, _ in parsed if name is not None)


@cache
def load_catalogue(package: str, language: str) -> Catalogue:
    """The catalogue ``text/sentences.<language>.json`` of a package."""
    source = files(package) / "text" / f"sentences.{language}.json"
    return Catalogue(language, json.loads(source.read_text("utf-8")))
