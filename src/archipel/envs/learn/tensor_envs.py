"""Vector environments as tensors, on the CPU or a GPU."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from archipel.envs.batch import ROTATE, Batch, Player, players_of
from archipel.envs.learn.settings import CUDA, SELF, Settings


class TensorEnvs:
    """One learner in each of many games on one device, in one seat or, in self-play, in all.

    A finished game restarts at once.

    The tensors share memory with the batch.  A step overwrites them; copy what you want to keep.
    """

    obs: Any
    """(num_envs, obs_size) float32."""
    action_mask: Any
    """(num_envs, num_actions): nonzero for legal actions."""
    seat: Any
    """(num_envs,) int64: the seat to decide."""
    reward: Any
    """(num_envs,) float32: the last step's reward of the seat that decided."""
    returns: Any
    """(num_envs, seats) float32: the last step's rewards of all seats."""
    done: Any
    """(num_envs,) bool: whether a game ended with the last step."""

    def __init__(self, batch: Any) -> None:
        self._batch = batch
        self.obs_size, self.num_actions = batch.spec.size, batch.spec.actions

    def reset(self, seed: int) -> None:
        self._batch.reset(seed)

    def step(self, actions: Any) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """GPU memory is freed with the arrays."""


class CpuEnvs(TensorEnvs):
    """On the CPU, by `Batch`."""

    def __init__(self, settings: Settings, num_envs: int, reward: str) -> None:
        players: list[Player] = ["outside"] * settings.seats
        rotate = False
        if settings.opponents != SELF:
            players, rotate = players_of(settings.game, settings.seats, settings.opponents, ROTATE)
        given: dict[str, Any] = {"reward": reward, "autoreset": "same-step"}
        given |= {"players": players, "rotate": rotate, "workers": settings.workers}
        super().__init__(Batch(settings.game, num_envs, **given))
        into = self._batch.buffers
        self.obs = torch.from_numpy(into.obs)
        self.action_mask = torch.from_numpy(into.action_mask)
        self.seat = torch.from_numpy(into.seats)
        self.reward = torch.zeros(num_envs)
        self.returns = torch.zeros(num_envs, settings.seats)
        self.done = torch.zeros(num_envs, dtype=torch.bool)
        self._row = numpy.arange(num_envs)

    def step(self, actions: Any) -> None:
        into = self._batch.buffers
        # The seat before the step: the next game may give the learner another one.
        seats = into.seats.copy()
        self._batch.step(actions.numpy())
        self.reward.copy_(torch.from_numpy(into.rewards[self._row, seats]))
        self.returns.copy_(torch.from_numpy(into.rewards))
        torch.ne(torch.from_numpy(into.ends), 0, out=self.done)

    def close(self) -> None:
        self._batch.close()


class GpuEnvs(TensorEnvs):
    """On a GPU, by `GpuBatch`."""

    def __init__(self, settings: Settings, num_envs: int, reward: str) -> None:
        # Imported late: it needs a GPU and the extra ``gpu``.
        from archipel.envs.gpu import GpuBatch

        given: dict[str, Any] = {"reward": reward, "autoreset": "same-step"}
        if settings.opponents == SELF:
            given |= {"players": ["outside"] * settings.seats}
        else:
            given |= {"seats": settings.seats, "opponents": settings.opponents, "seat": ROTATE}
        super().__init__(batch := GpuBatch(settings.game, num_envs, **given))
        self.obs, self.action_mask, self.reward, self._returns, self._seat = (
            torch.as_tensor(array, device=CUDA)
            for array in (batch.obs, batch.action_mask, batch.reward, batch.returns, batch.seat)
        )
        self._terminated = torch.as_tensor(batch.terminated, device=CUDA)
        self._truncated = torch.as_tensor(batch.truncated, device=CUDA)
        self.done = torch.zeros_like(self._terminated)
        self.returns = torch.zeros_like(self._returns, dtype=torch.float32)
        self.seat = torch.zeros_like(self._seat, dtype=torch.int64)

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.seat.copy_(self._seat)

    def step(self, actions: Any) -> None:
        self._batch.step(actions)
        torch.logical_or(self._terminated, self._truncated, out=self.done)
        self.returns.copy_(self._returns)
        self.seat.copy_(self._seat)


def make_envs(settings: Settings, num_envs: int, reward: str) -> TensorEnvs:
    """Environments on the device of the settings.

    Raises ValueError or KeyError for unknown games, bots or seats, and for bots that cannot play on
    the device.
    """
    return (GpuEnvs if settings.device == CUDA else CpuEnvs)(settings, num_envs, reward)
