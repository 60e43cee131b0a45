"""Rollouts from a view, by any backend."""

from __future__ import annotations

from typing import Any

from archipel.bots import BotInfo
from archipel.bots.rollouts import NONE, RolloutRun, rollout_program
from archipel.rules.kit.core.program import Backend


def rollout_counts(
    bot: BotInfo,
    view: Any,
    rollouts: int,
    *,
    seed: int,
    opening: int = NONE,
    backend: Backend | None = None,
) -> list[list[int]]:
    """The counts of `RolloutRun` by seat: wins, and one row per goal."""
    run = RolloutRun(backend or rollout_program(bot.game).interpreted(), bot, view, seed, opening)
    run.run(rollouts)
    return [[int(count) for count in row] for row in run.counts]
