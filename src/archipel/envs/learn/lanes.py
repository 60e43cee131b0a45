"""Games side by side that hand over tensors: what the learner plays in, wherever they are."""

from __future__ import annotations

from typing import Any, Protocol

import numpy
import torch

from archipel.envs.batch import Batch
from archipel.envs.learn.settings import Settings
from archipel.envs.players import ROTATE, players_of


class Lanes(Protocol):
    """One learner in each of many games, on one device.

    What `step` writes into stays the same, so whoever wants to keep it copies it.
    """

    size: int
    """Numbers in an observation."""
    actions: int
    observations: Any
    """(lanes, size) float32."""
    masks: Any
    """(lanes, actions): not 0 for what is legal; nothing is where only another game begins."""
    rewards: Any
    """(lanes,) float32: what the learner got with the last step."""
    ended: Any
    """(lanes,) bool: whether a game ended with the last step."""

    def reset(self, seed: int) -> None: ...

    def step(self, actions: Any) -> None: ...

    def close(self) -> None: ...


class HostLanes:
    """On the processor: tensors that are the very arrays of the compiled batch."""

    def __init__(self, settings: Settings, lanes: int) -> None:
        players, rotate = players_of(settings.game, settings.seats, settings.opponents, ROTATE)
        self._batch = Batch(
            settings.game,
            lanes,
            players=players,
            rotate=rotate,
            autoreset="same-step",
            threads=settings.threads,
        )
        self.size, self.actions = self._batch.spec.size, self._batch.spec.actions
        into = self._batch.buffers
        self.observations = torch.from_numpy(into.observations)
        self.masks = torch.from_numpy(into.masks)
        self.rewards = torch.zeros(lanes)
        self.ended = torch.zeros(lanes, dtype=torch.bool)
        self._row = numpy.arange(lanes)

    def reset(self, seed: int) -> None:
        self._batch.reset(seed)

    def step(self, actions: Any) -> None:
        into = self._batch.buffers
        # The learner has the same seat throughout a game; after its end it may have another.
        seats = into.seats.copy()
        self._batch.step(actions.numpy())
        self.rewards.copy_(torch.from_numpy(into.rewards[self._row, seats]))
        torch.ne(torch.from_numpy(into.ends), 0, out=self.ended)

    def close(self) -> None:
        self._batch.close()


def make_lanes(settings: Settings, lanes: int) -> Lanes:
    """Raises ValueError or KeyError for a game, bots or seats that are not there."""
    return HostLanes(settings, lanes)
