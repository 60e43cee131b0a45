"""Vector environments as tensors, on the CPU or a GPU."""

from __future__ import annotations

from typing import Any, Protocol

import numpy
import torch

from archipel.envs.batch import Batch
from archipel.envs.learn.settings import CUDA, Settings
from archipel.envs.seating import ROTATE, players_of


class TensorEnvs(Protocol):
    """One learner in each of many games on one device; a finished game restarts at once.

    A step overwrites the tensors; copy what you want to keep.
    """

    size: int
    """Size of an observation."""
    actions: int
    observations: Any
    """(envs, size) float32."""
    masks: Any
    """(envs, actions): nonzero for legal actions."""
    rewards: Any
    """(envs,) float32: the learner's rewards of the last step."""
    ended: Any
    """(envs,) bool: whether a game ended with the last step."""

    def reset(self, seed: int) -> None: ...

    def step(self, actions: Any) -> None: ...

    def close(self) -> None: ...


class CpuEnvs:
    """On the CPU: the tensors share memory with `Batch`."""

    def __init__(self, settings: Settings, envs: int, reward: str) -> None:
        players, rotate = players_of(settings.game, settings.seats, settings.opponents, ROTATE)
        self._batch = Batch(
            settings.game,
            envs,
            players=players,
            rotate=rotate,
            reward=reward,
            autoreset="same-step",
            threads=settings.threads,
        )
        self.size, self.actions = self._batch.spec.size, self._batch.spec.actions
        into = self._batch.buffers
        self.observations = torch.from_numpy(into.observations)
        self.masks = torch.from_numpy(into.masks)
        self.rewards = torch.zeros(envs)
        self.ended = torch.zeros(envs, dtype=torch.bool)
        self._row = numpy.arange(envs)

    def reset(self, seed: int) -> None:
        self._batch.reset(seed)

    def step(self, actions: Any) -> None:
        into = self._batch.buffers
        # The seat before the step: the next game may give the learner another one.
        seats = into.seats.copy()
        self._batch.step(actions.numpy())
        self.rewards.copy_(torch.from_numpy(into.rewards[self._row, seats]))
        torch.ne(torch.from_numpy(into.ends), 0, out=self.ended)

    def close(self) -> None:
        self._batch.close()


class GpuEnvs:
    """On a GPU: the tensors share memory with `GpuBatch`."""

    def __init__(self, settings: Settings, envs: int, reward: str) -> None:
        # Imported late: it needs a GPU and the extra ``gpu``.
        from archipel.envs.gpu import GpuBatch

        self._batch = GpuBatch(
            settings.game,
            envs,
            seats=settings.seats,
            opponents=settings.opponents,
            seat=ROTATE,
            reward=reward,
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
        """GPU memory is freed with the arrays."""


def make_envs(settings: Settings, envs: int, reward: str) -> TensorEnvs:
    """Environments on the device of the settings.

    Raises ValueError or KeyError for unknown games, bots or seats, and for bots that cannot play on
    the device.
    """
    return (GpuEnvs if settings.device == CUDA else CpuEnvs)(settings, envs, reward)
