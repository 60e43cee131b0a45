"""How far learning is, as it goes and as it is written down."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archipel.envs.learn.judge import Judge
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
    """That it was judged by."""
    share: float
    """Of first place in them."""

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


def learning(learner: Learner, judge: Judge, seconds: float, points: int) -> Iterator[Point]:
    """Learn for so long, or for as many decisions as were set, and be judged so often on the way.

    The rate of learning falls with the decisions where their number is set, else with the clock.
    """
    begun, used = time.perf_counter(), time.process_time()
    most = learner.settings.decisions
    done, judged = 0.0, 0
    while True:
        if done * points >= judged:
            shares = judge.shares(learner.policy)
            mean = sum(share * count for share, count in shares.items()) / judge.games
            passed, processor = time.perf_counter() - begun, time.process_time() - used
            yield Point(passed, processor, min(done, 1), learner.decisions, judge.games, mean)
            judged = int(done * points) + 1
        if done >= 1:
            return
        learner.go_on(learner.decisions / most if most else done)
        passed = time.perf_counter() - begun
        done = max(passed / seconds, learner.decisions / most if most else 0)
        if done >= 1:
            judged = 0  # the end is always a point
