"""Actions as people write them in their own language, and back.

Notation is the same everywhere, in records and between programs, and its words are English. A
catalogue says what each of them is called in its language ("typed.take"); what is shown to be
typed uses those words, and what was typed is read in either.
"""

from __future__ import annotations

import unicodedata

from archipel.rules.catalogue import Catalogue

PREFIX = "typed."
#: Of how many words a phrase of the notation is made at most ("turn back").
_LONGEST = 2


def in_words_of(catalogue: Catalogue, notation: str) -> str:
    """An action in notation, as it is written in the language of a catalogue."""
    return _translate(notation, dict(_pairs(catalogue)))


def in_notation(catalogue: Catalogue, written: str) -> str:
    """What was written in the language of a catalogue, with or without its accents, in notation."""
    back = {_plain(word): notation for notation, word in _pairs(catalogue)}
    return _translate(_plain(written), back)


def _pairs(catalogue: Catalogue) -> list[tuple[str, str]]:
    return [
        (key.removeprefix(PREFIX), word)
        for key, word in catalogue.sentences.items()
        if key.startswith(PREFIX)
    ]


def _plain(text: str) -> str:
    parts = unicodedata.normalize("NFKD", " ".join(text.casefold().split()))
    return "".join(part for part in parts if not unicodedata.combining(part))


def _translate(text: str, words: dict[str, str]) -> str:
    """Phrase by phrase, the longest first; what is no word of the language stays as it is."""
    given = text.split()
    found: list[str] = []
    while given:
        for length in range(min(_LONGEST, len(given)), 0, -1):
            phrase = " ".join(given[:length])
            if phrase in words or length == 1:
                found.append(words.get(phrase, phrase))
                del given[:length]
                break
    return " ".join(found)
