"""The study pages agree with the stored summaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from archipel.rules.all_games import game_named
from archipel.rules.catalogue import load_catalogue
from archipel.study.experiments.plan_file import read_plan
from archipel.study.experiments.run_plan import read_summary
from archipel.study.reports.report_page import document

STUDIES = Path(__file__).parents[2] / "docs" / "studies"
PLANS = sorted(STUDIES.glob("*.toml"))


def test_every_study_has_a_page() -> None:
    names = {"seat-order", "island-challenges", "deep-sea-air", "mauna-kea"}
    assert {path.stem for path in PLANS} == names


@pytest.mark.parametrize("path", PLANS, ids=lambda path: str(path.stem))
def test_pages_agree_with_the_summaries(path: Path) -> None:
    plan = read_plan(path.read_text("utf-8"))
    summary = read_summary(path.with_suffix("") / "summary.json")
    carried_out = [(t.game, t.seats, t.bots, t.rotate, t.games) for t in summary.tables]
    assert summary.seed == plan.seed
    assert carried_out == [(t.game, t.seats, t.bots, t.rotate, t.games) for t in plan.tables]
    for done, planned in zip(summary.tables, plan.tables, strict=True):
        # Rules versions and options may have been added since: then these have their defaults.
        definition = game_named(done.game)
        options = definition.options_of_version(done.rules_version, done.seats, done.options)
        assert planned.options == options, "the plan was changed since it was carried out"
    files = document(
        summary.in_words_of(plan), load_catalogue("archipel", "en"), path.name, path.stem
    )
    assert path.with_suffix(".md").read_text("utf-8") == files.pop("")
    kept = {file.name: file.read_text("utf-8") for file in path.with_suffix("").glob("*.svg")}
    assert kept == files
