"""The environments under their names in Gymnasium's register."""

from __future__ import annotations

import gymnasium

from archipel.envs.names import environment_names


def register_all() -> None:
    """So that ``gymnasium.make("archipel/DeepSea-v1")`` works, and ``make_vec`` too."""
    for game, name in environment_names().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="archipel.envs.gymnasium_envs:LearnerEnv",
                vector_entry_point="archipel.envs.gymnasium_envs:LearnerVectorEnv",
                kwargs={"game": game},
            )
