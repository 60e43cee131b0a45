"""What stands where in an observation, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy
from numpy.typing import NDArray

from archipel.envs.programs import observation_of
from archipel.rules.all_games import game_named
from archipel.rules.kit.observing import Part, parts_of

#: The version of the observations of every game, part of the names of environments: what reads
#: differently gets the next number.
VERSION = 1


@dataclass(frozen=True)
class ObservationSpec:
    """The parts of a game's observations, in their order."""

    game: str
    parts: tuple[Part, ...]
    left_out: Mapping[str, str]
    actions: int

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return self.parts[-1].offset + self.parts[-1].size

    def split(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The parts of an observation by their names, or of many at once: views, no copies.

        Axes before the last stay as they are.
        """
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
        """The least that each number can be; the most is 1."""
        low = numpy.zeros(self.size, numpy.float32)
        for part in self.parts:
            low[part.offset : part.offset + part.size] = part.lowest
        return low


@cache
def spec_of(game: str) -> ObservationSpec:
    """What stands where in the observations of a game; raises `UnknownGameError`."""
    definition = game_named(game)
    observation = observation_of(game)
    return ObservationSpec(
        game,
        parts_of(definition.state, definition.seats[-1], observation),
        observation.left_out,
        definition.actions,
    )
