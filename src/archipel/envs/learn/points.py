"""How far learning is, as it goes and as it is written down."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archipel.envs.learn.ppo import Learner


@dataclass(frozen=True)
class Point:
    """One point of the curve."""

    seconds: float
    processor_seconds: float
    done: float
    """How much of the learning is over: 1 at its end."""
    decisions: int
    games: int
    """That ended since the last point."""
    share: float
    """Of first place in them, while actions were still drawn by their chances."""

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


def learning(learner: Learner, seconds: float, games_per_point: int = 1000) -> Iterator[Point]:
    """Learn for so long, or for as many decisions as were set; a point for so many games at least.

    The rate of learning falls with the decisions where their number is set, else with the clock.
    """
    begun, used = time.perf_counter(), time.process_time()
    most = learner.settings.decisions
    games, shares, done = 0, 0.0, 0.0
    while done < 1:
        more, won = learner.go_on(learner.decisions / most if most else done)
        games, shares = games + more, shares + won
        passed = time.perf_counter() - begun
        done = max(passed / seconds, learner.decisions / most if most else 0)
        if games and (games >= games_per_point or done >= 1):
            processor = time.process_time() - used
            yield Point(
                passed, processor, min(done, 1), learner.decisions, games, min(shares / games, 1)
            )
            games, shares = 0, 0.0
