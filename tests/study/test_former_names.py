"""Former names work for one release and warn."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from archipel.cli import main
from archipel.envs import Batch
from archipel.envs.dataset_plan import DatasetPlan
from archipel.study import match
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
    former: dict[str, Any] = {"envs": 2, "worth": "margin", "threads": 1}
    with pytest.warns(DeprecationWarning, match="is now") as warned:
        batch = Batch("deep-sea", players=["outside"] * 2, compiled=False, **former)
    assert [str(each.message) for each in warned] == [
        "the argument envs is now num_envs",
        "the argument worth is now reward",
        "the argument threads is now workers",
        "the reward 'margin' is now 'score_margin'",
    ]
    batch.reset(1)
    processes: dict[str, Any] = {"processes": 1}
    with pytest.warns(DeprecationWarning, match=r"Buffers.masks is now Buffers.action_mask"):
        assert batch.buffers.masks is batch.buffers.action_mask  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match="processes is now workers"):
        match("deep-sea", ["random"] * 2, 2, compiled=False, **processes)
    with pytest.warns(DeprecationWarning, match="seat_offset"):
        assert batch.shift() == batch.seat_offset()
    with pytest.warns(DeprecationWarning, match=r"Executor.map"):
        assert list(SerialExecutor().do("zlib:compress", [])) == []


def test_former_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "--lanes", "0"]) == 2
    former, refused = capsys.readouterr().err.splitlines()
    assert former == "archipel: --lanes is now --num-envs"
    assert "--num-envs 0" in refused
