"""The order of players at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from archipel.rules.hex_sea.sea_parts import S
from archipel.rules.kit import rule


@dataclass(frozen=True)
class Ranking(Generic[S]):
    """The order of players by their score."""

    score: Callable[[S, int], int]

    @rule
    def rank(self, s: S, seat: int) -> int:
        """Return the number of players with a higher score: equal scores share a rank."""
        mine = self.score(s, seat)
        ahead = 0
        for other in range(s.seats):
            if self.score(s, other) > mine:
                ahead += 1
        return ahead
