"""``python -m benchmarks`` with very little work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import benchmarks.__main__ as command
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit.core.loading import can_compile
from benchmarks.__main__ import Disagreement, Effort, check_agreement
from benchmarks.report import Report
from benchmarks.subjects import Playing, Timing, fitting

LITTLE = Effort(
    repetitions=2,
    games_interpreted=2,
    games_compiled=20,
    games_in_wall_time=20,
    copies_interpreted=10,
    copies_compiled=100,
    starts=1,
)


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the work, and start no processes."""
    monkeypatch.setattr(command, "QUICK", LITTLE)
    seconds = {"cold": 3.0, "warm": 2.0, "interpreted": 1.0}
    monkeypatch.setattr(command, "starts", lambda *arguments: seconds)


@pytest.mark.usefixtures("little")
def test_table_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    assert command.main(["--quick", "--json", str(file)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("deep-sea, 4 seats, random play")
    assert "interpreted" in printed
    data = json.loads(file.read_text("utf-8"))
    assert data["schema"] == "archipel.benchmarks"
    assert data["figures"]["interpreted"]["value"] > 0
    if can_compile():
        ratio = data["figures"]["compiled"]["value"] / data["figures"]["interpreted"]["value"]
        assert data["figures"]["of_interpreted"]["value"] == pytest.approx(ratio)


@pytest.mark.usefixtures("little")
def test_different_games_are_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "_c_reference", lambda *arguments: {"c": playing(digest=1)})
    assert command.main(["--quick"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "end differently" in captured.err


def playing(digest: int) -> Playing:
    return lambda games: Timing(games, 1.0, digest)


def test_agreement() -> None:
    check_agreement({"interpreted": playing(1), "compiled": playing(1), "c": playing(1)}, LITTLE)
    with pytest.raises(Disagreement, match=r"interpreted 0{15}1, c 0{15}2"):
        check_agreement({"interpreted": playing(1), "c": playing(2)}, LITTLE)


def test_targets_are_reported() -> None:
    report = Report(DEEP_SEA.name, 4, 20)
    report.add("fast", "fast", 2.0, "times", 1.8)
    report.add("slow", "slow", 1.0, "times", 1.8)
    fast, slow = str(report).splitlines()[3:5]
    assert fast.endswith("reached: at least 1.8")
    assert slow.endswith("MISSED: at least 1.8")


@pytest.mark.parametrize("arguments", [["--game", "chess"], ["--seats", "9"]])
def test_mistakes(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(arguments)
    assert "error" in capsys.readouterr().err


def test_fewer_long_games_are_measured() -> None:
    asked = []

    def slow(games: int) -> Timing:
        asked.append(games)
        return Timing(1000 * games, 0.5 * games)

    assert fitting(slow, 100, 5.0) == 10
    assert asked == [5]
    assert fitting(slow, 100, 1000.0) == 100
    assert fitting(slow, 100, 0.01) == 1
    assert fitting(lambda games: Timing(games, 0.0), 100, 1.0) == 100
