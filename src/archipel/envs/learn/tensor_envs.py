"""Vector environments as tensors, on the CPU or a GPU."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from archipel.envs.batch import ROTATE, Batch, players_of
from archipel.envs.learn.settings import CUDA, Settings


class TensorEnvs:
    """One learner in each of many games on one device; a finished game restarts at once.

    The tensors share memory with the batch.  A step overwrites them; copy what you want to keep.
    """

    observations: Any
    """(envs, size) float32."""
    masks: Any
    """(envs, actions): nonzero for legal actions."""
    rewards: Any
    """(envs,) float32: the learner's rewards of the last step."""
    ended: Any
    """(envs,) bool: whether a game ended with the last step."""

    def __init__(self, batch: Any) -> None:
        self._batch = batch
        self.size, self.actions = batch.spec.size, batch.spec.actions

    def reset(self, seed: int) -> None:
        self._batch.reset(seed)

    def step(self, actions: Any) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """GPU memory is freed with the arrays."""


class CpuEnvs(TensorEnvs):
    """On the CPU, by `Batch`."""

    def __init__(self, settings: Settings, envs: int, reward: str) -> None:
        players, rotate = players_of(settings.game, settings.seats, settings.opponents, ROTATE)
        given: dict[str, Any] = {"reward": reward, "autoreset": "same-step"}
        given |= {"players": players, "rotate": rotate, "threads": settings.threads}
        super().__init__(Batch(settings.game, envs, **given))
        into = self._batch.buffers
        self.observations = torch.from_numpy(into.observations)
        self.masks = torch.from_numpy(into.masks)
        self.rewards = torch.zeros(envs)
        self.ended = torch.zeros(envs, dtype=torch.bool)
        self._row = numpy.arange(envs)

    def step(self, actions: Any) -> None:
        into = self._batch.buffers
        # The seat before the step: the next game may give the learner another one.
        seats = into.seats.copy()
        self._batch.step(actions.numpy())
        self.rewards.copy_(torch.from_numpy(into.rewards[self._row, seats]))
        torch.ne(torch.from_numpy(into.ends), 0, out=self.ended)

    def close(self) -> None:
        self._batch.close()


class GpuEnvs(TensorEnvs):
    """On a GPU, by `GpuBatch`."""

    def __init__(self, settings: Settings, envs: int, reward: str) -> None:
        # Imported late: it needs a GPU and the extra ``gpu``.
        from archipel.envs.gpu import GpuBatch

        given: dict[str, Any] = {"reward": reward, "autoreset": "same-step", "seat": ROTATE}
        given |= {"seats": settings.seats, "opponents": settings.opponents}
        super().__init__(batch := GpuBatch(settings.game, envs, **given))
        self.observations, self.masks, self.rewards, self._over, self._cut = (
            torch.as_tensor(array, device=CUDA)
            for array in (batch.observation, batch.mask, batch.rewards, batch.over, batch.cut)
        )
        self.ended = torch.zeros_like(self._over)

    def step(self, actions: Any) -> None:
        self._batch.step(actions)
        torch.logical_or(self._over, self._cut, out=self.ended)


def make_envs(settings: Settings, envs: int, reward: str) -> TensorEnvs:
    """Environments on the device of the settings.

    Raises ValueError or KeyError for unknown games, bots or seats, and for bots that cannot play on
    the device.
    """
    return (GpuEnvs if settings.device == CUDA else CpuEnvs)(settings, envs, reward)
