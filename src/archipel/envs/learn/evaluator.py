"""Evaluate a policy on seeds that it is not trained on."""

from __future__ import annotations

from typing import Any

import torch

from archipel.envs.learn.policy import Policy
from archipel.envs.learn.settings import Settings
from archipel.envs.learn.tensor_envs import make_envs

#: Size of a seed range. Each seed has three: training, validation (learning curve), final test.
SEEDS = 2**30
TRAINING, VALIDATION, FINAL_TEST = range(3)


def first_seed(seed: int, purpose: int) -> int:
    """First seed of a range; ranges do not overlap."""
    return (4 * seed + purpose) * SEEDS


class Evaluator:
    """Plays the same games with every policy, always with its most likely action."""

    def __init__(self, settings: Settings, games: int, purpose: int) -> None:
        self._seed = first_seed(settings.seed, purpose)
        self._count = min(settings.num_envs, games)
        # Equally many per environment: otherwise short games would be overrepresented.
        self._each = -(-games // self._count)
        self.games = self._count * self._each
        self._envs = make_envs(settings.against_bots(), self._count, "win_share")

    def win_shares(self, policy: Policy) -> dict[float, int]:
        """Histogram of the policy's win shares."""
        envs = self._envs
        envs.reset(self._seed)
        ended = torch.zeros(self._count, dtype=torch.int64, device=policy.device)
        parts: list[Any] = []
        while bool((ended < self._each).any()):
            envs.step(policy.greedy_actions(envs.obs, envs.action_mask))
            counted = envs.done & (ended < self._each)
            ended += counted
            parts.append(envs.reward[counted])
        shares, counts = torch.cat(parts).clamp(min=0).unique(return_counts=True)
        return dict(zip(shares.tolist(), counts.tolist(), strict=True))

    def close(self) -> None:
        self._envs.close()
