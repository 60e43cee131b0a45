"""MaskablePPO of sb3-contrib: Deep Sea Adventure against random play.

pip install sb3-contrib
python examples/learning/ppo_sb3.py [TIMESTEPS]
"""

import sys

import gymnasium
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

import archipel.envs  # noqa: F401 - registers the environments

total_timesteps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000


def make() -> gymnasium.Env:
    return gymnasium.make("archipel/DeepSea-v1", opponents="random", seat="rotate")


# The environment has `action_masks()`, which MaskablePPO asks for.
model = MaskablePPO("MultiInputPolicy", make(), n_steps=512, gamma=1.0, seed=1, verbose=1)
model.learn(total_timesteps)
share, _ = evaluate_policy(
    model, make(), n_eval_episodes=100 if total_timesteps > 10_000 else 5, deterministic=False
)
print(f"{share:.3f} win share")
