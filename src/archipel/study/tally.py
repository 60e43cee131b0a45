"""What is counted while games are played: all of it whole numbers, so that the order in which
threads finish does not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counts over games. Entrants are the bots in the order given, wherever they sit."""

    seats: int
    #: By how far the seats were turned, followed by each entrant's rank.
    ranks: Counter[tuple[int, ...]] = field(default_factory=Counter)
    #: Each entrant's scores.
    scores: list[Counter[int]] = field(default_factory=list)
    #: How many decisions the games took.
    lengths: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.scores = self.scores or [Counter() for _ in range(self.seats)]

    @property
    def games(self) -> int:
        return self.lengths.total()

    def add(
        self,
        shifts: Sequence[int],
        lengths: Sequence[int],
        ranks: Sequence[Sequence[int]],
        scores: Sequence[Sequence[int]],
    ) -> None:
        """Count games: one number of each per game, of ranks and scores one row per entrant."""
        self.ranks.update(zip(shifts, *ranks, strict=True))
        self.lengths.update(lengths)
        for counted, row in zip(self.scores, scores, strict=True):
            counted.update(row)
