"""Charts of strength by search budget.

A chart groups the matches of one level with several budgets, such as "master-2:simulations=60",
against the same opponent, together with those of the level with its own budget.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from archipel.bots import Level, UnknownBotError, player_named
from archipel.rules.all_games import game_named
from archipel.study.reports.charts import svg
from archipel.study.statistics import Interval, wilson
from benchmarks.strength_results import MatchResult

LEFT = 60
PLOT = 460
RIGHT = 30
TOP = 44
HEIGHT = 240
BOTTOM = 50
#: Distance of the first and the last point from the ends of the plot.
EDGE = 40
#: Shares of first place with a grid line, in tenths.
LINES = range(0, 11, 2)

BUDGET = ":simulations="


@dataclass(frozen=True)
class Point:
    """The result with one budget."""

    simulations: int
    games: int
    won: float

    @property
    def share(self) -> float:
        return self.won / self.games

    @property
    def interval(self) -> Interval:
        return wilson(self.won, self.games)


@dataclass(frozen=True)
class BudgetScaling:
    """A level of a game with several budgets, against one opponent."""

    game: str
    seats: int
    bot: str
    against: str
    points: tuple[Point, ...]

    @property
    def title(self) -> str:
        name = game_named(self.game).title("en")
        return f"{name}: {self.bot} against {self.against}, by simulations per decision"


def is_budget(result: MatchResult) -> bool:
    """Whether A is a level with only its budget changed."""
    bot, budget, simulations = result.a.partition(BUDGET)
    return bool(budget) and simulations.isdecimal() and _level(result.game, bot) is not None


def _level(game: str, name: str) -> Level | None:
    try:
        found = player_named(game, name)
    except UnknownBotError:
        return None
    return found if isinstance(found, Level) else None


def budget_scalings(results: Iterable[MatchResult]) -> list[BudgetScaling]:
    """One for each game measured with two or more budgets: the pair of bot and opponent with the
    most budgets, and among these the newest bot."""
    found: dict[tuple[str, int, str, str], dict[int, Point]] = {}
    for result in results:
        bot, _, _ = result.a.partition(BUDGET)
        level = _level(result.game, bot)
        if level is None or (result.a != bot and not is_budget(result)):
            continue
        budget = level.config.simulations if result.a == bot else int(result.a.split("=")[1])
        points = found.setdefault((result.game, result.seats, bot, result.b), {})
        before = points.get(budget, Point(budget, 0, 0.0))
        points[budget] = Point(budget, before.games + result.games, before.won + result.won)
    best: dict[str, BudgetScaling] = {}
    for key, points in sorted(found.items()):
        scaling = BudgetScaling(*key, tuple(points[budget] for budget in sorted(points)))
        least = best[scaling.game].points if scaling.game in best else scaling.points[:1]
        if len(scaling.points) >= max(2, len(least)):
            best[scaling.game] = scaling
    return list(best.values())


def draw_scaling(scaling: BudgetScaling) -> str:
    """An SVG with colours for light and dark pages; the axis of budgets is logarithmic."""
    width, height = LEFT + PLOT + RIGHT, TOP + HEIGHT + BOTTOM
    low, high = (math.log(scaling.points[end].simulations) for end in (0, -1))

    def x(simulations: int) -> float:
        part = (math.log(simulations) - low) / (high - low)
        return LEFT + EDGE + part * (PLOT - 2 * EDGE)

    def y(share: float) -> float:
        return TOP + HEIGHT * (1 - share)

    lines = []
    for tenths in LINES:
        at = y(tenths / 10)
        ends = f'x1="{LEFT}" x2="{LEFT + PLOT}" y1="{at:.1f}" y2="{at:.1f}"'
        lines.append(f'<line class="grid" {ends}/>')
        place = f'x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end"'
        lines.append(f'<text class="soft" {place}>{tenths / 10:.1f}</text>')
    for one in scaling.points:
        at = x(one.simulations)
        low_end, high_end = y(one.interval.low), y(one.interval.high)
        ends = f'x1="{at:.1f}" x2="{at:.1f}" y1="{low_end:.1f}" y2="{high_end:.1f}"'
        middle = f'x="{at:.1f}" text-anchor="middle"'
        lines += [
            f'<line class="bar" {ends}/>',
            f'<circle class="dot" cx="{at:.1f}" cy="{y(one.share):.1f}" r="5"/>',
            f'<text {middle} y="{TOP + HEIGHT + 22}">{one.simulations:,}</text>',
            f'<text class="soft" {middle} y="{TOP + HEIGHT + 40}">{one.games} games</text>',
        ]
    return svg(scaling.title, height, lines, width)
