"""Rollouts from a view, by any backend."""

from __future__ import annotations

from functools import cache
from typing import Any

from archipel.bots import BotInfo, roster_of
from archipel.bots.rollouts import GOALS, NONE, STATES, VIEW, Rollouts
from archipel.rules.kit import Program
from archipel.rules.kit.core.program import Backend
from archipel.rules.play_out import MAX_DECISIONS


@cache
def rollout_program(game: str) -> Program:
    roster = roster_of(game)
    return roster.definition.program(Rollouts(roster.definition.rules, roster.rules).roll_out)


def rollout_counts(
    bot: BotInfo,
    view: Any,
    rollouts: int,
    *,
    seed: int,
    opening: int = NONE,
    backend: Backend | None = None,
) -> list[list[int]]:
    """The counts of `Rollouts.roll_out` by seat: wins, and one row per goal."""
    backend = backend or rollout_program(bot.game).interpreted()
    definition = roster_of(bot.game).definition
    limits = definition.read_options(view).seats, len(definition.goals), MAX_DECISIONS
    memory = backend.states(STATES), backend.numbers(definition.most_legal)
    backend.write(memory[0], VIEW, view)
    streams = backend.stream(0), backend.stream(0)
    undecided, counts = (backend.numbers(GOALS + limits[1], limits[0]) for _ in range(2))
    which = seed, 0, rollouts
    backend.roll_out(*memory, bot.index, opening, *streams, *limits, *which, undecided, counts)
    return [[int(count) for count in row] for row in counts]
