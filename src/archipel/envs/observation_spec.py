"""Layout of observations: named parts of a flat array."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy
from numpy.typing import NDArray

from archipel.envs.batch_programs import observation_of
from archipel.rules.all_games import game_named
from archipel.rules.kit.core.observations import Part, parts_of

#: Version of the observations, part of the environments' names.
VERSION = 1


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
    return ObservationSpec(
        game,
        parts_of(definition.state, definition.seats[-1], observation),
        observation.left_out,
        definition.actions,
    )
