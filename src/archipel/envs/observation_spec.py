"""Observations of a game: the layout in named parts, the rule that writes them, and their version.

The version is part of the environments' names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy
from numpy.typing import NDArray

from archipel.rules.all_games import game_named, games
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.core.observations import (
    Observation,
    Part,
    observing_rule,
    parts_of,
    plain_observation,
)

VERSION = 1
NAMESPACE = "archipel"


def environment_name(game: str) -> str:
    """``archipel/DeepSea-v1``; a change of observations or rewards increments the version."""
    words = "".join(word.capitalize() for word in game.split("-"))
    return f"{NAMESPACE}/{words}-v{VERSION}"


def environment_names() -> dict[str, str]:
    """Names of the environments by game."""
    return {definition.name: environment_name(definition.name) for definition in games()}


def observation_of(game: str) -> Observation:
    """Declaration of a game's observations; raises `UnknownGameError`."""
    definition = game_named(game)
    return definition.observation or plain_observation(definition.state)


@cache
def observing(game: str) -> AnyRule:
    """The rule that writes the observation of a seat's view."""
    definition = game_named(game)
    return observing_rule(game, definition.state, definition.seats[-1], observation_of(game))


@dataclass(frozen=True)
class ObservationSpec:
    """Parts of a game's observation, in order."""

    game: str
    parts: tuple[Part, ...]
    left_out: Mapping[str, str]
    actions: int

    @property
    def size(self) -> int:
        """Length of an observation."""
        return self.parts[-1].offset + self.parts[-1].size

    def split(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Split an observation, or an array of observations, into named parts without copying."""
        if observation.shape[-1:] != (self.size,):
            raise ValueError(
                f"observations of {self.game} have {self.size} numbers, not {observation.shape}"
            )
        before = observation.shape[:-1]
        return {
            part.name: observation[..., part.offset : part.offset + part.size].reshape(
                (*before, *part.shape)
            )
            for part in self.parts
        }

    def low(self) -> NDArray[numpy.float32]:
        """Lower bounds of all entries; the upper bound is 1."""
        low = numpy.zeros(self.size, numpy.float32)
        for part in self.parts:
            low[part.offset : part.offset + part.size] = part.lowest
        return low


@cache
def spec_of(game: str) -> ObservationSpec:
    """Observation layout of a game; raises `UnknownGameError`."""
    definition = game_named(game)
    observation = observation_of(game)
    parts = parts_of(definition.state, definition.seats[-1], observation)
    return ObservationSpec(game, parts, observation.left_out, definition.actions)
