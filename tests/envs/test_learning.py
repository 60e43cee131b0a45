"""The baseline learns; how far it comes is in the documents, not here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.envs.needed import needs_gymnasium, needs_torch

pytestmark = [needs_torch, needs_gymnasium]


def test_a_tiny_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from archipel.envs.learn.__main__ import main

    curve, drawing, policy = (tmp_path / name for name in ("a.json", "a.svg", "a.npz"))
    arguments = ["--lanes", "64", "--steps", "32", "--minutes", "0.001", "--target", "0"]
    files = ["--curve", str(curve), "--drawing", str(drawing), "--save", str(policy)]
    assert main([*arguments, "--games", "64", "--json", *files]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads(curve.read_text())
    assert printed["format"] == "archipel-learning-1"
    assert 0 < printed["evaluated_share"] < 1

    from archipel.envs.learn.policy import Policy
    from archipel.envs.learn.ppo import Settings, evaluate

    settings = Settings(**printed["settings"])
    games, share = evaluate(Policy.load(policy), settings, 64, seed=settings.seed + 10**9)
    assert (games, share) == (64, printed["evaluated_share"]), "the policy was kept whole"


def test_it_learns_what_is_easy() -> None:
    """Three updates make what was good likelier: the objective is the right way round."""
    import torch

    from archipel.envs.learn.ppo import Learner, Played, Settings

    torch.set_num_threads(1)
    learner = Learner(Settings(lanes=32, steps=8, rounds=2, pieces=2))
    observations, masks = learner._seen
    masks = torch.ones_like(masks)  # at the beginning there is only one thing to do
    shape = (8, 32)
    good = torch.tensor([int(mask.nonzero()[-1]) for mask in masks])
    bad = torch.tensor([int(mask.nonzero()[0]) for mask in masks])
    actions = torch.where(torch.arange(8)[:, None] % 2 == 0, good, bad)
    with torch.no_grad():
        choices = learner.policy.choices(observations, masks)
        before = choices.probs.gather(1, good[:, None]).mean()
        chances = torch.stack([choices.log_prob(row) for row in actions])
    learner._learn(
        Played(
            observations.expand(8, *observations.shape),
            masks.expand(8, *masks.shape),
            actions,
            chances,
            torch.zeros(shape),
            (actions == good).float(),
            torch.ones(shape, dtype=torch.bool),
            torch.ones(shape, dtype=torch.bool),
        )
    )
    after = learner.policy.choices(observations, masks).probs.gather(1, good[:, None]).mean()
    learner.close()
    assert after > before


def test_a_mistake_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    from archipel.envs.learn.__main__ import main

    assert main(["chess"]) == 2
    assert main(["--opponents", "nobody"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert all(line.startswith("archipel: ") for line in told)
