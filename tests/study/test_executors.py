"""Executors yield answers in order and retry a task whose worker was killed."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from archipel.study.executors.executor import WorkFailed, open_executor
from archipel.study.executors.process_executor import ProcessExecutor
from tests.study.executor_tasks import DEADLY, DEADLY_ONCE, DOUBLED, FAILING


def test_answers_are_in_task_order() -> None:
    tasks = [bytes([number]) for number in range(20)]
    with open_executor(workers=1) as serial:
        expected = list(serial.map(DOUBLED, tasks))
    assert expected == [task + task for task in tasks]
    with open_executor(workers=2) as processes:
        assert list(processes.map(DOUBLED, tasks)) == expected
        assert list(processes.map(DOUBLED, tasks[:3])) == expected[:3], "the executor is reusable"


def test_few_tasks_are_submitted_ahead() -> None:
    taken = []

    def tasks() -> object:
        for number in range(1000):
            taken.append(number)
            yield b"%d" % number

    with open_executor(workers=2) as executor:
        answers = executor.map(DOUBLED, tasks())  # type: ignore[arg-type]
        assert next(answers) == b"00"
        assert len(taken) < 20
        answers.close()


def test_task_of_a_killed_worker_is_retried(tmp_path: Path) -> None:
    names = ["calm-1", "deadly-1", "calm-2", "deadly-2", "calm-3"]
    tasks = [os.fsencode(tmp_path / name) for name in names]
    with closing(ProcessExecutor(2)) as executor:
        assert list(executor.map(DEADLY_ONCE, tasks)) == tasks
        alive = executor.process_ids
    killed = [int((tmp_path / name).read_text()) for name in names if "deadly" in name]
    assert len(set(killed)) == 2
    assert not set(killed) & set(alive)


def test_task_that_kills_every_worker_is_given_up() -> None:
    given_up = pytest.raises(WorkFailed, match="one after the other")
    with closing(ProcessExecutor(2)) as executor, given_up:
        list(executor.map(DEADLY, [b""]))


@pytest.mark.parametrize("workers", [1, 2])
def test_error_message_is_one_line(workers: int) -> None:
    with open_executor(workers=workers) as executor, pytest.raises(WorkFailed) as failure:
        list(executor.map(FAILING, [b"", b""]))
    assert str(failure.value) == "no tea left"


def test_unknown_place_is_refused() -> None:
    with (
        pytest.raises(ValueError, match="'moon' is not one of processes, ray"),
        open_executor("moon"),
    ):
        pass
