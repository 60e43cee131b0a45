"""Run other people's libraries unmodified on the environments: ``client_runs.py NAME``.

`test_clients` runs each in an environment with these libraries.
"""

from __future__ import annotations

import os
import re
import runpy
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy
import torch

from archipel.envs import TurnsEnv

NAME = "archipel/DeepSea-v1"
ROOT = Path(__file__).parents[2]


def maskable_ppo() -> None:
    """Train MaskablePPO of sb3-contrib, also on four environments, and evaluate it."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.env_util import make_vec_env

    env = make_vec_env(NAME, 4, env_kwargs={"opponents": "random", "seat": "rotate"}, seed=1)
    settings: dict[str, Any] = {"n_steps": 64, "batch_size": 64, "n_epochs": 2, "seed": 1}
    model = MaskablePPO("MultiInputPolicy", env, device="cpu", **settings)
    model.learn(1024)
    single = gymnasium.make(NAME, opponents="random")
    mean, _ = evaluate_policy(model, single, n_eval_episodes=10, warn=False)
    assert 0 <= mean <= 1


def torchrl_single() -> None:
    """A rollout with an action mask, and TorchRL's check of the specifications."""
    from torchrl.envs import GymEnv
    from torchrl.envs.transforms import ActionMask, TransformedEnv
    from torchrl.envs.utils import check_env_specs

    env = GymEnv(NAME, opponents="random", categorical_action_encoding=True)
    env = TransformedEnv(env, ActionMask(mask_key="action_mask"))
    env.set_seed(1)
    check_env_specs(env)
    found = env.rollout(200)
    assert found["next", "terminated"][-1].item()
    assert found["next", "reward"].min() >= 0, "only legal actions"


def torchrl_vector() -> None:
    """GymWrapper around the vector environment, in the mode that TorchRL prefers."""
    from torchrl.envs import GymWrapper
    from torchrl.envs.transforms import ActionMask, TransformedEnv

    vector = gymnasium.make_vec(NAME, num_envs=4, opponents="random", autoreset_mode="Disabled")
    wrapped = GymWrapper(vector, categorical_action_encoding=True)
    env = TransformedEnv(wrapped, ActionMask(mask_key="action_mask"))
    found = env.rollout(150, break_when_any_done=False)
    assert found.shape == (4, 150)
    assert found["next", "terminated"].sum() > 4
    assert found["next", "reward"].min() >= 0, "only legal actions"


def torchrl_turns() -> None:
    """PettingZooWrapper around the environment in which every seat is an agent."""
    from torchrl.envs import PettingZooWrapper

    env = PettingZooWrapper(TurnsEnv("deep-sea", seats=3), use_mask=True, done_on_any=False)
    assert env.rollout(20).shape == (20,)


def tianshou() -> None:
    """Masked play in Tianshou's vector of PettingZoo environments."""
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv

    envs = DummyVectorEnv([lambda: PettingZooEnv(TurnsEnv("deep-sea", seats=2))] * 2)
    obs, _ = envs.reset()
    ended = 0
    for _ in range(400):
        actions = numpy.array([numpy.flatnonzero(each["mask"])[0] for each in obs])
        obs, _, terminated, truncated, _ = envs.step(actions)
        over = numpy.flatnonzero(terminated | truncated)
        ended += len(over)
        if len(over):
            obs[over] = envs.reset(over)[0]
    assert ended > 2


def supersuit() -> None:
    """Wrappers for AEC environments, and the vector of Gymnasium environments."""
    import supersuit as suit
    from pettingzoo.test import api_test

    clipped = suit.clip_reward_v0(TurnsEnv("deep-sea", seats=3, reward="score_margin"))
    api_test(clipped, num_cycles=60)
    vector = suit.gym_vec_env_v0(gymnasium.make(NAME, opponents="random"), 2)
    obs, _ = vector.reset(seed=1)
    vector.step(obs["action_mask"].argmax(axis=1))


def polars_frames() -> None:
    """Results as data frames of Polars."""
    import polars

    from archipel.study import simulate

    result = simulate("deep-sea", ["greedy", "random"], 4, compiled=False)
    frame = result.to_frame("polars")
    assert isinstance(frame, polars.DataFrame)
    assert len(frame) == len(result.to_rows())


def minari_dataset() -> None:
    """The example that writes a dataset for Minari, which reads it and its environment back."""
    import minari
    from minari import load_dataset

    from archipel.envs.dataset import Dataset, write_dataset
    from archipel.envs.dataset_plan import DatasetPlan
    from archipel.rules.all_games import game_named

    options = game_named("deep-sea").make_options(3)
    plan = DatasetPlan("deep-sea", options, ("greedy-1", "random", "random"), seed=1, games=2)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MINARI_DATASETS_PATH"] = f"{folder}/minari"
        write_dataset(plan, Path(folder) / "data")
        run_example("to_minari.py", f"{folder}/data", "deep-sea/greedy-v0")
        (shard,) = Dataset(Path(folder) / "data")
        found = load_dataset("deep-sea/greedy-v0")
        assert isinstance(found, minari.MinariDataset)
        assert found.total_episodes == 6
        assert found.total_steps == len(shard)
        assert sum(episode.rewards.sum() for episode in found.iterate_episodes()) == 2
        first = next(iter(found.iterate_episodes()))
        rows = numpy.flatnonzero((shard.games == 0) & (shard["seat"] == 0))
        assert numpy.array_equal(first.observations["observation"][:-1], shard.observations()[rows])
        assert numpy.array_equal(first.actions, shard["action"][rows])
        assert first.terminations.tolist() == [False] * (len(rows) - 1) + [True]
        assert found.recover_environment().unwrapped.spec_of_observations.actions == 17


def plotting() -> None:
    """The plotting example of the page for researchers, with fewer games and a quicker bot."""
    import matplotlib

    matplotlib.use("Agg")
    page = (ROOT / "docs" / "research.md").read_text("utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    played = '["greedy", "regular"], games=200'
    assert played in code
    exec(code.replace(played, '["greedy", "random"], games=4'), {})
    (axes,) = matplotlib.pyplot.gcf().axes
    assert sorted(label.get_text() for label in axes.get_yticklabels()) == ["greedy-1", "random"]
    assert abs(sum(bar.get_width() for bar in axes.patches) - 1) < 1e-9, "win shares"


def run_example(name: str, *arguments: str) -> None:
    sys.argv[1:] = arguments
    runpy.run_path(str(ROOT / "examples" / "learning" / name), run_name="__main__")


RUNS: dict[str, Callable[[], None]] = {
    run.__name__: run
    for run in (
        maskable_ppo,
        torchrl_single,
        torchrl_vector,
        torchrl_turns,
        tianshou,
        supersuit,
        polars_frames,
        minari_dataset,
        plotting,
    )
}

if __name__ == "__main__":
    torch.set_num_threads(1)
    for name in list(sys.argv[1:]):
        RUNS[name]()
        print(f"{name}: passed")
