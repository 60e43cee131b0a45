"""`archipel bench`: run, verify and report from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archipel.cli import bench
from tests.cli.conftest import Archipel
from tests.study.benchmark.specs import tiny


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "BENCHMARK", tiny)


def test_run_verify_and_report(archipel: Archipel, tmp_path: Path) -> None:
    folder, charts = tmp_path / "greedy", tmp_path / "charts"
    curve = tmp_path / "curve.json"
    points = [{"timesteps": 0, "win_share": 0.5}, {"timesteps": 9000, "win_share": 0.8}]
    settings = {"game": "deep-sea", "opponents": "random"}
    curve.write_text(json.dumps({"settings": settings, "points": points}))
    learner = ("--track", "learner", "--budget", "1m", "--training-curve", curve)
    played = archipel("bench", "run", folder, "--entrant", "greedy", "--workers", "1", *learner)
    assert played.code == 0, played.err
    assert "deep-sea: greedy-1 won" in played.out
    assert "is valid" in archipel("bench", "verify", folder, "--workers", "1").out
    shown = archipel("bench", "report", folder, "--draw", charts)
    assert shown.code == 0, shown.err
    assert "Deep Sea Adventure" in shown.out
    assert "greedy-1 : random" in shown.out
    assert "part des victoires" in archipel("bench", "report", folder, "--lang", "fr").out
    assert (charts / "deep-sea.svg").read_text().startswith("<svg")
    assert "polyline" in (charts / "deep-sea-curves.svg").read_text()
    assert json.loads(archipel("bench", "report", folder, "--json").out)["benchmark"] == "tiny"

    file = folder / "deep-sea.jsonl"
    file.write_text(file.read_text().replace('"right":true', '"right":false', 1))
    refused = archipel("bench", "verify", folder, "--workers", "1")
    assert refused.code == 1
    assert "deep-sea.jsonl: the file is not the one in the manifest" in refused.out
    assert "the answer is not judged correctly" in refused.out


def test_user_errors(archipel: Archipel, tmp_path: Path) -> None:
    archipel("bench").refused("run, verify, report")
    archipel("bench", "walk", tmp_path).refused("walk", "run, verify, report")
    archipel("bench", "run").refused("name the folder")
    archipel("bench", "verify", tmp_path, tmp_path).refused("name the folder")
    archipel("bench", "run", tmp_path).refused("--entrant")
    archipel("bench", "run", tmp_path, "--entrant", "nobody").refused("nobody")
    greedy = ("bench", "run", tmp_path, "--entrant", "greedy")
    archipel(*greedy, "--track", "swimming").refused("swimming", "search")
    archipel(*greedy, "--budget", "2h").refused("2h", "1h")
    archipel(*greedy, "--game", "atlantis").refused("atlantis", "deep-sea")
    archipel("bench", "verify", tmp_path / "none").refused("no such file")
    (tmp_path / "manifest.json").write_text("{}")
    archipel("bench", "report", tmp_path).refused("not part of a submission")
