"""No position that is accepted plays wrong, however its text came about.

Right texts are altered and others made up; most are refused, each in a sentence that says who and
where.  What is accepted is played to its end in machine code that checks every index, some of it
interpreted, too, with everything told and shown on the way; and texts read back.

``ARCHIPEL_POSITION_TEXTS`` says how many texts the long run takes of each game, 200,000 by default.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from archipel.rules.all_games import games
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import Stream, clone
from archipel.rules.kit.core.loading import can_compile
from tests.positions.playing_on import Compiled, play_interpreted, read_back
from tests.positions.texts import Corpus

GAMES = list(games())

#: Of those accepted, one in so many is read back on the way, and one in so many is interpreted.
READ_BACK = 8
INTERPRETED = 120


def fuzz(definition: Definition[Any], corpus: Corpus, texts: int) -> int:
    """How many of so many texts were accepted."""
    compiled = Compiled(definition)
    accepted = 0
    for number, text in enumerate(corpus.made(texts)):
        try:
            state = definition.parse_position(text)
        except NotationError as error:
            if error.why.english in definition.faults:
                raise AssertionError(f"refused without saying who and where: {text}") from error
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


@pytest.mark.skipif(not can_compile(), reason="for machine code that checks every index")
@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_what_is_accepted_plays_to_its_end(definition: Definition[Any]) -> None:
    assert fuzz(definition, Corpus(definition, games=6, seed=1), 4_000) > 400


@pytest.mark.soak
@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_many_texts(definition: Definition[Any]) -> None:
    texts = int(os.environ.get("ARCHIPEL_POSITION_TEXTS", 200_000))
    accepted = fuzz(definition, Corpus(definition, games=60, seed=2), texts)
    print(f"{definition.name}: {accepted:,} of {texts:,} texts accepted, nothing wrong")
    assert accepted > texts // 20
