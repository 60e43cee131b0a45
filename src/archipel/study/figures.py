"""The figures of a study by name: means with their 95 % intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

from archipel.rules.all_games import game_named
from archipel.study.statistics import NORMAL_95

#: Of the whole game, and means over its seats.
OF_THE_GAME = ("decisions", "rounds", "best")
TURNS = "turns"
SCORE = "score"
WINS = "wins of seat "


def game_figures(game: str) -> tuple[str, ...]:
    """The figures whose sums are kept for each game of a table, in their order."""
    course = game_named(game).course
    own = course.figures if course is not None else ()
    return (*OF_THE_GAME, TURNS, SCORE, *own)


def is_per_seat(figure: str) -> bool:
    """Whether a figure is a mean over the seats of a game."""
    return figure not in OF_THE_GAME


def figure_names(game: str) -> list[str]:
    """What a target may name."""
    wins = [f"{WINS}{seat}" for seat in range(1, game_named(game).seats[-1] + 1)]
    return [*game_figures(game), *wins]


@dataclass(frozen=True)
class Mean:
    """A mean, and half the width of its 95 % interval."""

    value: float
    half: float

    @property
    def low(self) -> float:
        return self.value - self.half

    @property
    def high(self) -> float:
        return self.value + self.half

    def less(self, other: Mean) -> Mean:
        """The difference of two means of different games."""
        return Mean(self.value - other.value, math.hypot(self.half, other.half))


def mean_of(games: int, total: int, squares: int, parts: int = 1) -> Mean:
    """From sums over games, which are exact; ``parts`` are the seats that a game's value sums up.

    Seats of one game are no independent samples: the interval is that of the games.  Of one game
    alone nothing is known.
    """
    if games < 2:
        return Mean(total / max(1, games) / parts, math.inf)
    spread = max(0, squares * games - total * total)  # of whole numbers: no rounding
    deviation = math.sqrt(spread / games / (games - 1))
    return Mean(total / games / parts, NORMAL_95 * deviation / math.sqrt(games) / parts)


def mean_over(means: list[Mean]) -> Mean:
    """The mean of means of different games."""
    value = math.fsum(mean.value for mean in means) / len(means)
    half = math.sqrt(math.fsum(mean.half**2 for mean in means)) / len(means)
    return Mean(value, half)
