"""Ratings of members from a club's results: Plackett-Luce by openskill, for any number of seats.

A rating is a mean and a standard deviation, both uncertain at first. Levels of bots are fixed
points: they have the rating of their place on the ladder and keep it, so that the ratings of
different clubs mean the same. 1000 points are those of the newest greedy bot; 400 points more are
a factor of ten in strength.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from openskill.models import PlackettLuce

Player = TypeVar("Player")

CENTRE = 1000.0
#: Of openskill's scale: the strength of a team is exp(mu / beta) times a constant, for small sigma.
_MU = 25.0
_BETA = _MU / 6
POINTS_PER_MU = 400 / (math.log(10) * math.sqrt(2) * _BETA)
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True)
class Rating:
    """In points; ``deviation`` is the standard deviation of our belief."""

    points: float
    deviation: float
    games: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        spread = NORMAL_95 * self.deviation
        return self.points - spread, self.points + spread


@dataclass(frozen=True)
class Result(Generic[Player]):
    """The players of a game and their ranks, 0 the best; equal ranks are ties."""

    players: Sequence[Player]
    ranks: Sequence[int]


def ratings(
    results: Iterable[Result[Player]], fixed: Mapping[Player, float] | None = None
) -> dict[Player, Rating]:
    """The ratings after these results, in their order. ``fixed`` players keep their points."""
    model = PlackettLuce(mu=_MU, beta=_BETA)
    anchors = {player: _mu_of(points) for player, points in (fixed or {}).items()}
    known: dict[Player, tuple[float, float]] = {}
    games: dict[Player, int] = {}
    for result in results:
        if len(set(result.players)) < 2:
            continue
        teams = []
        for player in result.players:
            mu, sigma = known.get(player, (_MU, model.sigma))
            if player in anchors:
                mu, sigma = anchors[player], 1e-3
            teams.append([model.rating(mu=mu, sigma=sigma)])
        rated = model.rate(teams, ranks=[float(rank) for rank in result.ranks])
        for player, (after,) in zip(result.players, rated, strict=True):
            known[player] = after.mu, after.sigma
            games[player] = games.get(player, 0) + 1
    return {
        player: Rating(CENTRE + (mu - _MU) * POINTS_PER_MU, sigma * POINTS_PER_MU, games[player])
        for player, (mu, sigma) in known.items()
        if player not in anchors
    }


def _mu_of(points: float) -> float:
    return _MU + (points - CENTRE) / POINTS_PER_MU
