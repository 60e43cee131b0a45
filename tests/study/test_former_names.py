"""Former names work for one release and warn."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from archipel.cli import main
from archipel.envs import Batch
from archipel.envs.dataset_plan import DatasetPlan
from archipel.study.executors.executor import SerialExecutor, open_executor
from archipel.study.experiments.plan import Part
from archipel.study.experiments.run_plan import run_plan


@pytest.mark.parametrize(
    ("module", "name", "new"),
    [
        ("archipel.study.plan", "Part", Part),
        ("archipel.study.carrying_out", "carry_out", run_plan),
        ("archipel.study.crew", "crew_on", open_executor),
        ("archipel.envs.dataset_plan", "Plan", DatasetPlan),
    ],
)
def test_former_modules(module: str, name: str, new: object) -> None:
    found = importlib.import_module(module)
    with pytest.warns(DeprecationWarning, match=name):
        assert getattr(found, name) is new


def test_former_arguments_and_methods() -> None:
    former: dict[str, Any] = {"worth": "margin"}
    with pytest.warns(DeprecationWarning, match="worth is now reward"):
        batch = Batch("deep-sea", 2, players=["outside"] * 2, compiled=False, **former)
    batch.reset(1)
    with pytest.warns(DeprecationWarning, match="seat_offset"):
        assert batch.shift() == batch.seat_offset()
    with pytest.warns(DeprecationWarning, match=r"Executor.map"):
        assert list(SerialExecutor().do("zlib:compress", [])) == []


def test_former_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "--lanes", "0"]) == 2
    former, refused = capsys.readouterr().err.splitlines()
    assert former == "archipel: --lanes is now --envs"
    assert "--envs 0" in refused
