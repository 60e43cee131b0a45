"""Metrics of games match what happened, compiled and interpreted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.kit.core.loading import can_compile, load_backend
from archipel.rules.mauna_kea.state import ExplorerPlace
from archipel.rules.metrics import ROUNDS_BEGUN, SURVIVORS, TURNS, WHOLE_GAME, Metrics

GAMES = ("deep-sea", "atlantis", "the-island", "mauna-kea")


def metrics_of(definition: Definition[Any]) -> Metrics:
    assert definition.metrics is not None
    return definition.metrics


def steps(name: str, seed: int, seats: int, **given: Any) -> Any:
    """Yield the states before and after each action of a random game; None before set-up."""
    definition = game_named(name)
    chance, choices = Stream(stream_key(seed, 0)), Stream(stream_key(seed, 1))
    state = definition.new(definition.make_options(seats, **given), chance)
    yield None, state
    while definition.to_move(state) >= 0:
        before = clone(state)
        legal = definition.legal_actions(state)
        definition.apply(state, legal[choices.draw(len(legal))], chance)
        yield before, state


@pytest.mark.parametrize("name", GAMES)
def test_compiled_metrics_are_the_same(name: str) -> None:
    if not can_compile():
        pytest.skip("Numba is not installed: nothing is compiled")
    definition, metrics = game_named(name), metrics_of(game_named(name))
    rules = definition.metric_rules
    program = definition.program(follow=rules.follow, figure=rules.figure)
    program.check()
    backend = load_backend(program, compiled=True)
    states = backend.states(1)
    counts, lost = backend.numbers(metrics.size), backend.numbers(len(metrics.places))
    expected, expected_lost = [0] * metrics.size, [0] * len(metrics.places)
    seats = definition.seats[-1]
    for _, state in steps(name, 3, seats):
        backend.write(states, 0, state)
        backend.follow(states[0], counts, lost)
        metrics.follow(state, expected, expected_lost)
        assert counts.tolist() == expected
    assert lost.tolist() == expected_lost
    assert sum(expected_lost) > 0, "no piece was lost: the test shows nothing"
    asked = [(WHOLE_GAME, 0)]
    asked += [(seat, which) for seat in range(seats) for which in range(len(metrics.figures))]
    for seat, which in asked:
        assert backend.figure(states[0], counts, seat, which) == metrics.figure(
            state, expected, seat, which
        )


def where_lost(name: str, before: Any, after: Any) -> list[int]:
    """Places, before an action, of the pieces that the action loses."""
    if name == "mauna-kea":
        return [
            cell // 4
            for was, now in zip(before.explorer, after.explorer, strict=True)
            for cell, then in zip(was, now, strict=True)
            if then == ExplorerPlace.LOST != cell
        ]
    found = []
    for place, now in zip(before.place, after.place, strict=True):
        if now == LOST != place:
            found.append(before.boat[place - ABOARD] if place >= ABOARD else place)
    return found


@pytest.mark.parametrize("name", ["atlantis", "the-island", "mauna-kea"])
@pytest.mark.parametrize("seed", range(3))
def test_losses_are_counted_where_they_happen(name: str, seed: int) -> None:
    metrics, seats = metrics_of(game_named(name)), 2 + seed
    counts, lost = [0] * metrics.size, [0] * len(metrics.places)
    expected: Counter[int] = Counter()
    for before, after in steps(name, seed, seats):
        if before is not None:
            expected.update(where_lost(name, before, after))
        metrics.follow(after, counts, lost)
    assert Counter({place: count for place, count in enumerate(lost) if count}) == expected
    index = metrics.figures.index("lost")
    figures = [metrics.figure(after, counts, seat, index) for seat in range(seats)]
    assert sum(figures) == sum(lost)
    assert counts[ROUNDS_BEGUN] == counts[TURNS] // seats + 1
    ending = metrics.endings[metrics.figure(after, counts, WHOLE_GAME, 0)]
    assert game_named(name).ending(after) == f"end.{ending}"
    everybody = {"atlantis": 24 // seats * seats, "the-island": 10 * seats}
    if name == "the-island":
        assert counts[SURVIVORS] + sum(lost) == everybody[name]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("order", ["piled", "taken", "chosen"])
def test_divers_return_or_drown(seed: int, order: str) -> None:
    """Compared with the states: divers who kept treasure, and divers outside."""
    definition, seats = game_named("deep-sea"), 2 + seed % 5
    metrics = metrics_of(definition)
    counts, lost = [0] * metrics.size, [0] * len(metrics.places)
    home: Counter[int] = Counter()
    turns = 0
    for before, after in steps("deep-sea", seed, seats, drop_order=order):
        if before is not None:
            turns += before.phase == 0
            home.update(d for d in range(seats) if before.treasure[d] != after.treasure[d])
        metrics.follow(after, counts, lost)
    found = [[metrics.figure(after, counts, d, which) for which in range(4)] for d in range(seats)]
    returned, drowned, chips, _ = zip(*found, strict=True)
    assert list(returned) == [home[diver] for diver in range(seats)]
    assert sum(drowned) == sum(lost)
    assert list(chips) == [bin(after.treasure[d]).count("1") for d in range(seats)]
    rounds = [sum(pair) for pair in zip(returned, drowned, strict=True)]
    assert rounds == [3] * seats, "every diver returns or drowns in each round"
    assert counts[TURNS] == turns
    assert counts[ROUNDS_BEGUN] == 3
