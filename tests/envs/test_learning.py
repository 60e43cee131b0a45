"""The PPO baseline learns; the documents have its full learning curve."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from archipel.cli import main
from tests.envs.needed import needs_gymnasium, needs_torch, needs_torch_gpu

pytestmark = needs_torch

SMALL = [
    "--num-envs",
    "32",
    "--n-steps",
    "8",
    "--total-timesteps",
    "1000",
    "--points",
    "2",
    "--games",
    "64",
]


def small(**changed: Any) -> Any:
    from archipel.envs.learn.settings import Settings

    return Settings(**{"num_envs": 32, "n_steps": 8, "hidden_size": 16, **changed})


def test_a_tiny_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    curve, drawing, policy = (tmp_path / name for name in ("a.json", "a.svg", "a.npz"))
    files = ["--learning-curve", str(curve), "--draw", str(drawing), "--save", str(policy)]
    assert main(["learn", *SMALL, "--target", "0", "--whole", "--json", *files]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(curve.read_text())
    assert printed["format"] == "archipel-learning-2"
    assert [point["progress"] for point in printed["points"]] == sorted(
        point["progress"] for point in printed["points"]
    )
    assert printed["points"][0]["timesteps"] == 0
    assert printed["points"][-1]["progress"] == 1
    final = printed["final_evaluation"]
    assert final["low"] <= final["win_share"] <= final["high"]
    svg = drawing.read_text()
    assert svg.startswith("<svg")
    assert "prefers-color-scheme:dark" in svg

    from archipel.envs.learn.evaluator import FINAL_TEST, Evaluator
    from archipel.envs.learn.policy import Policy
    from archipel.envs.learn.settings import Settings

    evaluator = Evaluator(Settings.from_json(printed["settings"]), 64, FINAL_TEST)
    shares = evaluator.win_shares(Policy.load(policy))
    evaluator.close()
    mean = sum(share * count for share, count in shares.items()) / 64
    assert mean == pytest.approx(final["win_share"]), "the saved policy reads back"


def test_printed_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for every point and one for the end; below the target the exit code is 1."""
    assert main(["learn", *SMALL, "--target", "1"]) == 1
    printed_lines = capsys.readouterr().out.splitlines()
    assert len(printed_lines) == 4
    assert printed_lines[0].endswith("% win share")
    assert printed_lines[-1].startswith("Final evaluation, 64 games")
    assert main(["learn", *SMALL, "--target", "0", "--lang", "fr"]) == 0
    printed_lines = capsys.readouterr().out.splitlines()
    assert len(printed_lines) == 2, "the target is reached before training"
    assert printed_lines[-1].startswith("Évaluation finale, 64 parties")


def test_learner_beats_random_collect_rollouts() -> None:
    """Within seconds, by more than five standard deviations."""
    from archipel.envs.learn.evaluator import FINAL_TEST, Evaluator
    from archipel.envs.learn.ppo import Learner
    from archipel.envs.learn.settings import Settings

    settings = Settings(total_timesteps=200_000)
    learner = Learner(settings)
    while learner.timesteps < settings.total_timesteps:
        learner.update(learner.timesteps / settings.total_timesteps)
    learner.close()
    evaluator = Evaluator(settings, 1024, FINAL_TEST)
    shares = evaluator.win_shares(learner.policy)
    evaluator.close()
    mean = sum(share * count for share, count in shares.items()) / evaluator.games
    assert mean > 0.5 + 5 * 0.5 / math.sqrt(evaluator.games)


def test_equal_settings_give_equal_weights() -> None:
    from archipel.envs.learn.ppo import Learner

    def learnt(**changed: Any) -> list[float]:
        learner = Learner(small(**changed))
        for done in (0.0, 0.5):
            learner.update(done)
        learner.close()
        return [float(weights.detach().abs().sum()) for weights in learner.policy.parameters()]

    assert learnt() == learnt()
    assert learnt() != learnt(seed=2)
    assert learnt() != learnt(score_margin_coef=0.0)


def test_rewarded_actions_become_likelier() -> None:
    import torch

    from archipel.envs.learn.ppo import Learner, RolloutBuffer

    learner = Learner(small(epochs=2, minibatches=2))
    observations = learner.envs.obs.clone()
    masks = torch.ones_like(learner.envs.action_mask)  # at the beginning only one action is legal
    good, bad = masks.shape[1] - 1, 0
    odd = (torch.arange(8) % 2)[:, None].expand(8, 32)
    actions = torch.where(odd == 0, good, bad)
    with torch.no_grad():
        before = learner.policy.log_probs(observations, masks)
    shape = (8, 32)
    learner._learn(
        RolloutBuffer(
            observations.expand(8, *observations.shape),
            masks.expand(8, *masks.shape),
            actions,
            torch.stack([before.gather(1, row[:, None]).squeeze(1) for row in actions]),
            torch.zeros(shape),
            torch.zeros(shape, dtype=torch.int64),
            (actions == good).float()[..., None].expand(*shape, 2),
            torch.ones(shape, dtype=torch.bool),
            torch.ones(shape, dtype=torch.bool),
        )
    )
    with torch.no_grad():
        after = learner.policy.log_probs(observations, masks)
    learner.close()
    assert (after[:, good] > before[:, good]).all()
    assert (after[:, bad] < before[:, bad]).all()


def test_reward_of_a_game() -> None:
    """Without margin only the win counts; with margin a larger lead earns more."""
    import torch

    from archipel.envs.learn.ppo import Learner

    learner = Learner(small())
    rollouts = learner._rollouts
    rollouts.done[0, :4] = True
    margins = torch.tensor([-30.0, 0.0, 1.0, 30.0])
    rollouts.returns[0, :4] = torch.stack([margins, -margins], dim=1)
    last = learner._game_rewards(rollouts, 0.0)
    first = learner._game_rewards(rollouts, 1.0)
    learner.close()
    assert torch.allclose(first[0, :4].sum(dim=1), torch.ones(4)), "both seats, as in self-play"
    last, first = last[..., 0], first[..., 0]
    assert last[0, :4].tolist() == [0.0, 0.5, 1.0, 1.0]
    assert 0 < first[0, 0] < first[0, 1] < first[0, 2] < first[0, 3] < 1
    assert first[0, 1] == 0.5
    assert not last[0, 4:].any(), "running games have no reward"
    assert not first[1:].any()


def test_only_legal_actions_are_rollouts() -> None:
    import torch

    from archipel.envs.learn.ppo import Learner

    learner = Learner(small(n_steps=64))
    with torch.no_grad():
        rollouts = learner._collect_rollouts()
    chosen = rollouts.action_mask.gather(2, rollouts.actions[:, :, None])
    learner.close()
    assert (chosen == 1).all()
    assert rollouts.action_mask.any(dim=2).all(), (
        "games restart at once, so every step is a decision"
    )
    assert ((rollouts.action_mask.sum(dim=2) == 1) == ~rollouts.choices).all()
    assert rollouts.done.any()


@needs_gymnasium
def test_tensor_envs_equal_the_vector_environment() -> None:
    import numpy
    import torch

    from archipel.envs import LearnerVectorEnv
    from archipel.envs.learn.tensor_envs import CpuEnvs

    envs = CpuEnvs(small(), 32, "win_share")
    env = LearnerVectorEnv(
        "deep-sea", 32, seats=2, opponents="random", seat="rotate", autoreset_mode="SameStep"
    )
    envs.reset(7)
    seen, _ = env.reset(seed=7)
    ended = 0
    for step in range(120):
        assert numpy.array_equal(envs.obs.numpy(), seen["observation"])
        assert numpy.array_equal(envs.action_mask.numpy(), seen["action_mask"])
        weights = numpy.random.default_rng(step).random(seen["action_mask"].shape)
        actions = (weights * seen["action_mask"]).argmax(axis=1)
        envs.step(torch.from_numpy(actions))
        seen, rewards, over, cut, _ = env.step(actions)
        assert numpy.array_equal(envs.reward.numpy(), rewards.astype(numpy.float32))
        assert numpy.array_equal(envs.done.numpy(), over | cut)
        ended += int(over.sum())
    envs.close()
    env.close()
    assert ended > 32


def test_advantages_in_self_play_are_of_each_seat() -> None:
    """Two seats in turn, and a game that the first wins with the fourth decision: each decision
    is judged by the next of the same seat; one in the buffer has none."""
    import torch

    from archipel.envs.learn.ppo import Learner

    learner = Learner(small(num_envs=1, n_steps=6, opponents="self", gae_lambda=0.5))
    rollouts = learner._rollouts
    rollouts.seat[:, 0] = torch.tensor([0, 1, 0, 1, 1, 0])
    rollouts.done[3, 0] = True
    rollouts.returns[3, 0] = torch.tensor([1.0, 0.0])
    rollouts.values[:, 0] = torch.tensor([0.5, 0.4, 0.7, 0.2, 0.6, 0.3])
    rollouts.choices[:] = True
    learner.policy.values = lambda obs: torch.tensor([0.9])  # type: ignore[method-assign]
    learner.envs.seat[:] = 0
    found = learner._advantages(rollouts)[:, 0]
    learner.close()
    right = [0.7 - 0.5 + 0.5 * 0.3, 0.2 - 0.4 + 0.5 * -0.2, 1 - 0.7, 0 - 0.2, 0.0, 0.9 - 0.3]
    assert torch.allclose(found, torch.tensor(right))
    assert rollouts.choices[:, 0].tolist() == [True, True, True, True, False, True]


def test_self_play_beats_random() -> None:
    """Trained only against itself, evaluated against a bot, by more than five deviations."""
    from archipel.envs.learn.evaluator import FINAL_TEST, Evaluator
    from archipel.envs.learn.ppo import Learner
    from archipel.envs.learn.settings import SELF, Settings

    settings = Settings(opponents=SELF, evaluation_opponents="random", total_timesteps=200_000)
    learner = Learner(settings)
    while learner.timesteps < settings.total_timesteps:
        learner.update(learner.timesteps / settings.total_timesteps)
    learner.close()
    evaluator = Evaluator(settings, 1024, FINAL_TEST)
    shares = evaluator.win_shares(learner.policy)
    evaluator.close()
    mean = sum(share * count for share, count in shares.items()) / evaluator.games
    assert mean > 0.5 + 5 * 0.5 / math.sqrt(evaluator.games)


def test_self_play_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The curve is measured against a bot."""
    given = ["deep-sea", "--opponents", "self", "--seats", "3", *SMALL, "--target", "0", "--whole"]
    assert main(["learn", *given, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["settings"]["opponents"] == "self"
    assert printed["settings"]["evaluation_opponents"] == "random"
    share = printed["points"][-1]["win_share"]
    assert abs(share - 1 / 3) > 0.1, "against itself, three would share the wins"
    assert main(["learn", *given, "--evaluation-opponents", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err


def test_imitation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A policy that only imitates a bot learns its decisions."""
    from archipel.envs.dataset import Dataset
    from archipel.envs.learn.imitation import accuracy
    from archipel.envs.learn.policy import Policy

    data, held_out, file = (str(tmp_path / name) for name in ("data", "held-out", "policy.npz"))
    for folder, games, seed in ((data, "40", "1"), (held_out, "4", "2")):
        played = ["--bots", "greedy", "--seats", "2", "--games", games, "--seed", seed]
        assert main(["dataset", "deep-sea", *played, "--workers", "1", "--to", folder]) == 0
    capsys.readouterr()
    given = ["--imitate", data, "--learning-rate", "0", "--target", "0", "--whole"]
    assert main(["learn", "deep-sea", *SMALL, *given, "--save", file, "--json"]) == 0
    imitated = json.loads(capsys.readouterr().out)["imitated"]
    assert imitated["bots"] == ["greedy-1", "greedy-1"]
    assert (imitated["games"], imitated["seed"]) == (40, 1)
    shard = Dataset(held_out).shard(0)
    learned, before = Policy.load(file), Policy("deep-sea", 64, seed=1)
    assert accuracy(learned, shard) > accuracy(before, shard) + 0.1
    assert main(["learn", "atlantis", *given]) == 2
    assert "no complete dataset of atlantis" in capsys.readouterr().err


@needs_torch_gpu
def test_gpu_envs_equal_cpu_envs() -> None:
    import torch

    from archipel.envs.learn.tensor_envs import CpuEnvs, GpuEnvs

    host = CpuEnvs(small(), 32, "score_margin")
    card = GpuEnvs(small(device="cuda"), 32, "score_margin")
    host.reset(7)
    card.reset(7)
    for _ in range(120):
        assert torch.equal(host.obs, card.obs.cpu())
        assert torch.equal(host.action_mask != 0, card.action_mask.cpu() != 0)
        actions = (host.action_mask * torch.rand(host.action_mask.shape)).argmax(dim=1)
        host.step(actions)
        card.step(actions.to("cuda"))
        assert torch.equal(host.reward, card.reward.cpu())
        assert torch.equal(host.returns, card.returns.cpu())
        assert torch.equal(host.seat, card.seat.cpu())
        assert torch.equal(host.done, card.done.cpu())


@needs_torch_gpu
def test_learning_on_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", *SMALL, "--target", "0", "--whole", "--device", "cuda", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["points"][-1]["timesteps"] >= 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "chess"),
        (["--opponents", "nobody"], "nobody"),
        (["--seats", "9"], "9"),
        (["--num-envs", "0"], "--num-envs 0"),
        (["--learning-rate", "much"], "--learning-rate much: expected a number from 0 to 1"),
        (["--target", "nan"], "--target nan: expected a number from 0 to 1"),
        (["--device", "tpu"], "tpu is not a device: choose one of cpu, cuda"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("archipel: ")
    assert message in lines[0]


def test_gpu_errors(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert main(["learn", "--device", "cuda"]) == 2
    assert "no GPU" in capsys.readouterr().err
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert main(["learn", "--device", "cuda", "--opponents", "master-2"]) == 2
    assert "master-2 searches" in capsys.readouterr().err
