"""The programs of environments, by the name of their game, as another process can find them too."""

from __future__ import annotations

from functools import cache

from archipel.bots import roster_of
from archipel.bots.random_play import only_at_random
from archipel.envs.kernel import fill_at_random, look_at_lane, observe_states, play_lanes
from archipel.rules import slots
from archipel.rules.all_games import game_named
from archipel.rules.kit import Program
from archipel.rules.kit.loading import load_backend
from archipel.rules.kit.marking import AnyRule
from archipel.rules.kit.observing import Observation, observing_rule, plain_observation
from archipel.rules.kit.program import Backend


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
def lanes_program(game: str, bots: bool) -> Program:
    """Many games side by side. Without bots (but for those that play at random) it is smaller, and
    compiled sooner."""
    roster = roster_of(game)
    bindings: dict[AnyRule, AnyRule] = dict(roster.bindings)
    if not bots:
        bindings[slots.choose] = only_at_random
    bindings[slots.observe] = observing(game)
    entries = (play_lanes, look_at_lane, fill_at_random, observe_states)
    return roster.definition.program(*entries, extra=bindings)


@cache
def lanes_backend(game: str, bots: bool, compiled: bool | None) -> Backend:
    return load_backend(lanes_program(game, bots), compiled)
