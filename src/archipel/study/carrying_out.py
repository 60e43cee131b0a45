"""A study carried out: chunk by chunk, kept in a folder so that it can be gone on with.

The folder holds ``chunks/`` while it is being worked at, and in the end ``summary.json`` and
``games.parquet``.  What is in it does not depend on where and by how many workers it was made.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from archipel.bots.search.programs import search_program
from archipel.rules.kit.loading import can_compile
from archipel.store import FileInUse
from archipel.store.process_lock import ProcessLock
from archipel.study.backends import NO_COMPILER, OnProgress, Progress, compile_first, silent
from archipel.study.chunks import WORK, Chunk, Task, play_chunk, read_chunk, searches, task_bytes
from archipel.study.crew import PROCESSES, Crew, crew_on
from archipel.study.plan import Plan, Table
from archipel.study.programs import course_program
from archipel.study.summary import Summary, TableSummary, empty_summary, tidied

CHUNKS = "chunks"
SUMMARY = "summary.json"
ROWS = "games.parquet"
LOCK = "study"
NEW = ".new"

#: A target is not believed on fewer games than this.
FEWEST_GAMES = 100


class StudyError(ValueError):
    """A folder that cannot be gone on with; ``why`` names the reason, ``details`` more."""

    def __init__(self, why: str, **details: object) -> None:
        super().__init__(why)
        self.why = why
        self.details = details


def carry_out(
    plan: Plan,
    folder: Path,
    *,
    on: str = PROCESSES,
    workers: int | None = None,
    rows: bool = True,
    on_progress: OnProgress = silent,
    crew: Crew | None = None,
) -> Summary:
    """Play what is missing, and keep the summary and the rows in the folder.

    Raises `StudyError`, `OSError`, `NoRayError` or `WorkFailed`; what was played is kept whatever
    comes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = ProcessLock(folder / LOCK)
    except FileInUse:
        raise StudyError("in_use", folder=folder) from None
    try:
        if (found := finished(folder, plan, rows)) is not None:
            return found
        _compile(plan, on_progress)
        with ExitStack() as stack:
            at_work = crew or stack.enter_context(crew_on(on, workers))
            return _play(plan, folder, at_work, rows, on_progress)
    finally:
        lock.release()


def finished(folder: Path, plan: Plan, rows: bool) -> Summary | None:
    """The summary of this very plan, where it is there already."""
    path = folder / SUMMARY
    if not path.exists():
        return None
    summary = read_summary(path)
    if summary.key != plan.key:
        raise StudyError("other", folder=folder)
    if rows and not (folder / ROWS).exists():
        return None
    return summary.in_words_of(plan)


def read_summary(path: Path) -> Summary:
    """Raises `StudyError` or `OSError`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Summary)
    except msgspec.DecodeError:
        raise StudyError("no_summary", file=path) from None


def summary_bytes(summary: Summary) -> bytes:
    return msgspec.json.encode(summary) + b"\n"


def _compile(plan: Plan, on_progress: OnProgress) -> None:
    if not can_compile():
        on_progress(Progress(0, plan.most_games, NO_COMPILER))
        return
    for game in dict.fromkeys(table.game for table in plan.tables):
        tables = [table for table in plan.tables if table.game == game]
        searched = [searches(game, table.bots) for table in tables]
        programs = [course_program(game)] * (not all(searched))
        programs += [search_program(game)] * any(searched)
        for program in programs:
            compile_first(program, plan.most_games, on_progress)


# ---- playing ------------------------------------------------------------------------------------


@dataclass
class _Course:
    """Which tables have enough: known as their chunks come in, in order."""

    plan: Plan
    summary: Summary
    enough: list[bool]

    def chunks(self) -> Iterator[tuple[int, Task]]:
        for number, table in enumerate(self.plan.tables):
            for task in table.tasks():
                if self.enough[number]:
                    break
                yield number, task

    def add(self, number: int, chunk: Chunk) -> None:
        table, sums = self.plan.tables[number], self.summary.tables[number]
        sums.add(chunk)
        self.enough[number] = _has_enough(table, sums)


def _has_enough(table: Table, sums: TableSummary) -> bool:
    target = table.target
    if target is None or sums.games < FEWEST_GAMES:
        return False
    return sums.half_width(target.figure) <= target.half_width


def _play(plan: Plan, folder: Path, crew: Crew, rows: bool, on_progress: OnProgress) -> Summary:
    chunks = folder / CHUNKS
    chunks.mkdir(exist_ok=True)
    course = _Course(plan, empty_summary(plan), [False] * len(plan.tables))
    played = 0
    with ExitStack() as stack:
        keep: Callable[[int, Chunk], None] | None = None
        if rows:
            from archipel.study.rows import RowWriter

            keep = stack.enter_context(RowWriter(folder / ROWS, plan)).add
        done = stack.enter_context(closing(_in_order(course, chunks, crew)))
        for number, chunk in done:
            if course.enough[number]:
                continue  # begun before it was known that there are enough
            course.add(number, chunk)
            if keep is not None:
                keep(number, chunk)
            played += chunk.games
            on_progress(Progress(played, plan.most_games))
    summary = tidied(course.summary)
    _write(folder / SUMMARY, summary_bytes(summary))
    for path in chunks.iterdir():
        path.unlink()
    chunks.rmdir()
    return summary


def _in_order(
    course: _Course, folder: Path, crew: Crew
) -> Generator[tuple[int, Chunk], None, None]:
    """The chunks in order: from the folder where they are there, else done by the crew and put
    there."""
    ahead: deque[tuple[int, Task, Path]] = deque()
    kept = {path.name for path in folder.iterdir()}

    def missing() -> Iterator[bytes]:
        for number, task in course.chunks():
            path = folder / f"{course.plan.tables[number].key}-{task.first}-{task.games}"
            ahead.append((number, task, path))
            if path.name not in kept:
                yield task_bytes(task)

    def ready() -> Iterator[tuple[int, Chunk]]:
        """Those in the folder, up to the next that is not."""
        while ahead and ahead[0][2].name in kept:
            number, task, path = ahead.popleft()
            yield number, _read(path, task)

    answers = crew.do(WORK, missing())
    with closing(answers):
        for answer in answers:
            yield from ready()
            number, _, path = ahead.popleft()
            _write(path, answer)
            yield number, read_chunk(answer)
        yield from ready()


def _read(path: Path, task: Task) -> Chunk:
    """A chunk that was kept; one that is damaged is played again."""
    try:
        return read_chunk(path.read_bytes())
    except msgspec.DecodeError:
        answer = play_chunk(task_bytes(task))
        _write(path, answer)
        return read_chunk(answer)


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all."""
    new = path.with_name(f"{path.name}{NEW}")
    new.write_bytes(data)
    os.replace(new, path)
