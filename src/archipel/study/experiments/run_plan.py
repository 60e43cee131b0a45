"""Run a study's plan in batches; an interrupted study continues where it stopped.

The folder holds finished batches in ``chunks/`` during the study, and ``summary.json`` and
``games.parquet`` at the end.  Neither depends on the executor or the number of workers.
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec

from archipel.bots.search.search import search_program
from archipel.rules.kit.core.loading import can_compile
from archipel.store.durable_files import ProcessLock
from archipel.store.errors import FileInUse
from archipel.study.executors.executor import PROCESSES, Executor, open_executor
from archipel.study.experiments.batches import WORK, GameBatch, play_task, searches
from archipel.study.experiments.plan import Plan, Table
from archipel.study.experiments.summary import Summary, TableSummary, empty_summary, tidied
from archipel.study.progress import NO_COMPILER, OnProgress, Progress, compile_first, silent
from archipel.study.resumable_file import ResumableFileError, write_atomically
from archipel.study.simulation.game_programs import games_program

BATCHES = "chunks"
SUMMARY = "summary.json"
ROWS = "games.parquet"
LOCK = "study"

#: A target counts as reached only after this many games.
MIN_GAMES = 100


class StudyError(ResumableFileError):
    """A folder that cannot be continued."""


def run_plan(
    plan: Plan,
    folder: Path,
    *,
    on: str = PROCESSES,
    workers: int | None = None,
    rows: bool = True,
    on_progress: OnProgress = silent,
    executor: Executor | None = None,
) -> Summary:
    """Play the missing games and write the summary and the rows to the folder.

    Raises `StudyError`, `OSError`, `NoRayError` or `WorkFailed`; finished batches are kept.
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
            using = executor or stack.enter_context(open_executor(on, workers))
            return _play(plan, folder, using, rows, on_progress)
    finally:
        lock.close()


def finished(folder: Path, plan: Plan, rows: bool) -> Summary | None:
    """The summary of this plan if the folder has it; raises `StudyError` for another plan's."""
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
        searched = {searches(game, table.bots) for table in plan.tables if table.game == game}
        for search in sorted(searched):
            program = search_program(game) if search else games_program(game, metrics=True)
            compile_first(program, plan.most_games, on_progress)


def _play(
    plan: Plan, folder: Path, executor: Executor, rows: bool, on_progress: OnProgress
) -> Summary:
    batches = folder / BATCHES
    batches.mkdir(exist_ok=True)
    summary, reached, played = empty_summary(plan), [False] * len(plan.tables), 0
    with ExitStack() as stack:
        keep: Callable[[int, GameBatch], None] | None = None
        if rows:
            from archipel.study.experiments.parquet_rows import row_writer

            keep = stack.enter_context(row_writer(folder / ROWS, plan))
        in_order = _in_order(plan, reached, batches, executor)
        for number, batch in stack.enter_context(closing(in_order)):
            if reached[number]:
                continue  # submitted before the target was reached
            summary.tables[number].add(batch)
            reached[number] = _target_reached(plan.tables[number], summary.tables[number])
            if keep is not None:
                keep(number, batch)
            played += batch.games
            on_progress(Progress(played, plan.most_games))
    write_atomically(folder / SUMMARY, summary_bytes(tidied(summary)))
    shutil.rmtree(batches)
    return summary


def _target_reached(table: Table, sums: TableSummary) -> bool:
    target = table.target
    if target is None or sums.games < MIN_GAMES:
        return False
    return sums.half_width(target.figure) <= target.half_width


def _in_order(
    plan: Plan, reached: Sequence[bool], folder: Path, executor: Executor
) -> Generator[tuple[int, GameBatch], None, None]:
    """Yield batches in the order of tasks: read from the folder, else played and written there.

    A table has no more tasks once its target is ``reached``.
    """
    decode = msgspec.msgpack.Decoder(GameBatch).decode
    ahead: deque[tuple[int, bytes, Path]] = deque()
    kept = {path.name for path in folder.iterdir()}

    def missing() -> Iterator[bytes]:
        for number, table in enumerate(plan.tables):
            for task in table.tasks():
                if reached[number]:
                    break
                path = folder / f"{table.key}-{task.first}-{task.games}"
                data = msgspec.msgpack.encode(task)
                ahead.append((number, data, path))
                if path.name not in kept:
                    yield data

    def ready() -> Iterator[tuple[int, GameBatch]]:
        """Batches in the folder, up to the first that is missing; damaged ones are played again."""
        while ahead and ahead[0][2].name in kept:
            number, task, path = ahead.popleft()
            try:
                yield number, decode(path.read_bytes())
            except msgspec.DecodeError:
                write_atomically(path, answer := play_task(task))
                yield number, decode(answer)

    with closing(executor.map(WORK, missing())) as answers:
        for answer in answers:
            yield from ready()
            number, _, path = ahead.popleft()
            write_atomically(path, answer)
            yield number, decode(answer)
        yield from ready()
