"""Policy files: saved, loaded, and playing like any other bot."""

from __future__ import annotations

import csv
import json
import struct
from pathlib import Path
from typing import Any

import numpy
import pytest

from archipel import Game
from archipel.bots.external.bot_program import ProgramBot, query_games, read_program
from archipel.bots.external.line_process import ProcessFailed
from archipel.cli import main
from archipel.envs import spec_of
from archipel.study import match
from tests.envs.needed import needs_gymnasium, needs_torch

pytestmark = needs_torch


def saved(folder: Path, network: str = "flat") -> Path:
    from archipel.envs.learn.policy import Policy

    file = folder / f"{network}.npz"
    Policy("deep-sea", 8, seed=5, network=network).save(file)
    return file


@pytest.mark.parametrize("network", ["flat", "graph"])
def test_a_file_gives_the_same_policy(tmp_path: Path, network: str) -> None:
    import torch

    from archipel.envs.learn.policy import Policy

    policy, obs = Policy.load(saved(tmp_path, network)), torch.rand(3, 465)
    mask = torch.ones(3, 17)
    first = Policy("deep-sea", 8, seed=5, network=network)
    assert torch.equal(policy.log_probs(obs, mask), first.log_probs(obs, mask))
    assert torch.equal(policy.values(obs), first.values(obs))
    other = Policy("deep-sea", 8, seed=6, network=network)
    assert not torch.equal(policy.log_probs(obs, mask), other.log_probs(obs, mask))


def test_graph_scores_an_action_by_its_node() -> None:
    """Equal nodes have equal scores, wherever they are: what is learnt about one holds for all."""
    import torch

    from archipel.envs.learn.policy import Policy

    policy = Policy("atlantis", 8, seed=1, network="graph")
    actor: Any = policy.actor
    with torch.no_grad():
        actor.plain.weight.zero_()
        scores = actor(torch.zeros(1, 2223))[0]
    people = scores[137:185]
    assert torch.allclose(people[:12], people[0]), "one tribe without a place"


def test_damaged_and_foreign_files(tmp_path: Path) -> None:
    from archipel.envs.learn.policy import Policy, PolicyError

    file = tmp_path / "a.npz"
    contents: list[bytes] = [b"", b"dear diary", saved(tmp_path).read_bytes()[:-200]]
    for content in contents:
        file.write_bytes(content)
        with pytest.raises(PolicyError, match="is no policy"):
            Policy.load(file)
    with numpy.load(saved(tmp_path)) as kept:
        arrays = dict(kept)
    for about in (
        ["archipel-policy-9", "deep-sea", "1", "flat", "8"],
        ["archipel-policy-1", "chess", "1", "flat", "8"],
        ["archipel-policy-1", "deep-sea", "99", "flat", "8"],
        ["archipel-policy-1", "deep-sea", "1", "round", "8"],
        ["archipel-policy-1", "deep-sea", "1", "flat", "9"],
        ["archipel-policy-1", "deep-sea", "1", "flat", "999999"],
    ):
        numpy.savez(file, **{**arrays, "about": numpy.array(about)})
        with pytest.raises(PolicyError, match="is no policy"):
            Policy.load(file)
    numpy.savez(file, about=numpy.array([object()], dtype=object))
    with pytest.raises(PolicyError, match="is no policy"):
        Policy.load(file)


def test_a_policy_plays_as_a_bot(tmp_path: Path) -> None:
    from archipel.envs.learn.policy import Policy

    file = saved(tmp_path)
    policy, program = Policy.load(file), query_games(read_program(f"mine={file}", 120.0))
    assert program.games == ("deep-sea",)
    bot = ProgramBot("deep-sea", program)
    game = Game.new("deep-sea", 3, seed=2)
    for decision in game:
        if len(game.moves) == 20:
            break
        chosen = policy(decision)
        assert chosen in decision.legal
        assert bot.choose(decision.view.state, decision.legal, seed=1) == chosen
        game.play(chosen)
    bot.close()


def test_baselines_play_by_name() -> None:
    from archipel.envs.learn.baselines import KINDS, baselines
    from archipel.envs.learn.policy import Policy

    for kind in KINDS:
        assert all(file.with_suffix(".json").exists() for file in baselines(kind).values())
    file = baselines("bots")["deep-sea"]
    program = query_games(read_program("ppo=baseline:bots", 60.0))
    assert set(program.games or ()) == set(baselines("bots"))
    called = match("deep-sea", [Policy.load(file), "random"], 2, seed=4)
    players, programs = ["ppo", "random"], {"ppo": program}
    by_name = match("deep-sea", players, 2, seed=4, programs=programs, workers=1)
    assert called.played == by_name.played
    with pytest.raises(ProcessFailed, match="'none' is no kind of baseline: choose one of self"):
        query_games(read_program("ppo=baseline:none", 60.0))


@pytest.mark.parametrize("kind", ["self-play", "bots"])
def test_baselines_are_as_strong_as_their_file_says(kind: str) -> None:
    """Within five standard deviations, in games that were in no other test."""
    from archipel.envs.learn.baselines import baselines
    from archipel.envs.learn.evaluator import VALIDATION, Evaluator
    from archipel.envs.learn.policy import Policy
    from archipel.envs.learn.settings import Settings

    file = baselines(kind)["deep-sea"]
    tests = json.loads(file.with_suffix(".json").read_text("utf-8"))["tests"]
    said = {result["opponents"]: result["win_share"] for result in tests}
    evaluator = Evaluator(Settings(game="deep-sea", seed=9), 256, VALIDATION)
    shares = evaluator.win_shares(Policy.load(file))
    evaluator.close()
    mean = sum(share * count for share, count in shares.items()) / 256
    assert abs(mean - said["random"]) < 5 * 0.5 / 256**0.5


def test_match_with_a_policy_and_with_its_file(tmp_path: Path) -> None:
    from archipel.envs.learn.policy import Policy

    file = saved(tmp_path)
    called = match("deep-sea", [Policy.load(file), "random"], 2, seed=4)
    programs = {"mine": query_games(read_program(f"mine={file}", 120.0))}
    by_file = match("deep-sea", ["mine", "random"], 2, seed=4, programs=programs, workers=1)
    assert called.played == by_file.played


@needs_gymnasium
def test_a_policy_is_an_opponent_of_the_environments(tmp_path: Path) -> None:
    import gymnasium

    from archipel.envs.learn.policy import Policy

    policy = Policy.load(saved(tmp_path))
    env = gymnasium.make("archipel/DeepSea-v1", seats=3, opponents=policy.greedy_actions)
    envs = gymnasium.make_vec(
        "archipel/DeepSea-v1", 2, seats=3, opponents=[policy.greedy_actions, "random"]
    )
    for each in (env, envs):
        each.reset(seed=1)
    for _ in range(5):
        for each in (env, envs):
            masks = each.unwrapped.action_masks()
            each.step(masks.argmax(axis=-1))
    envs.close()
    game = Game.new("deep-sea", 3, seed=1)
    decision = next(iter(game))
    seen = spec_of("deep-sea").observe(decision.view)[None]
    mask = spec_of("deep-sea").action_mask(decision.view)[None]
    assert policy.greedy_actions(seen, mask).tolist() == [policy(decision)]


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = saved(tmp_path)
    given = ["--bot", f"mine={file}", "--bot-time", "60", "--seed", "1"]
    assert main(["match", "deep-sea", "--bots", "mine,random", "--games", "2", *given]) == 0
    assert "mine" in capsys.readouterr().out
    missing = ["--bot", f"mine={tmp_path / 'none.npz'}"]
    assert main(["match", "deep-sea", "--bots", "mine,random", *missing]) == 2
    assert "No such file" in capsys.readouterr().err


def test_learning_is_logged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, folder, policy = tmp_path / "a.csv", tmp_path / "events", tmp_path / "a.npz"
    small = "--num-envs 16 --n-steps 4 --total-timesteps 128 --points 2 --games 16 --target 0"
    files = ["--csv", table, "--tensorboard", folder, "--save", policy]
    given = ["deep-sea", "--network", "graph", "--hidden-size", "4", "--whole", *small.split()]
    assert main(["learn", *given, *map(str, files)]) == 0
    rows = list(csv.DictReader(table.open()))
    assert [int(row["timesteps"]) for row in rows] == [0, 64, 128]
    capsys.readouterr()
    (events,) = folder.iterdir()
    content = events.read_bytes()
    lengths = []
    while content:
        (length,) = struct.unpack("<Q", content[:8])
        assert len(content) >= length + 16
        lengths.append(length)
        content = content[length + 16 :]
    assert len(lengths) == 1 + len(rows)
    assert main(["learn", "deep-sea", "--network", "round"]) == 2
    assert "flat, graph" in capsys.readouterr().err
