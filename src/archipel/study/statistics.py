"""Wilson intervals, means with their intervals, and quantiles."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

#: 97.5 % quantile of the standard normal distribution.
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def wilson(successes: float, trials: float, deviations: float = NORMAL_95) -> Interval:
    """Wilson score interval of a rate; 0 to 1 without trials."""
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if trials == 0:
        return Interval(0.0, 1.0)
    rate, square = successes / trials, deviations * deviations
    centre = (rate + square / (2 * trials)) / (1 + square / trials)
    spread = rate * (1 - rate) / trials + square / (4 * trials * trials)
    half = deviations * math.sqrt(spread) / (1 + square / trials)
    # Avoid rounding errors at the ends.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(low, high)


def share_interval(shares: Mapping[Fraction, int]) -> Interval:
    """95 % interval of a mean of shares between 0 and 1, given their histogram.

    For wins and losses it is the Wilson interval.  Shared wins and several copies of a bot in one
    game have a smaller variance than a coin; this counts as more trials (the effective sample size
    of a survey).
    """
    trials = sum(shares.values())
    if trials == 0:
        return Interval(0.0, 1.0)
    mean = distribution_mean(shares)
    variance = sum(((share - mean) ** 2 * count for share, count in shares.items()), Fraction())
    variance /= trials
    coin = mean * (1 - mean)
    # Without variation the variance is unknown: use that of a coin.
    effective = trials * coin / variance if variance > 0 else Fraction(trials)
    return wilson(float(mean * effective), float(effective))


def distribution_mean(distribution: Mapping[Fraction, int] | Mapping[int, int]) -> Fraction:
    """Exact mean of a histogram."""
    count = sum(distribution.values())
    if count == 0:
        raise ValueError("the histogram is empty")
    total = sum((Fraction(value) * times for value, times in distribution.items()), Fraction())
    return total / count


def quantile(distribution: Mapping[int, int], share: Fraction) -> int:
    """Smallest value whose cumulative share is at least ``share``."""
    needed = share * sum(distribution.values())
    seen = 0
    for value in sorted(distribution):
        seen += distribution[value]
        if seen >= needed:
            return value
    raise ValueError("the histogram is empty")


@dataclass(frozen=True)
class Mean:
    """A mean and half the width of its 95 % interval."""

    value: float
    half: float

    @property
    def low(self) -> float:
        return self.value - self.half

    @property
    def high(self) -> float:
        return self.value + self.half

    def less(self, other: Mean) -> Mean:
        """Difference of two means of independent games."""
        return Mean(self.value - other.value, math.hypot(self.half, other.half))


def mean_of(games: int, total: int, squares: int, parts: int = 1) -> Mean:
    """Mean from exact sums over games; ``parts`` is the number of seats in a game's value.

    The seats of a game are dependent, so a game is one sample.  The interval of a single game is
    infinite.
    """
    if games < 2:
        return Mean(total / max(1, games) / parts, math.inf)
    spread = max(0, squares * games - total * total)  # integers: exact
    deviation = math.sqrt(spread / games / (games - 1))
    return Mean(total / games / parts, NORMAL_95 * deviation / math.sqrt(games) / parts)


def mean_over(means: Sequence[Mean]) -> Mean:
    """Mean of means of independent games."""
    value = math.fsum(mean.value for mean in means) / len(means)
    half = math.sqrt(math.fsum(mean.half**2 for mean in means)) / len(means)
    return Mean(value, half)
