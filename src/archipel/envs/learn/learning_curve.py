"""Train and evaluate at intervals: the points of a learning curve."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archipel.envs.learn.evaluator import Evaluator
    from archipel.envs.learn.ppo import Learner


@dataclass(frozen=True)
class Point:
    """A point of the learning curve."""

    seconds: float
    cpu_seconds: float
    progress: float
    """Of the training, 0 to 1."""
    timesteps: int
    games: int
    """Games of the evaluation."""
    win_share: float
    """Mean win share in them."""

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


def learning(
    learner: Learner, evaluator: Evaluator, seconds: float, points: int
) -> Iterator[Point]:
    """Train for a time or a number of timesteps, and yield ``points`` evaluations on the way.

    The learning rate decays with the timesteps if their number is set, else with the clock.
    """
    started, used = time.perf_counter(), time.process_time()
    most = learner.settings.total_timesteps
    done, evaluated = 0.0, 0
    while True:
        if done * points >= evaluated:
            shares = evaluator.win_shares(learner.policy)
            mean = sum(share * count for share, count in shares.items()) / evaluator.games
            passed, processor = time.perf_counter() - started, time.process_time() - used
            yield Point(passed, processor, min(done, 1), learner.timesteps, evaluator.games, mean)
            evaluated = int(done * points) + 1
        if done >= 1:
            return
        learner.update(learner.timesteps / most if most else done)
        passed = time.perf_counter() - started
        done = max(passed / seconds, learner.timesteps / most if most else 0)
        if done >= 1:
            evaluated = 0  # the end is always a point
