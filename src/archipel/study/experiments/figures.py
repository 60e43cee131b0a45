"""Figures of a study by name, and means with their 95 % intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

from archipel.rules.all_games import game_named
from archipel.study.statistics import NORMAL_95

#: Figures of a game as a whole; all others are means over its seats.
OF_THE_GAME = ("decisions", "rounds", "best")
TURNS = "turns"
SCORE = "score"
WINS = "wins of seat "


def game_figures(game: str) -> tuple[str, ...]:
    """Names of the figures that are summed for each game."""
    course = game_named(game).metrics
    own = course.figures if course is not None else ()
    return (*OF_THE_GAME, TURNS, SCORE, *own)


def is_per_seat(figure: str) -> bool:
    """Whether a figure is a mean over the seats."""
    return figure not in OF_THE_GAME


def figure_names(game: str) -> list[str]:
    """Names that a target may use."""
    wins = [f"{WINS}{seat}" for seat in range(1, game_named(game).seats[-1] + 1)]
    return [*game_figures(game), *wins]


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


def mean_over(means: list[Mean]) -> Mean:
    """Mean of means of independent games."""
    value = math.fsum(mean.value for mean in means) / len(means)
    half = math.sqrt(math.fsum(mean.half**2 for mean in means)) / len(means)
    return Mean(value, half)
