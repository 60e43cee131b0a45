"""Fuzz tests of position texts: a text is refused with a specific message, or the game ends.

Accepted positions are played to the end, compiled with bounds checks, and some also interpreted.

``ARCHIPEL_POSITION_TEXTS`` is the number of texts per game in the long run, by default 200,000.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from archipel.rules.all_games import games
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import Stream, clone
from archipel.rules.kit.core.loading import can_compile
from tests.positions.playthrough import Compiled, play_interpreted, read_back
from tests.positions.position_mutations import Corpus

GAMES = list(games())

#: Every n-th accepted position is checked for round trips, or played interpreted.
READ_BACK = 8
INTERPRETED = 120


def fuzz(definition: Definition[Any], corpus: Corpus, texts: int) -> int:
    """Return how many of ``texts`` random texts are accepted."""
    compiled = Compiled(definition)
    accepted = 0
    for number, text in enumerate(corpus.mutants(texts)):
        try:
            state = definition.parse_position(text)
        except NotationError as error:
            if error.why.english in definition.faults:
                raise AssertionError(
                    f"refused by an invariant instead of a specific check: {text}"
                ) from error
            continue
        accepted += 1
        try:
            _check(definition, compiled, state, number, accepted)
        except Exception as error:
            raise AssertionError(f"accepted, but {error!r}: {text}") from error
    return accepted


def _check(
    definition: Definition[Any], compiled: Compiled, state: Any, number: int, accepted: int
) -> None:
    assert definition.parse_position(definition.position_text(state)) == state
    world = clone(state)
    definition.deal_unseen(world, Stream(number))
    wrong, later, last = compiled.play(world, number, number % 97)
    assert not wrong
    if accepted % READ_BACK == 0:
        read_back(definition, later)
        read_back(definition, last)
    if accepted % INTERPRETED == 0:
        play_interpreted(definition, state, number)


@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_accepted_positions_can_be_played_to_the_end(definition: Definition[Any]) -> None:
    assert fuzz(definition, Corpus(definition, games=6, seed=1), 4_000) > 400


@pytest.mark.soak
@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_many_random_texts(definition: Definition[Any]) -> None:
    texts = int(os.environ.get("ARCHIPEL_POSITION_TEXTS", 200_000))
    accepted = fuzz(definition, Corpus(definition, games=60, seed=2), texts)
    print(f"{definition.name}: {accepted:,} of {texts:,} texts accepted, nothing wrong")
    assert accepted > texts // 20
