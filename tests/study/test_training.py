"""Expert iteration at tiny size: samples, fits, gates, and resuming."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from archipel.bots.nets import NetFileError

pytest.importorskip("torch")
numpy = pytest.importorskip("numpy")

from archipel.study.training import expert_iteration  # noqa: E402
from archipel.study.training.expert_iteration import (  # noqa: E402
    RECIPES,
    Recipe,
    Training,
    TrainingError,
)
from archipel.study.training.game_batches import GameBatches, Samples  # noqa: E402
from archipel.study.training.net_fit import FitSettings, fit_net  # noqa: E402

TINY = replace(
    RECIPES["deep-sea"],
    seats=(2, 3),
    teacher_games=4,
    games=2,
    simulations=2,
    lookahead=1,
    gate_games=2,
    league=2,
    fit=FitSettings(epochs=1),
)


class Interpreted(GameBatches):
    """Without compilation, which would take longer than the games."""

    def __init__(self, game: str) -> None:
        super().__init__(game, compiled=False)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expert_iteration, "GameBatches", Interpreted)


def trained(folder: Path, recipe: Recipe, generations: int) -> list[dict[str, Any]]:
    training = Training(folder, recipe)
    training.run(generations, lambda line: None)
    return training.generations


def without_time(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def test_an_interrupted_training_gives_the_same_nets(tmp_path: Path) -> None:
    at_once = trained(tmp_path / "one", TINY, 2)
    assert [line["generation"] for line in at_once] == [0, 1]
    assert at_once[1]["parent"] == at_once[0]["best"] == at_once[0]["net"]
    assert at_once[1]["best"] in (at_once[0]["net"], at_once[1]["net"])
    trained(tmp_path / "two", TINY, 1)
    (tmp_path / "two" / "samples" / "1.0.part").write_bytes(b"cut off")
    assert without_time(trained(tmp_path / "two", TINY, 2)) == without_time(at_once)
    # Every net is kept under its hash and can be read.
    training = Training(tmp_path / "one", TINY)
    for line in at_once:
        assert training.net(line["net"]).hash == line["net"]
    file = tmp_path / "one" / "nets" / f"{at_once[0]['net']}.json"
    file.write_text(file.read_text("utf-8").replace(at_once[0]["net"], "0" * 16), "utf-8")
    with pytest.raises(NetFileError):
        training.net(at_once[0]["net"])


def test_a_folder_belongs_to_one_recipe(tmp_path: Path) -> None:
    Training(tmp_path, TINY)
    with pytest.raises(TrainingError, match="another recipe"):
        Training(tmp_path, replace(TINY, seed=2))


def test_a_game_without_inputs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="atlantis declares no inputs"):
        Training(tmp_path, replace(TINY, game="atlantis"))


def test_a_fit_finds_who_wins() -> None:
    """The seat with the larger first input wins."""
    generator = numpy.random.default_rng(3)
    inputs = generator.normal(size=(4000, 3, 4)).astype(numpy.float32)
    shares = numpy.eye(3, dtype=numpy.float32)[inputs[:, :, 0].argmax(axis=1)]
    movers, values = numpy.zeros(4000, numpy.int64), numpy.full(4000, -1.0, numpy.float32)
    samples = {3: Samples(movers, values, shares, inputs)}
    found = fit_net(
        samples, ("a", "b", "c", "d"), (2, 3), FitSettings(epochs=20, learning_rate=0.02), 1
    )
    assert found.positions == 4000
    assert found.loss < 0.3 * found.blind
    again = fit_net(
        samples, ("a", "b", "c", "d"), (2, 3), FitSettings(epochs=20, learning_rate=0.02), 1
    )
    assert again.net.hash == found.net.hash


def test_a_fit_learns_from_values() -> None:
    """With values alone, the chance of the seat to move is the value."""
    inputs = numpy.zeros((2000, 2, 1), numpy.float32)
    inputs[:, 0, 0] = 1.0
    shares = numpy.full((2000, 2), 0.5, numpy.float32)
    movers, values = numpy.zeros(2000, numpy.int64), numpy.full(2000, 0.8, numpy.float32)
    settings = FitSettings(epochs=30, learning_rate=0.02, value_weight=1.0, weight_decay=0.0)
    found = fit_net({2: Samples(movers, values, shares, inputs)}, ("mine",), (2,), settings, 1)
    # Cross-entropy of chances (0.8, 0.2) with results (0.5, 0.5).
    assert found.loss == pytest.approx(0.916, abs=0.03)


def test_the_recipe_is_json() -> None:
    assert json.dumps(TINY.fit.epochs) == "1"
