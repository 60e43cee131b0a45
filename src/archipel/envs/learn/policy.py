"""Policy and value networks over masked actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import torch
from torch import nn

#: Logit of an illegal action: practically never chosen, and finite.
NEVER = -1e9


class Policy:
    """An actor and a critic network over the same observation."""

    def __init__(
        self,
        obs_size: int,
        num_actions: int,
        hidden_size: int = 128,
        device: str = "cpu",
        seed: int = 0,
    ) -> None:
        self.obs_size, self.num_actions = obs_size, num_actions
        self.hidden_size, self.device = hidden_size, device
        chance = torch.Generator().manual_seed(seed)
        self.actor = _network(obs_size, hidden_size, num_actions, 0.01, chance).to(device)
        self.critic = _network(obs_size, hidden_size, 1, 1.0, chance).to(device)

    def parameters(self) -> list[Any]:
        return [*self.actor.parameters(), *self.critic.parameters()]

    def log_probs(self, obs: Any, action_mask: Any) -> Any:
        """Log probabilities of the actions; illegal ones are masked."""
        logits = self.actor(obs).masked_fill(action_mask == 0, NEVER)
        return torch.log_softmax(logits, dim=-1)

    def values(self, obs: Any) -> Any:
        return self.critic(obs).squeeze(-1)

    def greedy_actions(self, obs: Any, action_mask: Any) -> Any:
        """The most likely actions."""
        with torch.no_grad():
            return self.log_probs(obs, action_mask).argmax(dim=-1)

    def save(self, path: Path) -> None:
        """Save the weights as plain arrays."""
        weights = {
            f"{name}.{key}": value.cpu().numpy()
            for name, network in (("actor", self.actor), ("critic", self.critic))
            for key, value in network.state_dict().items()
        }
        shape = numpy.array([self.obs_size, self.num_actions, self.hidden_size])
        numpy.savez(path, shape=shape, **weights)

    @classmethod
    def load(cls, path: Path, device: str = "cpu") -> Policy:
        with numpy.load(path, allow_pickle=False) as kept:
            obs_size, num_actions, hidden_size = (int(number) for number in kept["shape"])
            policy = cls(obs_size, num_actions, hidden_size, device)
            for name, network in (("actor", policy.actor), ("critic", policy.critic)):
                network.load_state_dict(
                    {key: torch.from_numpy(kept[f"{name}.{key}"]) for key in network.state_dict()}
                )
        return policy


def _network(size: int, hidden: int, out: int, last: float, chance: Any) -> Any:
    layers = [nn.Linear(size, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, out)]
    for layer, gain in zip(layers, (2**0.5, 2**0.5, last), strict=True):
        nn.init.orthogonal_(layer.weight, gain, generator=chance)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])
