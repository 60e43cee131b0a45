"""Policy and value networks over masked actions, and their files."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy
import torch

from archipel.envs.learn.networks import GraphNetwork, flat_network
from archipel.envs.learn.settings import FLAT, NETWORKS
from archipel.envs.observation_spec import VERSION, spec_of
from archipel.envs.structured import graph_of
from archipel.rules.contract import UnknownGameError

#: Logit of an illegal action: practically never chosen, and finite.
NEVER = -1e9

FORMAT = "archipel-policy-1"

#: Hidden units of the largest network that a file may hold.
MOST_HIDDEN = 4096


class PolicyError(ValueError):
    """A file is no policy, or one for other observations; the message is one line."""


class Policy:
    """An actor and a critic network over the observation of a game."""

    def __init__(
        self,
        game: str,
        hidden_size: int = 128,
        device: str = "cpu",
        seed: int = 0,
        network: str = FLAT,
    ) -> None:
        self.game, self.hidden_size = game, hidden_size
        self.device, self.network = device, network
        chance = torch.Generator().manual_seed(seed)
        actions = spec_of(game).actions
        self.actor = self._make(actions, 0.01, chance).to(device)
        self.critic = self._make(1, 1.0, chance).to(device)

    def _make(self, outputs: int, last: float, chance: Any) -> Any:
        if self.network == FLAT:
            size = spec_of(self.game).size
            return flat_network(size, self.hidden_size, outputs, last, chance)
        return GraphNetwork(graph_of(self.game), self.hidden_size, outputs, last, chance)

    def parameters(self) -> list[Any]:
        return [*self.actor.parameters(), *self.critic.parameters()]

    def log_probs(self, obs: Any, action_mask: Any) -> Any:
        """Log probabilities of the actions; illegal ones are masked."""
        logits = self.actor(obs).masked_fill(action_mask == 0, NEVER)
        return torch.log_softmax(logits, dim=-1)

    def values(self, obs: Any) -> Any:
        return self.critic(obs).squeeze(-1)

    def greedy_actions(self, obs: Any, action_mask: Any) -> Any:
        """The most likely actions, for arrays or tensors; an opponent of the environments."""
        seen, legal = (torch.as_tensor(given, device=self.device) for given in (obs, action_mask))
        with torch.no_grad():
            return self.log_probs(seen, legal).argmax(dim=-1)

    def choose(self, view: Any) -> int:
        """The most likely action in a view, such as `archipel.Decision.view`."""
        spec = spec_of(self.game)
        obs = torch.from_numpy(spec.observe(view)).to(self.device)
        mask = torch.from_numpy(spec.action_mask(view)).to(self.device)
        return int(self.greedy_actions(obs[None], mask[None])[0])

    def __call__(self, decision: Any) -> int:
        """The most likely action, as a player of `archipel.study.match`."""
        return self.choose(decision.view)

    def save(self, path: Path | str) -> None:
        """Save the weights as plain arrays."""
        weights = {
            f"{name}.{key}": value.cpu().numpy()
            for name, network in (("actor", self.actor), ("critic", self.critic))
            for key, value in network.state_dict().items()
        }
        about = numpy.array([FORMAT, self.game, str(VERSION), self.network, str(self.hidden_size)])
        with open(path, "wb") as file:
            numpy.savez(file, about=about, **weights)

    @classmethod
    def load(cls, path: Path | str, device: str = "cpu") -> Policy:
        """Read a policy; raises `PolicyError` or `OSError`. A file cannot run code."""
        try:
            with numpy.load(path, allow_pickle=False) as kept:
                policy = cls._described(kept, device)
                for name, network in (("actor", policy.actor), ("critic", policy.critic)):
                    found = {key: kept[f"{name}.{key}"] for key in network.state_dict()}
                    weights = {key: torch.from_numpy(value) for key, value in found.items()}
                    network.load_state_dict(weights)
        except (KeyError, ValueError, RuntimeError, EOFError, zipfile.BadZipFile) as error:
            text = str(error).strip().splitlines()
            raise PolicyError(f"{path} is no policy: {text[0] if text else error}") from None
        return policy

    @classmethod
    def _described(cls, kept: Any, device: str) -> Policy:
        """A policy of the game, network and size that a file says."""
        form, game, version, network, hidden = (str(word) for word in kept["about"])
        if (form, version) != (FORMAT, str(VERSION)):
            raise ValueError(f"{form} for observations {version}, not {FORMAT} for {VERSION}")
        if network not in NETWORKS or not 1 <= int(hidden) <= MOST_HIDDEN:
            raise ValueError(f"network {network} of size {hidden}")
        try:
            return cls(game, int(hidden), device, network=network)
        except UnknownGameError as error:
            raise ValueError(str(error)) from None
