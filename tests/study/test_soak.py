"""Soak tests: many random games.

``ARCHIPEL_SOAK_GAMES`` is the number of games of the long run, ten million by default.
"""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import pytest

from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import rule
from archipel.rules.kit.core.loading import can_compile
from archipel.study.soak import all_options, replay, soak

GAMES = list(games())


@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_short_soak(definition: Definition[Any]) -> None:
    usual = 10_000 if definition.name == "deep-sea" else 2_000
    result = soak(definition, usual if can_compile() else 100, seed=1)
    assert result.failure is None
    assert result.games >= 100


@pytest.mark.soak
@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_long_soak(definition: Definition[Any]) -> None:
    usual = 10_000_000 if definition.name == "deep-sea" else 1_000_000
    number = int(os.environ.get("ARCHIPEL_SOAK_GAMES", usual))
    result = soak(definition, number, seed=20_240_601)
    print(result)
    assert result.failure is None


def test_all_options() -> None:
    options = list(all_options(DEEP_SEA))
    assert len(options) == len(set(options))
    assert {each.seats for each in options} == set(range(2, 7))
    # The first player, drawn or one of the seats, and three drop orders, one of them former.
    assert len(options) == sum((1 + seats) * 3 for seats in range(2, 7))


def test_soak_covers_all_options() -> None:
    result = soak(DEEP_SEA, 60, seed=3, compiled=False)
    assert result.games == 60
    assert str(result).endswith("decisions: nothing wrong")


@rule
def air_above_seventeen(s: State) -> int:
    """An invariant that many games break."""
    return 4 if s.air <= 17 else 0


BROKEN = dataclasses.replace(DEEP_SEA, fault=air_above_seventeen)


def test_failure_can_be_replayed() -> None:
    failure = soak(BROKEN, 50, seed=8, compiled=False).failure
    assert failure is not None
    assert failure.reason == "the air is out of range"
    game = replay(BROKEN, failure)
    assert len(game.moves) == failure.decisions
    assert game.state.air <= 17
    game.undo()
    assert game.state.air > 17
    assert f"game {failure.number} of seed 8, after {failure.decisions}" in str(failure)


@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
def test_compiled_failure_is_the_same() -> None:
    interpreted = soak(BROKEN, 50, seed=8, compiled=False)
    assert soak(BROKEN, 50, seed=8, compiled=True, workers=1) == interpreted


def test_endless_game_is_a_failure() -> None:
    failure = soak(DEEP_SEA, 50, compiled=False, most_decisions=10).failure
    assert failure is not None
    assert "did not end" in failure.reason
    assert failure.decisions == 10


@rule
def no_actions(s: State, actions: list[int]) -> int:
    return 0


@rule
def actions_out_of_order(s: State, actions: list[int]) -> int:
    actions[0] = 1
    actions[1] = 0
    return 2


@pytest.mark.parametrize(
    ("legal", "reason"),
    [(no_actions, "no legal action"), (actions_out_of_order, "not in ascending order")],
)
def test_bad_legal_actions_are_failures(legal: Any, reason: str) -> None:
    broken = dataclasses.replace(DEEP_SEA, legal=legal)
    failure = soak(broken, 50, compiled=False).failure
    assert failure is not None
    assert reason in failure.reason
    assert failure.decisions == 0
