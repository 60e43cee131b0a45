"""Ratings by the Plackett-Luce model, with bootstrap intervals.

Each bot has a strength.  The winner is drawn in proportion to strength, then the second among the
rest, and so on.  For two players this is the Bradley-Terry model, which Elo uses.  A rating is the
logarithm of the strength, 400 points per factor of ten.  A tie counts as all its orders in equal
parts.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, permutations, product
from operator import itemgetter

from archipel.study.reports.charts import Span, spans
from archipel.study.statistics import Interval

#: Prior: half a win and half a loss against strength 1, so that unbeaten bots have a finite rating.
PRIOR = 0.5
BASE_RATING = 1000.0
POINTS_PER_TENFOLD = 400.0

#: Newton's method on log strengths: tolerance, longest step, most steps.
CLOSE = 1e-7
LONGEST_STEP = 2.0
MOST_STEPS = 100

#: Bootstrap replicates.
REPLICATES = 200


#: Weight of each order of finish, winner first.
Orders = dict[tuple[str, ...], float]

#: Results of each line-up: blocks of dependent games, each game as ranks from 0.
Blocks = Mapping[tuple[str, ...], Sequence[Sequence[tuple[int, ...]]]]


@dataclass(frozen=True)
class Rating:
    name: str
    rating: float
    interval: Interval
    games: int


def rate(
    blocks: Blocks, *, anchor: str | None = None, replicates: int = REPLICATES, seed: int = 0
) -> list[Rating]:
    """Ratings from the results of line-ups, best first.

    The 95 % intervals come from a bootstrap over blocks (rotations).  ``anchor`` has 1000 points;
    without an anchor the mean has.
    """
    names = sorted({name for lineup in blocks for name in lineup})
    orders = {
        lineup: [_orders_of(lineup, block) for block in found] for lineup, found in blocks.items()
    }
    strengths = fit(_total((block, 1) for found in orders.values() for block in found), names)
    ratings = _points(strengths, anchor)
    generator = random.Random(seed)
    drawn: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(replicates):
        sample = _total(_resampled(orders, generator))
        for name, points in _points(fit(sample, names, start=strengths), anchor).items():
            drawn[name].append(points)
    games: Counter[str] = Counter()
    for lineup, found in blocks.items():
        for name in set(lineup):
            games[name] += sum(len(block) for block in found)
    rated = [Rating(n, ratings[n], _middle(drawn[n], ratings[n]), games[n]) for n in names]
    return sorted(rated, key=lambda rating: (-rating.rating, rating.name))


def fit(
    orders: Mapping[tuple[str, ...], float],
    names: Sequence[str],
    *,
    start: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Maximum-likelihood strengths by Newton's method.

    The log likelihood is concave in the log strengths, so the maximum is unique.
    """
    number = {name: index for index, name in enumerate(names)}
    seen = [([number[name] for name in order], weight) for order, weight in orders.items()]
    logs = [math.log(start[name]) if start else 0.0 for name in names]
    for _ in range(MOST_STEPS):
        slope, curve = _slope_and_curve(seen, logs)
        steps = _solve(curve, slope)
        largest = max(abs(step) for step in steps)
        # Shorten long steps, which diverge if strengths are far apart.
        shorter = min(1.0, LONGEST_STEP / largest) if largest else 1.0
        logs = [value + shorter * step for value, step in zip(logs, steps, strict=True)]
        if largest < CLOSE:
            break
    return {name: math.exp(logs[number[name]]) for name in names}


def _slope_and_curve(
    seen: Sequence[tuple[Sequence[int], float]], logs: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Gradient and negative Hessian of the log likelihood."""
    strengths = [math.exp(value) for value in logs]
    size = len(logs)
    slope = [0.0] * size
    curve = [[0.0] * size for _ in range(size)]
    for one, strength in enumerate(strengths):
        won = strength / (strength + 1.0)
        slope[one] += PRIOR - 2 * PRIOR * won
        curve[one][one] += 2 * PRIOR * won * (1 - won)
    for order, weight in seen:
        for place in range(len(order) - 1):
            left = order[place:]
            together = sum(strengths[one] for one in left)
            slope[order[place]] += weight
            for one in left:
                chance = strengths[one] / together
                slope[one] -= weight * chance
                curve[one][one] += weight * chance
                for other in left:
                    curve[one][other] -= weight * chance * strengths[other] / together
    return slope, curve


def _solve(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Solve linear equations with a symmetric positive definite matrix."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            for k in range(column, size + 1):
                rows[row][k] -= factor * rows[column][k]
    found = [0.0] * size
    for row in reversed(range(size)):
        rest = sum(rows[row][k] * found[k] for k in range(row + 1, size))
        found[row] = (rows[row][size] - rest) / rows[row][row]
    return found


def _orders_of(lineup: tuple[str, ...], block: Iterable[tuple[int, ...]]) -> Orders:
    """Weighted orders of finish; ties are split evenly."""
    found: Orders = defaultdict(float)
    by_rank = itemgetter(0)
    for ranks in block:
        ranked = sorted(zip(ranks, lineup, strict=True), key=by_rank)
        groups = [[name for _, name in tied] for _, tied in groupby(ranked, key=by_rank)]
        orders = [tuple(chain(*parts)) for parts in product(*map(permutations, groups))]
        for order in orders:
            found[order] += 1 / len(orders)
    return found


def _total(blocks: Iterable[tuple[Orders, int]]) -> Orders:
    """Sum of the orders of blocks, each a number of times."""
    total: Orders = defaultdict(float)
    for block, times in blocks:
        for order, weight in block.items():
            total[order] += times * weight
    return total


def _resampled(
    orders: Mapping[tuple[str, ...], Sequence[Orders]], generator: random.Random
) -> Iterator[tuple[Orders, int]]:
    """A bootstrap sample of blocks, with their numbers."""
    for lineup in sorted(orders):
        found = orders[lineup]
        for block, times in Counter(generator.choices(range(len(found)), k=len(found))).items():
            yield found[block], times


def _points(strengths: Mapping[str, float], anchor: str | None) -> dict[str, float]:
    logs = {name: math.log10(strength) for name, strength in strengths.items()}
    zero = logs[anchor] if anchor in logs else sum(logs.values()) / len(logs)
    return {
        name: BASE_RATING + POINTS_PER_TENFOLD * (logarithm - zero)
        for name, logarithm in logs.items()
    }


def _middle(values: Sequence[float], value: float) -> Interval:
    """The middle 95 % of the replicates."""
    if not values:
        return Interval(value, value)
    ordered = sorted(values)
    cut = round(0.025 * (len(ordered) - 1))
    return Interval(ordered[cut], ordered[-1 - cut])


def draw_ratings(title: str, ratings: Sequence[Rating]) -> str:
    """An SVG with one row per bot: its rating and its interval."""
    rows = [Span(r.name, r.rating, r.interval.low, r.interval.high) for r in ratings]
    return spans(title, rows, digits=0)
