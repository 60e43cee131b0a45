"""How good a policy is: games of seeds that nothing is learnt from."""

from __future__ import annotations

from typing import Any

import torch

from archipel.envs.learn.lanes import make_lanes
from archipel.envs.learn.policy import Policy
from archipel.envs.learn.settings import Settings

#: The lanes of one seed learn from games of the first so many seeds of lanes; those of the next so
#: many are for the curve, and the ones after that for the last word.
SEEDS = 2**30
TO_LEARN, FOR_THE_CURVE, FOR_THE_LAST_WORD = range(3)


def first_seed(seed: int, purpose: int) -> int:
    """Of the lanes, for a purpose: no game has two."""
    return (4 * seed + purpose) * SEEDS


class Judge:
    """Lets a policy play, always what it thinks best: so many games, the same ones every time."""

    def __init__(self, settings: Settings, games: int, purpose: int) -> None:
        self._seed = first_seed(settings.seed, purpose)
        self._count = min(settings.lanes, games)
        # As many in each lane: short games would come up more often if the first to end counted.
        self._each = -(-games // self._count)
        self.games = self._count * self._each
        self._lanes = make_lanes(settings, self._count, "share")

    def shares(self, policy: Policy) -> dict[float, int]:
        """How often it got which share of first place."""
        lanes = self._lanes
        lanes.reset(self._seed)
        ended = torch.zeros(self._count, dtype=torch.int64, device=policy.device)
        parts: list[Any] = []
        while bool((ended < self._each).any()):
            lanes.step(policy.likeliest(lanes.observations, lanes.masks))
            counted = lanes.ended & (ended < self._each)
            ended += counted
            parts.append(lanes.rewards[counted])
        shares, counts = torch.cat(parts).clamp(min=0).unique(return_counts=True)
        return dict(zip(shares.tolist(), counts.tolist(), strict=True))

    def close(self) -> None:
        self._lanes.close()
