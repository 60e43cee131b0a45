"""Stated chances against what came: known distortions are found again, and games are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archipel import analysis
from archipel.analysis.arithmetic import Correction
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
    """Pairs in which what comes follows the stated chances raised to a power."""
    chance = Stream(seed)
    pairs = []
    for _ in range(count):
        stated = [(chance.draw(PARTS) + 1.0) ** 3 for _ in range(3)]
        stated = [part / sum(stated) for part in stated]
        true = Correction(power, 1e-9).apply(stated)
        point = chance.draw(10**6) / 10**6
        winner = 0 if point < true[0] else 1 if point < true[0] + true[1] else 2
        pairs.append((stated, [float(seat == winner) for seat in range(3)]))
    return pairs


@pytest.mark.parametrize("power", [0.6, 1.0, 1.8])
def test_a_distortion_is_found_again(power: float) -> None:
    assert fit_correction(distorted(power, 800, 1)).power == pytest.approx(power, rel=0.2)


def test_few_games_correct_nothing() -> None:
    assert fit_correction(distorted(2.0, 60, 1)) == Correction()


def test_correcting_brings_chances_to_the_diagonal() -> None:
    pairs = distorted(0.3, 800, 2)
    found = reliability([(3, 97 * number, [pair]) for number, pair in enumerate(pairs)])
    assert distance(found.corrected) < 0.6 * distance(found.raw)
    assert found.loss_corrected < found.loss_raw
    assert sum(each.seats for each in found.raw) == 3 * len(pairs)
    picture = draw_reliability("a & b", found)
    assert picture.count('class="dot"') == len(found.corrected)
    assert "a &amp; b" in picture


def test_a_correction_keeps_order_and_sum() -> None:
    correction = Correction(1.7, 0.01)
    for stated in ([0.5, 0.3, 0.2], [0.98, 0.02, 0.0], [0.25] * 4):
        corrected = correction.apply(stated)
        assert sum(corrected) == pytest.approx(1)
        assert sorted(corrected, reverse=True) == corrected
    assert correction.apply([0.0, 1.0]) == [0.0, 1.0], "what is decided is decided"
    assert Correction().apply([0.7, 0.3]) == [0.7, 0.3]


def test_the_slope_is_that_of_the_correction() -> None:
    correction, step = Correction(1.4, 0.01), 1e-6
    before, after = [0.6, 0.4], [0.6 + step, 0.4 - step]
    rise = (correction.apply(after)[0] - correction.apply(before)[0]) / step
    assert correction.slope(before, 0) == pytest.approx(rise, rel=1e-3)


def test_games_are_kept_and_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archipel.rules.kit.core.loading.can_compile", lambda: False)
    monkeypatch.setattr(calibrate, "WORLDS", 2)
    monkeypatch.setattr(calibrate, "SIMULATIONS", 2)
    for kept in (calibrate._searcher, calibrate._rollouts, search_backend):
        kept.cache_clear()
    file = tmp_path / "deep-sea.jsonl"
    try:
        assert [*calibrate.play_missing("deep-sea", file, 2, 7, 1)] == [(0, 2), (1, 2), (2, 2)]
        first = calibrate.read_played("deep-sea", file, 7)
        file.write_bytes(file.read_bytes()[:-20])  # torn
        assert list(calibrate.read_played("deep-sea", file, 7)) == [0]
        assert [*calibrate.play_missing("deep-sea", file, 2, 7, 1)] == [(1, 2), (2, 2)]
    finally:
        for kept in (calibrate._searcher, calibrate._rollouts, search_backend):
            kept.cache_clear()
    assert calibrate.read_played("deep-sea", file, 7) == first
    assert calibrate.read_played("deep-sea", file, 8) == {}, "of another seed"
    assert [game.seats for game in first.values()] == [2, 3]
    for game in first.values():
        assert sum(game.result) == pytest.approx(1)
        for sample in game.samples:
            assert sum(sample.decision) == pytest.approx(1, abs=1e-4)
            assert sum(sample.position) == pytest.approx(1, abs=1e-4)


CORRECTIONS = sorted((Path(analysis.__file__).parent / "data").glob("correction.*.json"))


@pytest.mark.parametrize("file", CORRECTIONS, ids=lambda file: file.name)
def test_corrections_belong_to_the_games_that_are_kept(file: Path) -> None:
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
