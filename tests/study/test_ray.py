"""On a local Ray cluster: equal bytes, and tasks of killed workers are retried.

One test function, so that one cluster is started.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from archipel.cli import main
from archipel.rules.all_games import game_named
from archipel.study.executors.executor import RAY, WorkFailed, open_executor
from archipel.study.experiments import batches
from archipel.study.experiments.plan import Part, plan_of
from archipel.study.experiments.run_plan import ROWS, SUMMARY, run_plan
from archipel.study.matches import play_rotations as module
from archipel.study.matches.ladder import climb, head_of
from tests.study.executor_tasks import DEADLY_ONCE, FAILING

ray = pytest.importorskip("ray", reason="Ray is not installed: nothing is tested on a cluster")


@pytest.fixture
def _cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cluster of two CPUs without dashboard; removed after the test."""
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # socket paths have a length limit
    root = str(Path(__file__).parents[2])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([root, f"{root}/src"]))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    from archipel.study.executors.ray_executor import start_local_cluster

    try:
        start_local_cluster(2, object_store_memory=100 * 2**20, _temp_dir=folder)
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.soak
@pytest.mark.usefixtures("_cluster")
def test_on_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A worker is killed in the middle of its task.
    names = ["calm-1", "deadly-1", "calm-2"]
    tasks = [os.fsencode(tmp_path / name) for name in names]
    with open_executor(RAY) as executor:
        assert list(executor.map(DEADLY_ONCE, tasks)) == tasks
        with pytest.raises(WorkFailed, match=r"^no tea left$"):
            list(executor.map(FAILING, [b""]))
    assert (tmp_path / "deadly-1").exists(), "a worker was killed"

    # A study.
    monkeypatch.setattr(batches, "COMPILED_BATCH", 50)
    plan = plan_of("Try", [Part("deep-sea", "greedy", (2, 3), games=130)])
    run_plan(plan, tmp_path / "here", workers=1)
    run_plan(plan, tmp_path / "there", on=RAY)
    for name in (SUMMARY, ROWS):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()

    # A ladder, interpreted.
    monkeypatch.setattr(module, "can_compile", lambda: False)
    head = head_of("deep-sea", game_named("deep-sea").make_options(2), 3)
    bots = ["greedy-1", "random"]
    for file, on, processes in (("one", "processes", 1), ("two", "processes", 2), ("ray", RAY, 2)):
        climb(tmp_path / file, head, bots, 3, on=on, workers=processes)
    one = (tmp_path / "one").read_bytes()
    assert (tmp_path / "two").read_bytes() == one
    assert (tmp_path / "ray").read_bytes() == one

    # A dataset, by the command.
    made: dict[str, dict[str, bytes]] = {}
    for place, workers in (("processes", "1"), ("processes", "2"), (RAY, "2")):
        folder = tmp_path / f"{place}-{workers}"
        asked = ["dataset", "deep-sea", "--bots", "greedy,random", "--games", "5", "--seed", "4"]
        where = ["--per-shard", "2", "--to", str(folder), "--on", place, "--workers", workers]
        assert main([*asked, *where]) == 0
        made[folder.name] = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(made["processes-1"]) == 4
    assert made["processes-2"] == made["processes-1"]
    assert made["ray-2"] == made["processes-1"]
