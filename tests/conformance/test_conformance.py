"""The conformance suite, for every installed game."""

from __future__ import annotations

from typing import Any

import pytest

from archipel.rules.all_games import HOUSE_GAMES, games
from archipel.rules.contract import Definition
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit.numba.compiler import RELEASE
from archipel.rules.small_position import SmallPosition
from archipel.testing import GameConformance
from archipel.testing.conformance import CALLABLE_PARTS
from archipel.testing.lockstep import play_in_lockstep
from tests.conformance.small_positions import SMALL_POSITIONS

every_game = pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))


@every_game
class TestEveryGame(GameConformance):
    def small_position(self, definition: Definition[Any]) -> SmallPosition:
        if definition.name in SMALL_POSITIONS:
            return SMALL_POSITIONS[definition.name]
        return super().small_position(definition)


@pytest.mark.parametrize("definition", HOUSE_GAMES, ids=lambda game: str(game.name))
def test_built_in_games_have_all_shortcuts(definition: Definition[Any]) -> None:
    assert definition.sees is not None
    assert definition.scene_beside is not None


def test_the_contract_has_callable_parts() -> None:
    assert len(CALLABLE_PARTS) > 20


def test_interpreted_and_release_code_agree() -> None:
    play_in_lockstep(DEEP_SEA, RELEASE)


@pytest.mark.soak
@every_game
def test_interpreted_and_release_code_agree_in_every_game(definition: Definition[Any]) -> None:
    play_in_lockstep(definition, RELEASE, games=30)
