"""The page of the PPO baseline agrees with the stored runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from archipel.cli.early_options import load_sentences
from archipel.cli.learn import FORMAT, drawing
from tests.envs.needed import needs_torch
from tests.support.documents import ROOT
from tools import baselines

PAGE = ROOT / "docs" / "environments" / "learning.md"
RUNS = sorted((ROOT / "docs" / "environments" / "learning").glob("*.json"))


def test_every_run_is_on_the_page() -> None:
    assert RUNS
    page = PAGE.read_text("utf-8")
    assert all(f"learning/{path.stem}.svg)" in page for path in RUNS)


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_figures_agree_with_the_run(path: Path) -> None:
    result = json.loads(path.read_text("utf-8"))
    assert result["format"] == FORMAT
    assert row(result) in PAGE.read_text("utf-8")


def row(result: dict[str, Any]) -> str:
    settings, points = result["settings"], result["points"]
    final = result["final_evaluation"]
    reached = [point["seconds"] for point in points if point["win_share"] >= result["target"]]
    rates = [100 * final[end] for end in ("win_share", "low", "high")]
    cells = [
        settings["game"],
        settings["opponents"],
        settings["device"],
        f"{points[-1]['seconds']:.0f} s",
        f"{points[-1]['timesteps'] / 1e6:.1f} M",
        f"{reached[0]:.0f} s" if reached else "not",
        "{:.1f} % ({:.1f} to {:.1f})".format(*rates),
    ]
    return "| " + " | ".join(cells) + " |"


@needs_torch
@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_the_chart_agrees_with_the_run(path: Path) -> None:
    from archipel.envs.learn.learning_curve import Point
    from archipel.envs.learn.settings import Settings

    result = json.loads(path.read_text("utf-8"))
    settings = Settings.from_json(result["settings"])
    points = [Point(**point) for point in result["points"]]
    drawn = drawing(settings, points, result["target"], load_sentences("en"))
    assert path.with_suffix(".svg").read_text("utf-8") == drawn


def test_tables_and_charts_agree_with_the_baselines() -> None:
    page = PAGE.read_text("utf-8")
    blocks = [name for name, _ in baselines.BLOCK.findall(page)]
    assert blocks == ["networks", "baselines", "commands"]
    assert baselines.filled(page) == page, "run python -m tools.baselines page"
    for name, chart in baselines.charts().items():
        assert f"learning/{name}.svg)" in page
        assert (baselines.RUNS / f"{name}.svg").read_text("utf-8") == chart


def test_baselines_had_the_settings_of_the_tool() -> None:
    """Each learning curve is that of the command that stands beside it."""
    for (game, kind), settings in baselines.TRAINING.items():
        curve = baselines.read(baselines.FOLDER / f"{game}.{kind}.json")
        assert curve["command"] == f"archipel learn {game} {settings} --whole --target 0"
        assert (curve["settings"]["opponents"] == "self") == (kind == "self-play")
