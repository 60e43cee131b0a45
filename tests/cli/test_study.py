"""`archipel study`: files, output and user errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archipel.cli import argument_values, study
from archipel.study.experiments import batches
from tests.cli.conftest import Archipel

PLAN = """
title = "Three small tables"
games = 30

[[tables]]
game = "deep-sea"
seats = [2, 3]
bots = "greedy"
"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(batches, "COMPILED_BATCH", 20)
    path = tmp_path / "small.toml"
    path.write_text(PLAN, "utf-8")
    return path


def test_a_study_from_a_file(archipel: Archipel, plan: Path) -> None:
    result = archipel("study", plan, "--workers", "1", "--page", "page.md")
    assert result.code == 0, result.err
    assert "deep-sea, 2 seats, greedy-1" in result.out
    folder = plan.parent / "small-study"
    assert {path.name for path in folder.iterdir()} >= {
        "report.html",
        "summary.json",
        "games.parquet",
    }
    page = (plan.parent / "page.md").read_text("utf-8")
    assert page.startswith("# Three small tables\n")
    for line in page.splitlines():
        if line.startswith("!["):
            picture = plan.parent / line.split("](")[1].rstrip(")")
            assert picture.read_text("utf-8").startswith("<svg")
    again = archipel("study", plan, "--json")
    assert json.loads(again.out) == json.loads((folder / "summary.json").read_text("utf-8"))
    french = archipel("study", plan, "--lang", "fr")
    assert "victoires de la place 1" in french.out
    assert '<html lang="fr">' in (folder / "report.html").read_text("utf-8")
    plan.write_text(PLAN.replace("30", "31"), "utf-8")
    archipel("study", plan).refused("small-study holds the results of another study")


def test_user_errors(archipel: Archipel, plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan.write_text(PLAN.replace("seats =", "saets ="), "utf-8")
    archipel("study", plan).refused("small.toml", "line 7: tables[1].saets", "did you mean seats?")
    assert not (plan.parent / "small-study").exists()
    archipel("study", "nowhere.toml").refused("nowhere.toml")
    archipel("study").refused("FILE")
    plan.write_text(PLAN, "utf-8")
    archipel("study", plan, "--on", "moon").refused("--on: moon is not one of processes, ray")
    archipel("study", plan, "--workers", "0").refused("--workers")
    monkeypatch.setattr(argument_values, "find_spec", lambda name: None)
    archipel("study", plan, "--on", "ray").refused("Ray is not installed")
    monkeypatch.setattr(study, "find_spec", lambda name: None)
    archipel("study", plan).refused("PyArrow", "--no-rows")
