"""Sentence catalogues: per game and language, whole sentences with named parameters, by key."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import ClassVar, Final

LANGUAGES: Final = ("en", "fr")


@dataclass(frozen=True)
class Catalogue:
    """The sentences of one package in one language."""

    language: str
    sentences: Mapping[str, str]

    #: Key of the sentence that the default narration uses.
    PLAYED: ClassVar[str] = "default.played"

    def say(self, key: str, /, **parameters: object) -> str:
        """Return the sentence for a key, with its parameters filled in."""
        return self.sentences[key].format(**parameters)

    def called(self, details: Mapping[str, object]) -> dict[str, object]:
        """Translate the values of details that have a name in the catalogue (``name.nw``)."""
        return {
            name: self.sentences.get(f"name.{value}", value) if isinstance(value, str) else value
            for name, value in details.items()
        }

    def parameters(self, key: str) -> frozenset[str]:
        """Return the names of a sentence's parameters."""
        parsed = string.Formatter().parse(self.sentences[key])
        return frozenset(name for _, name, _, _ in parsed if name is not None)


#: Sentences of plug-ins that do not write their own.
_DEFAULTS: Final = {
    "en": {Catalogue.PLAYED: "{seat} plays {action}."},
    "fr": {Catalogue.PLAYED: "{seat} joue {action}."},
}


@cache
def load_catalogue(package: str, language: str) -> Catalogue:
    """Load ``text/sentences.<language>.json`` of a package."""
    source, found = text_file(package, "sentences.{}.json", language)
    sentences = json.loads(source.read_text("utf-8"))
    defaults = {} if package.partition(".")[0] == "archipel" else _DEFAULTS[found]
    return Catalogue(found, {**defaults, **sentences})


def text_file(package: str, name: str, language: str) -> tuple[Traversable, str]:
    """Find a text of a package in a language, or else in another that it has.

    Returns the file and its language.  A plug-in need not have all languages.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    folder = files(package) / "text"
    for each in (language, *LANGUAGES):
        file = folder / name.format(each)
        if file.is_file():
            return file, each
    return folder / name.format(language), language
