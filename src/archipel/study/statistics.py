"""Statistics of results, exact where they can be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

#: Half the width, in standard deviations, of the middle 95 % of a normal distribution.
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def wilson(successes: float, trials: float, deviations: float = NORMAL_95) -> Interval:
    """Wilson's score interval for a rate: sound near 0 and 1 and for few trials.

    Without trials nothing is known: 0 to 1.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if trials == 0:
        return Interval(0.0, 1.0)
    rate, square = successes / trials, deviations * deviations
    centre = (rate + square / (2 * trials)) / (1 + square / trials)
    spread = rate * (1 - rate) / trials + square / (4 * trials * trials)
    half = deviations * math.sqrt(spread) / (1 + square / trials)
    # The ends at 0 and 1 are exact but for rounding.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(low, high)


def share_interval(shares: Mapping[Fraction, int]) -> Interval:
    """A 95 % interval for a mean of shares between 0 and 1, given how often each was seen.

    For whole wins and losses it is Wilson's.  Shared wins, and several copies of a bot in one game,
    vary less than a coin of the same mean would; as in surveys, that counts as more trials.
    """
    trials = sum(shares.values())
    if trials == 0:
        return Interval(0.0, 1.0)
    mean = distribution_mean(shares)
    variance = sum(((share - mean) ** 2 * count for share, count in shares.items()), Fraction())
    variance /= trials
    coin = mean * (1 - mean)
    # Where nothing varied, nothing is known about how much it varies: then as for a coin.
    effective = trials * coin / variance if variance > 0 else Fraction(trials)
    return wilson(float(mean * effective), float(effective))


def distribution_mean(distribution: Mapping[Fraction, int] | Mapping[int, int]) -> Fraction:
    """The exact mean of values, given how often each was seen."""
    count = sum(distribution.values())
    if count == 0:
        raise ValueError("nothing was seen")
    total = sum((Fraction(value) * times for value, times in distribution.items()), Fraction())
    return total / count


def quantile(distribution: Mapping[int, int], share: Fraction) -> int:
    """The least value that is not exceeded in at least this share of what was seen."""
    needed = share * sum(distribution.values())
    seen = 0
    for value in sorted(distribution):
        seen += distribution[value]
        if seen >= needed:
            return value
    raise ValueError("nothing was seen")
