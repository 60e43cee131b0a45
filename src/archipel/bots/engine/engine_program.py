"""The engine of each game as a program."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from archipel.bots.all_bots import roster_of
from archipel.bots.contract import Roster
from archipel.bots.engine.entry_points import (
    Engine,
    EnginePolicies,
    EngineSettings,
    read_statistics,
)
from archipel.bots.rollouts import Rollouts
from archipel.bots.search.config import SearchConfig
from archipel.bots.search.seq_halving import halve
from archipel.rules.kit import Program

#: Rules of the game that the engine calls from several places: they are not inlined.
SHARED = ("legal", "apply", "deal_unseen", "view", "recall", "rank")

#: Rules of the game that can be called one by one.
RULES = (*SHARED[:4], "to_move", "rank", "score")


def engine_config(roster: Roster) -> SearchConfig:
    """The settings of the engine: those of the strongest level. Its budget is not used."""
    return roster.levels[-1].config


@cache
def engine_program(game: str) -> Program:
    """The engine of a game with levels, importable by name from another process."""
    roster = roster_of(game)
    definition, rules = roster.definition, roster.definition.rules
    settings = _settings(roster)
    policies = EnginePolicies(settings, roster.choose)
    bots = replace(roster.rules, choose=policies.choose)
    engine = Engine(rules, bots, settings)
    entries = (
        engine.begin_search,
        engine.begin_evaluation,
        engine.explore,
        halve,
        read_statistics,
        engine.evaluate_candidates,
        Rollouts(rules, bots).roll_out,
    )
    return Program(
        definition.name,
        definition.state,
        {**{entry.__name__: entry for entry in entries}, **rules.entries(*RULES)},
        apart=(*rules.entries(*SHARED).values(), policies.choose),
    )


def _settings(roster: Roster) -> EngineSettings:
    config = engine_config(roster)
    most = roster.definition.seats[-1]
    known = {seats: roster.weights(config.evaluation, seats) for seats in roster.definition.seats}
    features = max(len(weights) for weights in known.values())
    nothing = (0.0,) * max(1, features)
    settings: dict[str, Any] = {
        name: int(value) if isinstance(value, bool) else value
        for name, value in vars(config).items()
        if name in EngineSettings.__dataclass_fields__
    }
    settings |= {name: roster.number_of(bot) for name, bot in config.bots().items()}
    weights = [list(known.get(seats) or nothing) for seats in range(most + 1)]
    return EngineSettings(**settings, features=features, weights=weights)
