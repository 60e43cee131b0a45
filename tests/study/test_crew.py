"""Crews: answers in order, the same from anybody, and a killed worker costs only time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from archipel.study.crew import WorkFailed, crew_on
from archipel.study.crew_processes import process_crew
from tests.study.crew_work import DEADLY, DEADLY_ONCE, DOUBLED, FAILING


def test_answers_come_in_the_order_of_the_tasks() -> None:
    tasks = [bytes([number]) for number in range(20)]
    with crew_on(workers=1) as alone:
        here = list(alone.do(DOUBLED, tasks))
    assert here == [task + task for task in tasks]
    with crew_on(workers=2) as two:
        assert list(two.do(DOUBLED, tasks)) == here
        assert list(two.do(DOUBLED, tasks[:3])) == here[:3], "it can be asked again"


def test_only_a_few_tasks_are_taken_ahead() -> None:
    taken = []

    def tasks() -> object:
        for number in range(1000):
            taken.append(number)
            yield b"%d" % number

    with crew_on(workers=2) as crew:
        answers = crew.do(DOUBLED, tasks())  # type: ignore[arg-type]
        assert next(answers) == b"00"
        assert len(taken) < 20
        answers.close()


def test_a_killed_worker_costs_only_time(tmp_path: Path) -> None:
    names = ["calm-1", "deadly-1", "calm-2", "deadly-2", "calm-3"]
    tasks = [os.fsencode(tmp_path / name) for name in names]
    with process_crew(2) as crew:
        assert list(crew.do(DEADLY_ONCE, tasks)) == tasks
        alive = crew.process_ids
    killed = [int((tmp_path / name).read_text()) for name in names if "deadly" in name]
    assert len(set(killed)) == 2
    assert not set(killed) & set(alive)


def test_a_task_that_kills_everybody_is_given_up() -> None:
    with process_crew(2) as crew, pytest.raises(WorkFailed, match="one after the other"):
        list(crew.do(DEADLY, [b""]))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_went_wrong_is_told_in_one_line(workers: int) -> None:
    with crew_on(workers=workers) as crew, pytest.raises(WorkFailed) as failure:
        list(crew.do(FAILING, [b"", b""]))
    assert str(failure.value) == "no tea left"


def test_no_other_places() -> None:
    with pytest.raises(ValueError, match="'moon' is not one of processes, ray"), crew_on("moon"):
        pass
