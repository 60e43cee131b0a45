"""Statistics against published values and SciPy."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archipel.study.statistics import (
    Interval,
    distribution_mean,
    quantile,
    share_interval,
    wilson,
)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high", "tolerance"),
    [
        # Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I,
        # method 3: the score method without correction.
        (81, 263, 0.2553, 0.3662, 5e-5),
        (15, 148, 0.0624, 0.1605, 5e-5),
        (0, 20, 0.0000, 0.1611, 5e-5),
        (1, 29, 0.0061, 0.1718, 5e-5),
        # SciPy 1.17.1: binomtest(k, n).proportion_ci(method="wilson").
        (3, 10, 0.10779126740630102, 0.6032218525388546, 1e-12),
        (57, 200, 0.22695003004617284, 0.35115346029605166, 1e-12),
    ],
)
def test_wilson(successes: int, trials: int, low: float, high: float, tolerance: float) -> None:
    interval = wilson(successes, trials)
    assert interval.low == pytest.approx(low, abs=tolerance)
    assert interval.high == pytest.approx(high, abs=tolerance)


def test_wilson_at_the_ends() -> None:
    assert wilson(0, 0) == Interval(0.0, 1.0)
    assert wilson(0, 10).low == 0.0
    assert wilson(10, 10).high == 1.0
    assert 1.0 in wilson(10, 10)
    assert 0.5 not in wilson(10, 10)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 3), (4, 3)])
def test_wilson_refuses_impossible_counts(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match=f"{successes} successes in {trials} trials"):
        wilson(successes, trials)


@given(st.integers(0, 500), st.integers(0, 500))
def test_wilson_contains_the_rate_and_is_symmetric(wins: int, losses: int) -> None:
    interval, mirrored = wilson(wins, wins + losses), wilson(losses, wins + losses)
    assert 0 <= interval.low <= interval.high <= 1
    if wins + losses:
        assert wins / (wins + losses) in interval
    assert interval.low == pytest.approx(1 - mirrored.high)


def test_interval_of_wins_and_losses_is_wilson() -> None:
    shares = Counter({Fraction(1): 81, Fraction(0): 182})
    exact = wilson(81, 263)
    assert share_interval(shares).low == pytest.approx(exact.low)
    assert share_interval(shares).high == pytest.approx(exact.high)


def test_shared_wins_narrow_the_interval() -> None:
    whole = share_interval({Fraction(1): 50, Fraction(0): 50})
    shared = share_interval({Fraction(1): 25, Fraction(1, 2): 50, Fraction(0): 25})
    assert whole.low < shared.low < 0.5 < shared.high < whole.high


def test_constant_shares_get_the_variance_of_a_coin() -> None:
    assert share_interval({Fraction(1, 2): 100}) == wilson(50, 100)
    assert share_interval({}) == Interval(0.0, 1.0)


def test_mean_is_exact() -> None:
    assert distribution_mean({0: 1, 1: 2}) == Fraction(2, 3)
    with pytest.raises(ValueError, match="empty"):
        distribution_mean({})


@given(st.lists(st.integers(-50, 50), min_size=1), st.integers(0, 100))
def test_quantile(values: list[int], percent: int) -> None:
    found = quantile(Counter(values), Fraction(percent, 100))
    at_most = sum(value <= found for value in values)
    below = sum(value < found for value in values)
    assert 100 * at_most >= percent * len(values)
    assert below == 0 or 100 * below < percent * len(values)


def test_quantile_of_an_empty_histogram() -> None:
    with pytest.raises(ValueError, match="empty"):
        quantile({}, Fraction(1, 2))
