"""Results as rows, data frames and HTML tables."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest

from archipel import Game
from archipel.analysis import analyse
from archipel.analysis.decision_analysis import analysis_program
from archipel.analysis.evaluation_settings import Budget
from archipel.bots import Bot
from archipel.frames import Tabular, frame_of, table_of
from archipel.study import match, simulate
from archipel.study.matches.ladder import climb, head_of


def check(result: Tabular) -> pandas.DataFrame:
    """Rows, frame, HTML and a short repr."""
    frame, rows = result.to_frame(), result.to_rows()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == len(rows)
    assert list(frame.columns) == list(rows[0])
    assert result._repr_html_().startswith("<table><caption>")
    assert len(repr(result)) < 200
    return frame


def test_a_simulation() -> None:
    result = simulate("deep-sea", ["greedy", "random"], 6, seed=1, compiled=False)
    frame = check(result)
    whole = frame[frame.seat.isna()]
    assert list(whole.bot) == ["greedy-1", "random"]
    assert list(whole.win_share) == [each.won.rate for each in result.results]
    assert list(frame[frame.bot == "random"].seat.dropna()) == [0, 1]


def test_a_match() -> None:
    frame = check(match("deep-sea", ["greedy", "random"], 4, seed=1, compiled=False))
    assert frame[frame.seat.isna()].win_share.sum() == 1


def test_an_analysis() -> None:
    game = Game.new("deep-sea", 2, seed=1)
    while not game.is_over:
        game.play(game.legal[-1])
    analysis = analyse(
        game, budget=Budget(8, 8, 8), backend=analysis_program("deep-sea").interpreted()
    )
    frame = check(analysis)
    assert list(frame.result) == pytest.approx(
        list(frame.start + frame.luck + frame.own + frame.others)
    )
    turns = frame_of(analysis.turn_rows())
    assert len(turns) == len(analysis.measures.turns)


def test_a_ladder(tmp_path: Path) -> None:
    game = Game.new("deep-sea", 2)
    head = head_of("deep-sea", game.options, 1)
    ladder = climb(tmp_path / "ladder.jsonl", head, ["greedy-1", "random"], 2, workers=1)
    frame = check(ladder)
    assert sorted(frame.bot) == ["greedy-1", "random"]
    assert frame.rating.is_monotonic_decreasing


def test_a_search() -> None:
    game = Game.new("deep-sea", 2, seed=1)
    game.play("dive", dice=(2, 3))
    found = Bot.named("deep-sea", "first-game").search(game.view(game.to_move).state, seed=1)
    frame = found.to_frame()
    assert frame.action[0] == found.action


def test_other_libraries_are_refused() -> None:
    with pytest.raises(ValueError, match="'arrow' is not one of pandas, polars"):
        frame_of([], "arrow")


def test_without_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archipel.frames.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="needs pandas or polars: pip install pandas"):
        frame_of([])


def test_tables_escape_and_shorten() -> None:
    html = table_of([{"<b>": number} for number in range(30)], "a & b")
    assert "<th>&lt;b&gt;</th>" in html
    assert "a &amp; b (first 20 of 30 rows)" in html
    assert html.count("<tr>") == 21
