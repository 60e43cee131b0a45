"""Games side by side that hand over tensors: what the learner plays in, wherever they are."""

from __future__ import annotations

from typing import Any, Protocol

import numpy
import torch

from archipel.envs.batch import Batch
from archipel.envs.learn.settings import CUDA, Settings
from archipel.envs.players import ROTATE, players_of


class Lanes(Protocol):
    """One learner in each of many games, on one device; after its end another begins at once.

    The tensors stay where they are, and a step writes into them: whoever wants to keep something
    copies it.
    """

    size: int
    """Numbers in an observation."""
    actions: int
    observations: Any
    """(lanes, size) float32."""
    masks: Any
    """(lanes, actions): not 0 for what is legal."""
    rewards: Any
    """(lanes,) float32: what the learner got with the last step."""
    ended: Any
    """(lanes,) bool: whether a game ended with the last step."""

    def reset(self, seed: int) -> None: ...

    def step(self, actions: Any) -> None: ...

    def close(self) -> None: ...


class HostLanes:
    """On the processor: tensors that are the very arrays of the compiled batch."""

    def __init__(self, settings: Settings, lanes: int, worth: str) -> None:
        players, rotate = players_of(settings.game, settings.seats, settings.opponents, ROTATE)
        self._batch = Batch(
            settings.game,
            lanes,
            players=players,
            rotate=rotate,
            worth=worth,
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
        # The learner has the same seat throughout a game; in the next it may have another.
        seats = into.seats.copy()
        self._batch.step(actions.numpy())
        self.rewards.copy_(torch.from_numpy(into.rewards[self._row, seats]))
        torch.ne(torch.from_numpy(into.ends), 0, out=self.ended)

    def close(self) -> None:
        self._batch.close()


class CardLanes:
    """On a graphics card: tensors that are the very arrays of the batch there."""

    def __init__(self, settings: Settings, lanes: int, worth: str) -> None:
        # Only now: it needs a graphics card, and what the extra ``gpu`` brings.
        from archipel.envs.gpu import GpuBatch

        self._batch = GpuBatch(
            settings.game,
            lanes,
            seats=settings.seats,
            opponents=settings.opponents,
            seat=ROTATE,
            worth=worth,
            autoreset="same-step",
        )
        self.size, self.actions = self._batch.spec.size, self._batch.spec.actions
        self.observations = torch.as_tensor(self._batch.observation, device=CUDA)
        self.masks = torch.as_tensor(self._batch.mask, device=CUDA)
        self.rewards = torch.as_tensor(self._batch.rewards, device=CUDA)
        self._over = torch.as_tensor(self._batch.over, device=CUDA)
        self._cut = torch.as_tensor(self._batch.cut, device=CUDA)
        self.ended = torch.zeros_like(self._over)

    def reset(self, seed: int) -> None:
        self._batch.reset(seed)

    def step(self, actions: Any) -> None:
        self._batch.step(actions)
        torch.logical_or(self._over, self._cut, out=self.ended)

    def close(self) -> None:
        """What is on the card goes when nobody holds it any more."""


def make_lanes(settings: Settings, lanes: int, worth: str) -> Lanes:
    """Where the settings say. Raises ValueError or KeyError for games, bots or seats there are
    not, and for bots that cannot play there."""
    return (CardLanes if settings.device == CUDA else HostLanes)(settings, lanes, worth)
