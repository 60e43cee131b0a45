"""``archipel train``: its messages, and a training at tiny size."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from archipel.cli import main
from tests.envs.needed import needs_torch

pytestmark = needs_torch


def test_a_game_without_a_recipe(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "atlantis", "--lang", "en"]) == 2
    assert "atlantis has no net to train; there are: deep-sea" in capsys.readouterr().err


def test_trains_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With interpreted games, because compiling takes longer than this test."""
    from archipel.study.training import expert_iteration
    from tests.study.test_training import TINY, Interpreted

    monkeypatch.setattr(expert_iteration, "GameBatches", Interpreted)
    monkeypatch.setitem(expert_iteration.RECIPES, "deep-sea", replace(TINY, seats=(2,)))
    command = ["train", "deep-sea", "--to", str(tmp_path), "--games", "1", "--lang", "en"]
    assert main([*command, "--generations", "1", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["generation"] == 0
    assert main([*command, "--generations", "2"]) == 0
    told = capsys.readouterr().out
    assert "generation 1: " in told
    assert "generation 0: " not in told
    assert str(tmp_path / "nets") in told
    assert main([*command, "--generations", "2", "--simulations", "3"]) == 2
    assert "is another recipe" in capsys.readouterr().err
