"""The sentence catalogues: equal keys and parameters in both languages, no key missing."""

from __future__ import annotations

import re

import pytest

from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.options import choice_text

PACKAGES = ("archipel", "archipel.rules.deep_sea")


@pytest.fixture(params=PACKAGES)
def both(request: pytest.FixtureRequest) -> tuple[Catalogue, Catalogue]:
    return load_catalogue(request.param, "en"), load_catalogue(request.param, "fr")


def test_languages_have_the_same_keys_in_the_same_order(both: tuple[Catalogue, Catalogue]) -> None:
    english, french = both
    assert list(english.sentences) == list(french.sentences)


def test_languages_have_the_same_parameters(both: tuple[Catalogue, Catalogue]) -> None:
    english, french = both
    for key in english.sentences:
        assert english.parameters(key) == french.parameters(key), key


def test_quotes_and_apostrophes_are_typographic(both: tuple[Catalogue, Catalogue]) -> None:
    for words in both:
        for key, sentence in words.sentences.items():
            # Examples that users type keep plain quotes.
            assert key.endswith(".examples") or not re.search("[\"']", sentence), key


def test_every_singular_sentence_has_a_plural(both: tuple[Catalogue, Catalogue]) -> None:
    for words in both:
        for key in words.sentences:
            other = re.sub(r"(\b|_)one\b", r"\1many", key)
            assert other in words.sentences, f"{key} has no {other}"


def test_actions_options_and_phases_have_names() -> None:
    words = DEEP_SEA.catalogue("en")
    s = DEEP_SEA.state(seats=2)
    for action in range(DEEP_SEA.actions):
        assert f"action.{DEEP_SEA.action_text(s, action).replace(' ', '_')}" in words.sentences
    for option in DEEP_SEA.options:
        assert f"option.{option.name}" in words.sentences
        assert f"option.{option.name}.help" in words.sentences
        for choice in option.choices:
            assert f"choice.{option.name}.{choice_text(choice)}" in words.sentences
    for phase in ("throw", "search", "lay", "over"):
        assert f"phase.{phase}.help" in words.sentences
