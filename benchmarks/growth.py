"""How strength grows with the budget, as a picture.

    python -m benchmarks.growth RESULTS FOLDER

RESULTS is what `benchmarks.strength` wrote.  Matches of one bot with several budgets, such as
"master:simulations=60", against the same opponent make a picture in FOLDER, named by the game: the
share of first place by simulations a decision, each with its 95 % interval.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from archipel.rules.all_games import game_named
from archipel.study.ladder_drawing import STYLE
from archipel.study.statistics import Interval, wilson
from benchmarks.strength import read_results

LEFT = 60
PLOT = 460
RIGHT = 30
TOP = 44
HEIGHT = 240
BOTTOM = 50
#: Shares of first place that have a line of their own, in tenths.
LINES = range(0, 11, 2)

BUDGET = ":simulations="


@dataclass(frozen=True)
class Point:
    """What a budget is good for."""

    simulations: int
    games: int
    share: float
    interval: Interval


@dataclass(frozen=True)
class Growth:
    """A bot of a game with several budgets, against one opponent."""

    game: str
    seats: int
    bot: str
    against: str
    points: tuple[Point, ...]

    @property
    def title(self) -> str:
        name = game_named(self.game).title("en")
        return f"{name}: {self.bot} against {self.against}, by simulations a decision"


def growths(rows: Iterable[Mapping[str, Any]]) -> list[Growth]:
    """All that were measured with two budgets or more."""
    found: dict[tuple[str, int, str, str], dict[int, list[float]]] = {}
    for row in rows:
        game, seats, a, b, _ = str(row["match"]).split(" | ")
        bot, budget, simulations = a.partition(BUDGET)
        if budget and simulations.isdecimal():
            budgets = found.setdefault((game, int(seats), bot, b), {})
            budgets.setdefault(int(simulations), []).extend(row["shares"])
    return [
        Growth(*key, tuple(point(*item) for item in sorted(budgets.items())))
        for key, budgets in sorted(found.items())
        if len(budgets) > 1
    ]


def point(simulations: int, shares: Sequence[float]) -> Point:
    won = sum(shares)
    return Point(simulations, len(shares), won / len(shares), wilson(won, len(shares)))


def draw_growth(growth: Growth) -> str:
    """An SVG with its own colours for light and dark pages."""
    width, height = LEFT + PLOT + RIGHT, TOP + HEIGHT + BOTTOM
    gap = PLOT / len(growth.points)

    def y(share: float) -> float:
        return TOP + HEIGHT * (1 - share)

    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    name = f'role="img" aria-label="{escape(growth.title)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {name}>',
        f"<style>{STYLE}</style>",
        f'<text x="12" y="24" font-weight="600">{escape(growth.title)}</text>',
    ]
    for tenths in LINES:
        at = y(tenths / 10)
        ends = f'x1="{LEFT}" x2="{LEFT + PLOT}" y1="{at:.1f}" y2="{at:.1f}"'
        lines.append(f'<line class="grid" {ends}/>')
        place = f'x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end"'
        lines.append(f'<text class="soft" {place}>{tenths / 10:.1f}</text>')
    for number, one in enumerate(growth.points):
        x = LEFT + gap * (number + 0.5)
        low, high = y(one.interval.low), y(one.interval.high)
        middle = f'x="{x:.1f}" text-anchor="middle"'
        lines += [
            f'<line class="bar" x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>',
            f'<circle class="dot" cx="{x:.1f}" cy="{y(one.share):.1f}" r="5"/>',
            f'<text {middle} y="{TOP + HEIGHT + 22}">{one.simulations:,}</text>',
            f'<text class="soft" {middle} y="{TOP + HEIGHT + 40}">{one.games} games</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("results", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args(arguments)
    for growth in growths(read_results(given.results)):
        file = given.folder / f"{growth.game}.svg"
        file.write_text(draw_growth(growth), encoding="utf-8")
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
