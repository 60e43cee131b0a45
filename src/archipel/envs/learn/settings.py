"""Settings of the PPO baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from archipel.rules.deprecation import former_fields

CPU = "cpu"
CUDA = "cuda"
DEVICES = (CPU, CUDA)

#: Networks: over the flat observation, or over the graph of the board.
FLAT = "flat"
GRAPH = "graph"
NETWORKS = (FLAT, GRAPH)

#: In place of opponents: the learner has every seat.
SELF = "self"

#: Former names of settings, as in files of the format ``archipel-learning-1``.
FORMER_NAMES = {
    "decisions": "total_timesteps",
    "lanes": "num_envs",
    "steps": "n_steps",
    "rounds": "epochs",
    "pieces": "minibatches",
    "rate": "learning_rate",
    "margin": "score_margin_coef",
    "discount": "gamma",
    "smoothing": "gae_lambda",
    "clip": "clip_range",
    "curiosity": "entropy_coef",
    "hidden": "hidden_size",
    "threads": "workers",
}


@former_fields(**FORMER_NAMES, envs="num_envs", margin_reward="score_margin_coef")
@dataclass(frozen=True)
class Settings:
    """Hyperparameters; the defaults are those of the learning curve in the documents."""

    game: str = "deep-sea"
    opponents: str = "random"
    """A bot, or `SELF` for self-play."""
    evaluation_opponents: str = ""
    """The bot of the evaluations; empty: the opponents.  Self-play needs one."""
    seats: int = 2
    total_timesteps: int = 4_000_000
    """Decisions in all; the learning rate decays linearly over them.  0: until time is up, and the
    learning rate decays with the clock."""
    num_envs: int = 128
    n_steps: int = 32
    """Decisions per environment and update."""
    epochs: int = 3
    """Passes over the decisions of an update."""
    minibatches: int = 4
    """Minibatches per epoch."""
    learning_rate: float = 2e-3
    score_margin_coef: float = 1.0
    """Initial weight of the score margin in the reward, 0 to 1; it decays to 0."""
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    entropy_coef: float = 0.01
    hidden_size: int = 64
    """Width of the hidden layers."""
    seed: int = 1
    workers: int = 1
    """Threads for games and networks."""
    device: str = CPU
    network: str = FLAT

    def against_bots(self) -> Settings:
        """The settings of an evaluation."""
        return replace(self, opponents=self.evaluation_opponents or self.opponents)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Settings:
        """Settings of a file of either format."""
        return cls(**{FORMER_NAMES.get(name, name): value for name, value in data.items()})
