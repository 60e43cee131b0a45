"""Evaluation nets: files, scores, places, and the inputs that games declare."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from archipel.bots import roster_of
from archipel.bots.deep_sea.net_inputs import DEEP_SEA_INPUTS, net_inputs
from archipel.bots.nets import Net, NetFileError, net_score, place_chances, read_net
from archipel.bots.search.config import SearchConfig, Weights
from archipel.bots.search.search_state import HIDDEN_1, HIDDEN_2, MOST_FEATURES, SearchState
from archipel.rules.all_games import game_named
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import clone
from tests.bots.positions import decisions

DEEP_SEA = game_named("deep-sea")


def as_float32(number: float) -> float:
    return float(round(number * 1024)) / 1024


def random_net(inputs: int, seed: int) -> Net:
    generator = random.Random(seed)
    size = HIDDEN_1 * (2 + inputs) + HIDDEN_2 + HIDDEN_1 * HIDDEN_2 + HIDDEN_2
    weights = tuple(as_float32(generator.gauss(0.0, 0.5)) for _ in range(size))
    return Net(tuple(f"input {k}" for k in range(inputs)), (2, 3), weights)


def score_by_matrices(net: Net, inputs: list[float], seats: int) -> float:
    """The net as a textbook writes it."""
    row, rest = net.seats.index(seats), list(net.weights)
    bias = rest[row * HIDDEN_1 : (row + 1) * HIDDEN_1]
    del rest[: len(net.seats) * HIDDEN_1]
    first = [
        max(0.0, bias[unit] + sum(x * rest[k * HIDDEN_1 + unit] for k, x in enumerate(inputs)))
        for unit in range(HIDDEN_1)
    ]
    del rest[: len(inputs) * HIDDEN_1]
    second = [
        rest[unit]
        + sum(x * rest[HIDDEN_2 + before * HIDDEN_2 + unit] for before, x in enumerate(first))
        for unit in range(HIDDEN_2)
    ]
    return sum(max(0.0, x) * w for x, w in zip(second, rest[-HIDDEN_2:], strict=True))


@pytest.mark.parametrize("seats", [2, 3])
def test_scores_are_those_of_two_layers(seats: int) -> None:
    net, t = random_net(7, seats), SearchState()
    weights = Weights(net.weights_for(seats), 7, is_net=True)
    SearchConfig(1, evaluation="net").write([t], lambda bot: 0, weights)
    assert t.net == 1
    assert t.features == 7
    generator = random.Random(5)
    for _ in range(20):
        inputs = [generator.choice([0.0, generator.gauss(0.0, 1.0)]) for _ in range(7)]
        found = net_score(t, inputs + [9.0] * (MOST_FEATURES - 7), 7)
        assert found == pytest.approx(score_by_matrices(net, inputs, seats))


def test_a_file_gives_back_the_net() -> None:
    net = random_net(5, 1)
    assert read_net(net.to_json(games=12), "here") == net
    assert json.loads(net.to_json(games=12))["games"] == 12


def test_a_changed_file_is_refused() -> None:
    net = random_net(5, 1)
    text = net.to_json().replace("input 3", "input 9")
    with pytest.raises(NetFileError, match=f"here has the hash .*, not {net.hash}"):
        read_net(text, "here")
    with pytest.raises(NetFileError, match="here is no net"):
        read_net("{}", "here")
    with pytest.raises(NetFileError, match="weights instead of"):
        Net(net.inputs, net.seats, net.weights[1:])
    with pytest.raises(NetFileError, match="not finite"):
        Net(net.inputs, net.seats, (math.inf, *net.weights[1:]))
    with pytest.raises(NetFileError, match="not 4"):
        net.weights_for(4)


def test_places_are_a_distribution_for_every_number_of_seats() -> None:
    for seats in range(2, 7):
        scores = [0.4 * seat * seat for seat in range(seats)]
        found = place_chances(scores)
        whole = sum(map(math.exp, scores))
        for seat in range(seats):
            assert sum(found[seat]) == pytest.approx(1.0)
            assert sum(row[seat] for row in found) == pytest.approx(1.0)
            assert found[seat][0] == pytest.approx(math.exp(scores[seat]) / whole)


# ---- inputs -------------------------------------------------------------------------------------


def positions() -> Iterator[State]:
    yield from islice((s for s, _ in decisions(DEEP_SEA, 3)), 0, 2000, 9)


def inputs_of(s: Any, seat: int) -> list[float]:
    features = [0.0] * MOST_FEATURES
    return features[: net_inputs(s, seat, features)]


def with_seats_rotated(s: State) -> State:
    """The position in which seat 1 is called seat 0, and so on."""
    turned = clone(s)
    for name in ("place", "turned", "home", "load", "hand", "treasure", "points"):
        rows = getattr(s, name)
        setattr(turned, name, [*rows[1 : s.seats], rows[0], *rows[s.seats :]])
    turned.to_move = (s.to_move - 1) % s.seats
    return turned


def test_every_input_is_named_and_small() -> None:
    varying = set()
    for s in positions():
        before = clone(s)
        for seat in range(s.seats):
            inputs = inputs_of(s, seat)
            assert len(inputs) == len(DEEP_SEA_INPUTS.names)
            assert all(-1.5 <= each <= 3.0 for each in inputs), dict(
                zip(DEEP_SEA_INPUTS.names, inputs, strict=True)
            )
            varying |= {
                name for name, each in zip(DEEP_SEA_INPUTS.names, inputs, strict=True) if each
            }
        assert s == before
    assert varying == set(DEEP_SEA_INPUTS.names), "an input that is always 0 says nothing"


def test_inputs_do_not_depend_on_the_numbers_of_the_seats() -> None:
    for s in positions():
        turned = with_seats_rotated(s)
        for seat in range(s.seats):
            assert inputs_of(turned, seat) == inputs_of(s, (seat + 1) % s.seats)


def test_every_input_is_documented() -> None:
    table = DEEP_SEA_INPUTS.table().splitlines()
    assert len(table) == 2 + len(DEEP_SEA_INPUTS.of_slot) + len(DEEP_SEA_INPUTS.of_position)
    assert not any(line.endswith("| None |") for line in table)


def test_the_roster_names_its_inputs() -> None:
    assert roster_of("deep-sea").net_input_names == DEEP_SEA_INPUTS.names
