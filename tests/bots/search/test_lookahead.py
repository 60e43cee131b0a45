"""The lookahead of a search chooses by the evaluation and does not foresee chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from archipel.bots import roster_of
from archipel.bots.search.config import SearchConfig
from archipel.bots.search.search_state import MOST_FEATURES, NONE, SearchState
from archipel.bots.search.seq_halving import STATES, WORLD, SequentialHalving
from archipel.rules.all_games import game_named
from archipel.rules.deep_sea.state import Phase, State
from archipel.rules.kit import Stream, clone, rule
from tests.bots.positions import decisions

DEEP_SEA = game_named("deep-sea")
ROSTER = roster_of("deep-sea")


@rule
def load_of(s: State, seat: int, features: list[float]) -> int:
    """An evaluation that likes treasure in the hand."""
    features[0] = 1.0 * s.load[seat]
    return 1


@rule
def nothing_known(s: State, seat: int, features: list[float]) -> int:
    return 0


def looked_ahead(s: State, evaluate: Callable[[Any, int, list[float]], int], weight: float) -> int:
    search = SequentialHalving(DEEP_SEA.rules, replace(ROSTER.rules, evaluate=evaluate))
    t = SearchState(seats=s.seats, lookahead=3, features=1)
    t.weights[0] = weight
    states: list[Any] = [clone(s) for _ in range(STATES)]
    legal = DEEP_SEA.legal_actions(s)
    actions = legal + [0] * (DEEP_SEA.most_legal - len(legal))
    choices = Stream(7)
    chosen = search.look_ahead(
        states, actions, [0.0] * MOST_FEATURES, t, s.to_move, len(legal), choices
    )
    assert states[WORLD] == s, "a lookahead must not change the world"
    assert choices.key == 7, "the policies' random stream goes on"
    return chosen


def test_chooses_the_action_with_the_best_evaluation() -> None:
    searched = 0
    for s, legal in islice(decisions(DEEP_SEA, 3), 400):
        if s.phase == Phase.SEARCH and s.air > 0 and 4 in legal:
            searched += 1
            assert looked_ahead(s, load_of, 1.0) == 4, "take"
            assert looked_ahead(s, load_of, -1.0) == 3, "nothing"
    assert searched > 20


def test_without_an_evaluation_the_policy_chooses() -> None:
    s, _ = next(decisions(DEEP_SEA, 3))
    assert looked_ahead(s, nothing_known, 1.0) == NONE


def test_a_lookahead_needs_an_evaluation() -> None:
    with pytest.raises(ValueError, match="a lookahead needs an evaluation"):
        SearchConfig(10, lookahead=2)
