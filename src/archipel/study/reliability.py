"""How far stated chances can be relied on: what became of them, and the correction that is best."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from archipel.analysis.correction import Correction
from archipel.study.statistics import Interval, wilson

Pair = tuple[Sequence[float], Sequence[float]]
#: The games of a number of seats, by number, with their pairs.
Noted = Sequence[tuple[int, int, Sequence[Pair]]]

BINS = 10
FLOORS = (0.0005, 0.005, 0.02)
LEAST_POWER, MOST_POWER = 0.2, 4.0
STEPS = 16
#: How strongly a power is held near 1: a few hundred games would else be fitted to their luck.
RESTRAINT = 20.0
#: Fewer pairs than this tell too little to correct anything by.
FEWEST = 100
GOLDEN = (math.sqrt(5) - 1) / 2
LEAST_CHANCE = 1e-6


@dataclass(frozen=True)
class Bin:
    """Seats whose chances were stated as about the same, and how often they won, in shares."""

    seats: int
    stated: float
    won: float
    interval: Interval


@dataclass(frozen=True)
class Reliability:
    """Chances as they were weighed, and as they are corrected (by what other games showed)."""

    weighed: tuple[Bin, ...]
    corrected: tuple[Bin, ...]
    loss_weighed: float
    loss_corrected: float
    """Mean logarithm of the chance given to what came, with a minus."""

    def __str__(self) -> str:
        return (
            f"mean distance from the diagonal {distance(self.weighed):.3f} as weighed, "
            f"{distance(self.corrected):.3f} corrected; loss {self.loss_weighed:.4f}, "
            f"{self.loss_corrected:.4f}"
        )


def distance(bins: Sequence[Bin]) -> float:
    """How far what came was from what was stated, on average over seats."""
    return sum(b.seats * abs(b.won - b.stated) for b in bins) / sum(b.seats for b in bins)


def loss(pairs: Sequence[Pair], correction: Correction) -> float:
    total = 0.0
    for stated, came in pairs:
        chances = correction.apply(stated)
        total -= sum(
            share * math.log(max(LEAST_CHANCE, chance))
            for share, chance in zip(came, chances, strict=True)
            if share > 0
        )
    return total / len(pairs)


def fit_correction(pairs: Sequence[Pair]) -> Correction:
    """The power and the floor under which what came was most likely."""
    if len(pairs) < FEWEST:
        return Correction()
    found = [_best_power(pairs, floor) for floor in FLOORS]
    return min(found, key=lambda correction: loss(pairs, correction))


def _best_power(pairs: Sequence[Pair], floor: float) -> Correction:
    def amiss(power: float) -> float:
        held = RESTRAINT * math.log(power) ** 2 / len(pairs)
        return loss(pairs, Correction(power, floor)) + held

    power = _least(amiss)
    return Correction(round(power, 4), floor)


def _least(function: Callable[[float], float]) -> float:
    """Where a function of one valley is least, by golden section."""
    low, high = LEAST_POWER, MOST_POWER
    for _ in range(STEPS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        if function(left) < function(right):
            high = right
        else:
            low = left
    return (low + high) / 2


def reliability(noted: Noted) -> Reliability:
    """Corrections are fitted to one half of the games and shown on the other."""
    weighed: list[Pair] = []
    corrected: list[Pair] = []
    for seats in sorted({count for count, _, _ in noted}):
        halves: list[list[Pair]] = [[], []]
        for count, number, pairs in noted:
            if count == seats:
                # Numbers of games of as many seats are apart by a fixed step: halve their order.
                halves[(number // 97) % 2].extend(pairs)
        for half in (0, 1):
            correction = fit_correction(halves[1 - half])
            weighed += halves[half]
            corrected += [(correction.apply(stated), came) for stated, came in halves[half]]
    none = Correction()
    return Reliability(
        bins_of(weighed), bins_of(corrected), loss(weighed, none), loss(corrected, none)
    )


def bins_of(pairs: Sequence[Pair]) -> tuple[Bin, ...]:
    """By tenths of stated chances; those without a seat are left out."""
    stated: list[list[float]] = [[] for _ in range(BINS)]
    won: list[list[float]] = [[] for _ in range(BINS)]
    for chances, came in pairs:
        for chance, share in zip(chances, came, strict=True):
            place = min(BINS - 1, int(chance * BINS))
            stated[place].append(chance)
            won[place].append(share)
    return tuple(
        Bin(len(s), sum(s) / len(s), sum(w) / len(w), wilson(min(sum(w), len(w)), len(w)))
        for s, w in zip(stated, won, strict=True)
        if s
    )


# ---- the picture --------------------------------------------------------------------------------

SIDE, LEFT, TOP = 340, 56, 48
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1d2b36}.grid{stroke:#b9c4cc}.soft{fill:#4d5b66}"
    ".even{stroke:#4d5b66;stroke-dasharray:4 4}.bar{stroke:#0b6e8a;stroke-width:2}"
    ".dot{fill:#0b6e8a}.raw{fill:none;stroke:#b3401f;stroke-width:1.6}"
    "@media(prefers-color-scheme:dark){text{fill:#e8eef2}.soft{fill:#a9b7c1}.grid{stroke:#3c4a54}"
    ".even{stroke:#a9b7c1}.bar{stroke:#63c5e0}.dot{fill:#63c5e0}.raw{stroke:#f09a7a}}"
)


def draw_reliability(title: str, found: Reliability) -> str:
    """An SVG: stated chances to the right, how often they came upwards; full dots are corrected."""

    def x(chance: float) -> float:
        return LEFT + SIDE * chance

    def y(chance: float) -> float:
        return TOP + SIDE * (1 - chance)

    width, height = LEFT + SIDE + 24, TOP + SIDE + 44
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    name = f'role="img" aria-label="{escape(title)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {name}><style>{STYLE}</style>',
        f'<text x="12" y="24" font-weight="600">{escape(title)}</text>',
    ]
    for percent in range(0, 101, 20):
        at, foot = percent / 100, height - 24
        lines.append(
            f'<line class="grid" x1="{LEFT}" x2="{LEFT + SIDE}" y1="{y(at)}" y2="{y(at)}"/>'
            f'<text class="soft" x="{LEFT - 8}" y="{y(at) + 4}" text-anchor="end">{percent}</text>'
            f'<text class="soft" x="{x(at)}" y="{foot}" text-anchor="middle">{percent}</text>'
        )
    lines.append(f'<line class="even" x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}"/>')
    lines += [
        f'<circle class="raw" cx="{x(b.stated):.1f}" cy="{y(b.won):.1f}" r="5"/>'
        for b in found.weighed
    ]
    for b in found.corrected:
        place = f"{x(b.stated):.1f}"
        ends = f'y1="{y(b.interval.low):.1f}" y2="{y(b.interval.high):.1f}"'
        lines.append(
            f'<line class="bar" x1="{place}" x2="{place}" {ends}/>'
            f'<circle class="dot" cx="{place}" cy="{y(b.won):.1f}" r="4"/>'
        )
    return "\n".join([*lines, "</svg>", ""])
