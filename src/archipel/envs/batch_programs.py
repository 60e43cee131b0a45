"""The programs of environments, by the name of their game, as another process can find them too."""

from __future__ import annotations

from functools import cache

from archipel.bots import roster_of
from archipel.bots.contract import BotRules
from archipel.bots.random_play import only_at_random
from archipel.envs.batch_kernel import Batches, fill_at_random
from archipel.rules.all_games import game_named
from archipel.rules.kit import Program
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.kit.core.observations import Observation, observing_rule, plain_observation
from archipel.rules.kit.core.program import Backend


def observation_of(game: str) -> Observation:
    """What a game tells a seat; raises `UnknownGameError`."""
    definition = game_named(game)
    return definition.observation or plain_observation(definition.state)


@cache
def observing(game: str) -> AnyRule:
    """The rule that writes what a seat sees in a game."""
    definition = game_named(game)
    return observing_rule(game, definition.state, definition.seats[-1], observation_of(game))


@cache
def batches(game: str, bots: bool) -> Batches:
    """Many games side by side.

    Without bots (except those that play at random) the program is smaller and compiles faster.
    """
    roster = roster_of(game)
    rules = roster.rules if bots else BotRules(only_at_random)
    return Batches(roster.definition.rules, rules, observing(game))


@cache
def batch_program(game: str, bots: bool) -> Program:
    kernel = batches(game, bots)
    entries = (kernel.step_envs, kernel.observe_env, fill_at_random, kernel.observe_states)
    return game_named(game).program(*entries)


@cache
def batch_backend(game: str, bots: bool, compiled: bool | None) -> Backend:
    return load_backend(batch_program(game, bots), compiled)
