"""Reliability of predicted win probabilities, and the correction that fits best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from archipel.analysis.arithmetic import Correction
from archipel.study.reports.charts import BAND_STYLE, svg
from archipel.study.statistics import Interval, wilson

Pair = tuple[Sequence[float], Sequence[float]]
#: Seats, game number and (prediction, result) pairs of each game.
GamePairs = Sequence[tuple[int, int, Sequence[Pair]]]

BINS = 10
FLOORS = (0.0005, 0.005, 0.02)
LEAST_POWER, MOST_POWER = 0.2, 4.0
STEPS = 16
#: Regularisation of the power towards 1, against overfitting to a few hundred games.
PENALTY = 20.0
#: Fewer pairs than this give no correction.
FEWEST = 100
GOLDEN = (math.sqrt(5) - 1) / 2
LEAST_CHANCE = 1e-6


@dataclass(frozen=True)
class Bin:
    """Seats with similar predictions, and their win share."""

    seats: int
    predicted: float
    won: float
    interval: Interval


@dataclass(frozen=True)
class Reliability:
    """Bins before and after the correction, which is fitted to other games."""

    raw: tuple[Bin, ...]
    corrected: tuple[Bin, ...]
    loss_raw: float
    loss_corrected: float
    """Mean negative log likelihood."""

    def __str__(self) -> str:
        return (
            f"mean distance from the diagonal {distance(self.raw):.3f} as weighed, "
            f"{distance(self.corrected):.3f} corrected; loss {self.loss_raw:.4f}, "
            f"{self.loss_corrected:.4f}"
        )


def distance(bins: Sequence[Bin]) -> float:
    """Mean distance between prediction and win share."""
    return sum(b.seats * abs(b.won - b.predicted) for b in bins) / sum(b.seats for b in bins)


def loss(pairs: Sequence[Pair], correction: Correction) -> float:
    total = 0.0
    for predicted, actual in pairs:
        chances = correction.apply(predicted)
        total -= sum(
            share * math.log(max(LEAST_CHANCE, chance))
            for share, chance in zip(actual, chances, strict=True)
            if share > 0
        )
    return total / len(pairs)


def fit_correction(pairs: Sequence[Pair]) -> Correction:
    """Maximum-likelihood power and floor."""
    if len(pairs) < FEWEST:
        return Correction()
    found = [_best_power(pairs, floor) for floor in FLOORS]
    return min(found, key=lambda correction: loss(pairs, correction))


def _best_power(pairs: Sequence[Pair], floor: float) -> Correction:
    """Minimise the regularised loss, a unimodal function of the power, by golden-section search."""

    def regularised_loss(power: float) -> float:
        penalty = PENALTY * math.log(power) ** 2 / len(pairs)
        return loss(pairs, Correction(power, floor)) + penalty

    low, high = LEAST_POWER, MOST_POWER
    for _ in range(STEPS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        if regularised_loss(left) < regularised_loss(right):
            high = right
        else:
            low = left
    return Correction(round((low + high) / 2, 4), floor)


def reliability(games: GamePairs) -> Reliability:
    """Fit corrections to one half of the games and evaluate them on the other, both ways."""
    raw: list[Pair] = []
    corrected: list[Pair] = []
    for seats in sorted({count for count, _, _ in games}):
        halves: list[list[Pair]] = [[], []]
        for count, number, pairs in games:
            if count == seats:
                # Seats alternate with the game number, so halve by larger steps.
                halves[(number // 97) % 2].extend(pairs)
        for half in (0, 1):
            correction = fit_correction(halves[1 - half])
            raw += halves[half]
            corrected += [(correction.apply(p), actual) for p, actual in halves[half]]
    none = Correction()
    return Reliability(bins_of(raw), bins_of(corrected), loss(raw, none), loss(corrected, none))


def bins_of(pairs: Sequence[Pair]) -> tuple[Bin, ...]:
    """Bins by tenths of the prediction, without empty ones."""
    predicted: list[list[float]] = [[] for _ in range(BINS)]
    won: list[list[float]] = [[] for _ in range(BINS)]
    for chances, actual in pairs:
        for chance, share in zip(chances, actual, strict=True):
            place = min(BINS - 1, int(chance * BINS))
            predicted[place].append(chance)
            won[place].append(share)
    return tuple(
        Bin(len(s), sum(s) / len(s), sum(w) / len(w), wilson(min(sum(w), len(w)), len(w)))
        for s, w in zip(predicted, won, strict=True)
        if s
    )


SIDE, LEFT, TOP = 340, 56, 48


def draw_reliability(title: str, found: Reliability) -> str:
    """A reliability diagram: predicted probability against frequency; full dots are corrected."""

    def x(chance: float) -> float:
        return LEFT + SIDE * chance

    def y(chance: float) -> float:
        return TOP + SIDE * (1 - chance)

    height, parts = TOP + SIDE + 44, []
    foot = height - 24
    for percent in range(0, 101, 20):
        at = percent / 100
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{LEFT + SIDE}" y1="{y(at)}" y2="{y(at)}"/>'
            f'<text class="soft" x="{LEFT - 8}" y="{y(at) + 4}" text-anchor="end">{percent}</text>'
            f'<text class="soft" x="{x(at)}" y="{foot}" text-anchor="middle">{percent}</text>'
        )
    parts.append(f'<line class="even" x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}"/>')
    parts += [
        f'<circle class="raw" cx="{x(b.predicted):.1f}" cy="{y(b.won):.1f}" r="5"/>'
        for b in found.raw
    ]
    for b in found.corrected:
        place = f"{x(b.predicted):.1f}"
        ends = f'y1="{y(b.interval.low):.1f}" y2="{y(b.interval.high):.1f}"'
        parts.append(
            f'<line class="bar" x1="{place}" x2="{place}" {ends}/>'
            f'<circle class="dot" cx="{place}" cy="{y(b.won):.1f}" r="4"/>'
        )
    return svg(title, height, parts, LEFT + SIDE + 24, BAND_STYLE)
