"""``archipel analyse``: figures, the HTML page, and user errors in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archipel import Game, Record
from tests.analysis.endgames import first_of, last_way_home
from tests.cli.conftest import Archipel

SMALL = ("--simulations", "24")


@pytest.fixture(autouse=True)
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short games need no compiler."""
    monkeypatch.setattr("archipel.study.progress.can_compile", lambda: False)
    monkeypatch.setattr("archipel.rules.kit.core.loading.can_compile", lambda: False)


@pytest.fixture
def thrown(tmp_path: Path) -> Path:
    game = last_way_home(3, blunder=True)
    file = tmp_path / "thrown.txt"
    Record(game, ("Ana <b>", "Ben")).save(file)
    return file


def test_text_output(archipel: Archipel, thrown: Path) -> None:
    result = archipel("analyse", thrown, *SMALL)
    assert result.code == 0
    number = first_of(last_way_home(3, blunder=True), 0) + 1
    assert f"move {number}, Ana <b>: −" in result.out
    assert "Played: roll the dice and dive on. Better: turn back" in result.out
    first, second, _, _, heads = result.out.splitlines()[:5]
    assert first.startswith("Ana <b> lost. Luck ")
    assert f"the most costly turn began with move {number} and lost about" in first
    assert second.startswith("Ben won. Luck ")
    assert heads.split()[:3] == ["player", "start", "luck"]
    french = archipel("analyse", thrown, *SMALL, "--lang", "fr").out
    assert "Mieux\u00a0: faire demi-tour" in french
    assert french.startswith("Ana <b> a perdu. La chance ")
    others = archipel("analyse", thrown, *SMALL, "--seat", "2").out
    assert f"move {number}, Ana" not in others.split("Turning points")[0]


def test_json_output(archipel: Archipel, thrown: Path) -> None:
    report = json.loads(archipel("analyse", thrown, *SMALL, "--json").out)
    again = json.loads(archipel("analyse", thrown, *SMALL, "--json").out)
    assert report == again
    assert report["format"] == "archipel analysis 2"
    assert report["players"] == ["Ana <b>", "Ben"]
    worst = report["turns"][report["summary"]["mistakes"][0]]
    assert worst["mistake"]
    assert worst["played"] == ["roll the dice and dive on"]
    assert worst["better"] == ["turn back and roll the dice"]
    assert worst["candidates"][0]["action"] == "turn back"
    start = report["measures"]["positions"][0]["chances"]
    assert [seat["start"] for seat in report["summary"]["seats"]] == start, "one estimate"
    for seat in report["summary"]["seats"]:
        parts = seat["start"] + seat["luck"] + seat["own"] + seat["others"]
        assert parts == pytest.approx(seat["result"])


def test_html_page(archipel: Archipel, thrown: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    assert archipel("analyse", thrown, *SMALL, "--html", file).code == 0
    page = file.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "Ana &lt;b&gt;" in page
    assert "<b>" not in page
    assert "data:image/svg+xml;base64," in page
    assert 'src="http' not in page
    assert 'href="' not in page
    archipel("analyse", thrown, *SMALL, "--html", file).refused("already exists")
    assert archipel("analyse", thrown, *SMALL, "--html", file, "--force").code == 0


def test_user_errors(archipel: Archipel, thrown: Path, tmp_path: Path) -> None:
    archipel("analyse", tmp_path / "none.txt").refused("there is no such file")
    archipel("analyse", thrown, "--seat", "3").refused("--seat 3", "1 to 2")
    archipel("analyse", thrown, "--simulations", "0").refused("--simulations 0")
    archipel("analyse", thrown, "--html", tmp_path / "no" / "page.html").refused("no folder")
    text = thrown.read_text("utf-8")
    torn = tmp_path / "torn.txt"
    torn.write_text(text[: text.index("end:")], "utf-8")
    archipel("analyse", torn).refused("breaks off here")
    torn.write_text(text.replace("1 dive", "1 put 1"), "utf-8")
    archipel("analyse", torn).refused("line", "DS-")
    unplayed = tmp_path / "unplayed.txt"
    Record(Game.new("deep-sea", 2, seed=1)).save(unplayed)
    archipel("analyse", unplayed).refused("the record has no moves")


def test_an_unfinished_game(archipel: Archipel, record_file: Path) -> None:
    report = json.loads(archipel("analyse", record_file, "--simulations", "2", "--json").out)
    assert not report["finished"]
    assert report["measures"]["positions"][-1]["after"] == len(report["moves"])
    assert sum(seat["result"] for seat in report["summary"]["seats"]) == pytest.approx(1)
