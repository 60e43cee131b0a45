"""Evaluations: the rules leave the position unchanged, and every feature has a weight."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from archipel.bots import roster_of
from archipel.bots.contract import UnknownEvaluationError, weights_of
from archipel.bots.search.search_state import MOST_FEATURES
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone

every_game = pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))


def positions(definition: Definition[Any]) -> Iterator[Any]:
    """Positions of every kind, with two seats and with the most."""
    roster = roster_of(definition.name)
    greedy = roster.named("greedy").index
    for seats in (2, definition.seats[-1]):
        chance = Stream(seats)
        s = definition.new(definition.make_options(seats), chance)
        while (seat := definition.to_move(s)) >= 0:
            yield s
            legal, view = definition.legal_actions(s), definition.seen(s, seat)
            definition.apply(s, roster.choose(view, greedy, legal, len(legal), chance), chance)


@every_game
def test_features_and_weights_belong_together(definition: Definition[Any]) -> None:
    roster = roster_of(definition.name)
    evaluated = 0
    for s in positions(definition):
        before = clone(s)
        seats = definition.read_options(s).seats
        counts = {roster.evaluate(s, seat, [0.0] * MOST_FEATURES) for seat in range(seats)}
        assert s == before, "an evaluation must not change the position"
        assert len(counts) == 1, "either all seats can be evaluated or none"
        if counts != {0}:
            evaluated += 1
            assert counts == {len(weights_of(definition.name, "evaluation_1", seats))}
    assert evaluated > 3


@every_game
def test_weights_are_better_than_no_weights(definition: Definition[Any]) -> None:
    """The quality on held-out games, as recorded by the fit."""
    folder = files(f"archipel.bots.{definition.name.replace('-', '_')}")
    found = json.loads((folder / "evaluation_1.json").read_text("utf-8"))
    assert sorted(found["weights"]) == sorted(map(str, definition.seats))
    for seats, figures in found["fit"].items():
        assert figures["loss"] < figures["blind"] - 0.1
        assert figures["right"] > 1.3 / int(seats)


def test_unknown_weights() -> None:
    with pytest.raises(UnknownEvaluationError, match="deep-sea: no evaluation_9 for 2 seats"):
        weights_of("deep-sea", "evaluation_9", 2)
    with pytest.raises(UnknownEvaluationError, match="no evaluation_1 for 9 seats"):
        weights_of("deep-sea", "evaluation_1", 9)
    with pytest.raises(UnknownEvaluationError, match=r"deep-sea: there is no net_99\.json"):
        weights_of("deep-sea", "net_99", 2)
