"""Calibration: recovers known distortions, and resumes its file of games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archipel import analysis
from archipel.analysis.arithmetic import Correction, slope_at
from archipel.bots import roster_of
from archipel.bots.search.search import search_backend
from archipel.rules.kit import Stream
from archipel.study.fitting import calibrate
from archipel.study.fitting.reliability import (
    distance,
    draw_reliability,
    fit_correction,
    reliability,
)

PARTS = 1000


def distorted(power: float, count: int, seed: int) -> list[tuple[list[float], list[float]]]:
    """Predictions and results, drawn from the predictions raised to a power."""
    chance = Stream(seed)
    pairs = []
    for _ in range(count):
        predicted = [(chance.draw(PARTS) + 1.0) ** 3 for _ in range(3)]
        predicted = [part / sum(predicted) for part in predicted]
        true = Correction(power, 1e-9).apply(predicted)
        point = chance.draw(10**6) / 10**6
        winner = 0 if point < true[0] else 1 if point < true[0] + true[1] else 2
        pairs.append((predicted, [float(seat == winner) for seat in range(3)]))
    return pairs


@pytest.mark.parametrize("power", [0.6, 1.0, 1.8])
def test_fit_recovers_a_distortion(power: float) -> None:
    assert fit_correction(distorted(power, 800, 1)).power == pytest.approx(power, rel=0.2)


def test_few_games_give_no_correction() -> None:
    assert fit_correction(distorted(2.0, 60, 1)) == Correction()


def test_correction_improves_reliability() -> None:
    pairs = distorted(0.3, 800, 2)
    found = reliability([(3, 97 * number, [pair]) for number, pair in enumerate(pairs)])
    assert distance(found.corrected) < 0.6 * distance(found.raw)
    assert found.loss_corrected < found.loss_raw
    assert sum(each.seats for each in found.raw) == 3 * len(pairs)
    picture = draw_reliability("a & b", found)
    assert picture.count('class="dot"') == len(found.corrected)
    assert "a &amp; b" in picture


def test_correction_keeps_order_and_sum() -> None:
    correction = Correction(1.7, 0.01)
    for predicted in ([0.5, 0.3, 0.2], [0.98, 0.02, 0.0], [0.25] * 4):
        corrected = correction.apply(predicted)
        assert sum(corrected) == pytest.approx(1)
        assert sorted(corrected, reverse=True) == corrected
    assert correction.apply([0.0, 1.0]) == [0.0, 1.0], "certain outcomes stay certain"
    assert Correction().apply([0.7, 0.3]) == [0.7, 0.3]


def test_slope_is_the_derivative_of_the_correction() -> None:
    correction, step = Correction(1.4, 0.01), 1e-6
    before, after = [0.6, 0.4], [0.6 + step, 0.4 - step]
    rise = (correction.apply(after)[0] - correction.apply(before)[0]) / step
    assert slope_at(correction, before, 0) == pytest.approx(rise, rel=1e-3)


def test_resume_plays_only_missing_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archipel.rules.kit.core.loading.can_compile", lambda: False)
    monkeypatch.setattr(calibrate, "WORLDS", 2)
    monkeypatch.setattr(calibrate, "SIMULATIONS", 2)
    for cached in (calibrate._searcher, calibrate._rollouts, search_backend):
        cached.cache_clear()
    file = tmp_path / "deep-sea.jsonl"
    try:
        assert [*calibrate.play_missing("deep-sea", file, 2, 7, 1)] == [(0, 2), (1, 2), (2, 2)]
        first = calibrate.read_played("deep-sea", file, 7)
        file.write_bytes(file.read_bytes()[:-20])  # an incomplete last line
        assert list(calibrate.read_played("deep-sea", file, 7)) == [0]
        assert [*calibrate.play_missing("deep-sea", file, 2, 7, 1)] == [(1, 2), (2, 2)]
    finally:
        for cached in (calibrate._searcher, calibrate._rollouts, search_backend):
            cached.cache_clear()
    assert calibrate.read_played("deep-sea", file, 7) == first
    assert calibrate.read_played("deep-sea", file, 8) == {}, "another seed"
    assert [game.seats for game in first.values()] == [2, 3]
    for game in first.values():
        assert sum(game.result) == pytest.approx(1)
        for sample in game.samples:
            assert sum(sample.decision) == pytest.approx(1, abs=1e-4)
            assert sum(sample.position) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_levels_that_play_each_other_differ(seats: int) -> None:
    """Four levels, in an order that depends on the game."""
    games = [calibrate.draw_levels("deep-sea", seats, Stream(key)) for key in range(9)]
    assert all(len(set(configs)) == min(4, seats) == len(set(configs[:4])) for configs in games)
    assert len(set(map(tuple, games))) > 3


def test_displayed_chances_hold_in_games_between_levels() -> None:
    """The recorded games of Deep Sea Adventure, and the figures of the page."""
    file = Path(__file__).parents[2] / "docs" / "studies" / "calibration" / "deep-sea-levels.jsonl"
    played = list(calibrate.read_played("deep-sea", file, 2).values())
    samples = sum(len(each.samples) for each in played)
    assert samples >= 1000
    page = (file.parents[1] / "calibration.md").read_text("utf-8")
    for name in ("decision", "position"):
        found = calibrate.corrected_distance("deep-sea", played, name)
        assert found <= 0.03
        row = f"| {name} | {len(played)} | {samples:,} | {100 * found:.1f} points |"
        assert row in page


CORRECTIONS = sorted((Path(analysis.__file__).parent / "data").glob("correction.*.json"))


@pytest.mark.parametrize("file", CORRECTIONS, ids=lambda file: file.name)
def test_shipped_corrections_match_the_recorded_games(file: Path) -> None:
    game = file.name.split(".")[1]
    folder = Path(__file__).parents[2] / "docs" / "studies" / "calibration"
    written = json.loads(file.read_text("utf-8"))
    lines = (folder / f"{game}.jsonl").read_text("utf-8").splitlines()
    played = [json.loads(line) for line in lines]
    numbers = {each["number"] for each in played if each["evaluation"] == written["evaluation"]}
    assert set(range(written["games"])) <= numbers
    assert written["seats"].keys() == {str(seats) for seats in roster_of(game).definition.seats}
    for name in ("decision", "position"):
        picture = (folder / f"{game}-{name}.svg").read_text("utf-8")
        assert f"{written['games']} games" in picture
