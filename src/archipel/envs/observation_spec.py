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
    ActionRange,
    Observation,
    Part,
    observing_rule,
    parts_of,
    plain_observation,
)
from archipel.rules.positions import Position

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
    phases: tuple[str, ...] = ()
    """Names of the phases by number."""
    action_ranges: tuple[ActionRange, ...] = ()
    """What the action numbers mean, by phase."""

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

    def observe(self, view: Any, seat: int | None = None) -> NDArray[numpy.float32]:
        """The observation of a view, such as `archipel.Decision.view`.

        ``seat`` is whose view it is, by default the seat to move.
        """
        state = view.state if isinstance(view, Position) else view
        if seat is None:
            seat = game_named(self.game).to_move(state)
            if seat < 0:
                raise ValueError("the game is over: say whose view it is, seat=...")
        out = numpy.zeros(self.size, numpy.float32)
        observing(self.game)(state, seat, out)
        return out

    def action_mask(self, view: Any) -> NDArray[numpy.int8]:
        """1 for the legal actions of a view."""
        state = view.state if isinstance(view, Position) else view
        mask = numpy.zeros(self.actions, numpy.int8)
        mask[game_named(self.game).legal_actions(state)] = 1
        return mask

    def action_names(self, phase: int) -> list[str | None]:
        """The name of each action in a phase; None where it means nothing.

        `Game.legal` has the notation of the legal actions of a position.
        """
        found = [each for each in self.action_ranges if phase in each.phases]
        return [
            next((name for each in found if (name := each.name(action)) is not None), None)
            for action in range(self.actions)
        ]

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
    tables = observation.phases, observation.actions
    return ObservationSpec(game, parts, observation.left_out, definition.actions, *tables)
