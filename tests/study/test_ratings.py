"""Plackett-Luce ratings against exact results, simulated data and choix."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from archipel.study.matches.ratings import PRIOR, Blocks, fit, rate


def order(strengths: dict[str, float], generator: random.Random) -> list[str]:
    left, found = dict(strengths), []
    while left:
        [name] = generator.choices(list(left), list(left.values()))
        found.append(name)
        del left[name]
    return found


def test_two_players_match_the_exact_solution() -> None:
    """The prior is half a win and half a loss against strength 1.

    By symmetry the strengths are s and 1/s, where s * (20 / (s + 1/s) + 1 / (s + 1)) = 15.5.
    """
    strengths = fit({("a", "b"): 15.0, ("b", "a"): 5.0}, ["a", "b"])
    s = strengths["a"]
    assert strengths["b"] == pytest.approx(1 / s)
    assert s * (20 / (s + 1 / s) + 2 * PRIOR / (s + 1)) == pytest.approx(15 + PRIOR)


def test_fit_recovers_strengths_from_games_of_three() -> None:
    true = {"a": 4.0, "b": 2.0, "c": 1.0, "d": 0.5}
    generator = random.Random(1)
    orders: dict[tuple[str, ...], float] = {}
    for _ in range(5000):
        lineup = generator.sample(sorted(true), 3)
        found = tuple(order({name: true[name] for name in lineup}, generator))
        orders[found] = orders.get(found, 0) + 1
    strengths = fit(orders, sorted(true))
    for one, other in combinations(true, 2):
        ratio = (strengths[one] / strengths[other]) / (true[one] / true[other])
        assert abs(math.log(ratio)) < 0.15


def test_strengths_agree_with_choix() -> None:
    """Values of ``opt_rankings(alpha=0)``, choix 0.4.1 with SciPy 1.17.1.

    The prior is a dummy player with half a win and half a loss against every player; all counts
    are doubled to be integers.
    """
    orders = {"abc": 7.0, "bad": 4.0, "dca": 2.0, "cbd": 3.0, "ad": 5.0, "dbac": 1.0}
    found = fit({tuple(order): count for order, count in orders.items()}, "abcd")
    expected = [1.98051073, 1.83060674, 0.67012357, 0.40361162]
    assert list(found.values()) == pytest.approx(expected, abs=1e-8)


def test_ties_count_as_half_a_win() -> None:
    tied = rate({("a", "b"): [[(0, 0)]] * 10})
    assert [rating.rating for rating in tied] == pytest.approx([1000, 1000])
    split = rate({("a", "b"): [[(0, 1), (1, 0)]] * 10})
    assert [rating.rating for rating in split] == pytest.approx([1000, 1000])
    assert [r.interval.low for r in tied] == pytest.approx([1000, 1000]), "all rotations are equal"


def test_intervals_have_the_stated_coverage() -> None:
    """The bootstrap draws blocks: equal games within a block must widen the intervals."""
    true = {"a": 2.0, "b": 1.0}
    generator = random.Random(2)
    covered = 0
    for trial in range(50):
        blocks = []
        for _ in range(60):
            first = order(true, generator)[0] == "a"
            blocks.append([(0, 1) if first else (1, 0)] * 4)
        best = {
            r.name: r for r in rate({("a", "b"): blocks}, anchor="b", seed=trial, replicates=100)
        }["a"]
        covered += 1000 + 400 * math.log10(2) in best.interval
    assert 42 <= covered <= 50


def test_unbeaten_bot_has_a_finite_rating_and_the_anchor_is_fixed() -> None:
    ratings = rate({("a", "b"): [[(0, 1), (0, 1)]] * 50}, anchor="b")
    assert [rating.name for rating in ratings] == ["a", "b"]
    assert ratings[1].rating == ratings[1].interval.low == ratings[1].interval.high == 1000
    assert 1500 < ratings[0].rating < 2500
    assert ratings[0].games == 100


def test_equal_seeds_give_equal_intervals() -> None:
    some: list[list[tuple[int, ...]]] = [[(0, 1), (1, 0)], [(0, 1), (0, 1)], [(1, 0), (1, 0)]]
    blocks: Blocks = {("a", "b"): some * 5}
    assert rate(blocks, seed=3) == rate(blocks, seed=3)
    assert rate(blocks, seed=3) != rate(blocks, seed=4)
