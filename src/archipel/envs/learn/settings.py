"""Settings of the PPO baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

CPU = "cpu"
CUDA = "cuda"
DEVICES = (CPU, CUDA)

#: Names of settings in files of the format ``archipel-learning-1``, where they differ.
FILE_NAMES = {
    "envs": "lanes",
    "epochs": "rounds",
    "minibatches": "pieces",
    "learning_rate": "rate",
    "margin_reward": "margin",
    "gae_lambda": "smoothing",
    "entropy_coef": "curiosity",
}


@dataclass(frozen=True)
class Settings:
    """Hyperparameters; the defaults are those of the learning curve in the documents."""

    game: str = "deep-sea"
    opponents: str = "random"
    seats: int = 2
    decisions: int = 4_000_000
    """Decisions in all; the learning rate decays linearly over them.  0: until time is up, and the
    learning rate decays with the clock."""
    envs: int = 128
    steps: int = 32
    """Decisions per environment and update."""
    epochs: int = 3
    """Passes over the decisions of an update."""
    minibatches: int = 4
    """Minibatches per epoch."""
    learning_rate: float = 2e-3
    margin_reward: float = 1.0
    """Initial weight of the points margin in the reward, 0 to 1; it decays to 0."""
    discount: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy_coef: float = 0.01
    hidden: int = 64
    """Width of the hidden layers."""
    seed: int = 1
    threads: int = 1
    device: str = CPU

    def to_json(self) -> dict[str, Any]:
        return {FILE_NAMES.get(name, name): value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Settings:
        names = {old: name for name, old in FILE_NAMES.items()}
        return cls(**{names.get(name, name): value for name, value in data.items()})
