"""Translate action notation to a player's language and back.

Notation is the same in all records and programs, and its words are English.  A catalogue translates
each word (key ``typed.take``).  Prompts show the translations; input is read in either language.
"""

from __future__ import annotations

import unicodedata

from archipel.rules.catalogue import Catalogue

PREFIX = "typed."
_LONGEST_PHRASE = 2  # words, as in "turn back"


def localize(catalogue: Catalogue, notation: str) -> str:
    """Translate an action from notation to the catalogue's language."""
    return _translate(notation, dict(_pairs(catalogue)))


def read_localized(catalogue: Catalogue, text: str) -> str:
    """Translate an action from the catalogue's language to notation; accents are optional."""
    back = {_without_accents(word): notation for notation, word in _pairs(catalogue)}
    return _translate(_without_accents(text), back)


def _pairs(catalogue: Catalogue) -> list[tuple[str, str]]:
    return [
        (key.removeprefix(PREFIX), word)
        for key, word in catalogue.sentences.items()
        if key.startswith(PREFIX)
    ]


def _without_accents(text: str) -> str:
    parts = unicodedata.normalize("NFKD", " ".join(text.casefold().split()))
    return "".join(part for part in parts if not unicodedata.combining(part))


def _translate(text: str, words: dict[str, str]) -> str:
    """Translate phrase by phrase, the longest first; unknown words stay as they are."""
    given = text.split()
    found: list[str] = []
    while given:
        for length in range(min(_LONGEST_PHRASE, len(given)), 0, -1):
            phrase = " ".join(given[:length])
            if phrase in words or length == 1:
                found.append(words.get(phrase, phrase))
                del given[:length]
                break
    return " ".join(found)
