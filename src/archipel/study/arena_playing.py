"""How rotations get played: compiled where all bots are rules, else in several processes.

Which way, and on how many processes or threads, makes no difference to what comes of them.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from itertools import groupby

from archipel.bots import Level, bot_named, player_named
from archipel.bots.outside.line_process import (
    LineProcess,
    ProcessFailed,
    python_command,
    python_environment,
)
from archipel.bots.search.programs import search_program
from archipel.rules.all_games import game_named
from archipel.rules.kit.loading import can_compile, is_compiled_already, load_backend
from archipel.study.arena import MOST_DECISIONS, EntrantFailed, Match, Rotation
from archipel.study.arena_worker import read_done, task_line
from archipel.study.backends import COMPILING, OnProgress, Progress, backend_for, silent
from archipel.study.kernel import BLANK, DECISIONS, RANKS, STATES, UNFINISHED
from archipel.study.programs import simulation_program, without_course
from archipel.study.threads import in_pieces, usable_cores

WORKER = "archipel.study.arena_worker"

#: Rotations that are played in one go where they are compiled.
PIECE = 50

#: As good as no limit: programs have limits of their own, and bots of the house come to an end.
NO_HURRY = 1e6

Played = Generator[tuple[int, Rotation], None, None]


def play_rotations(
    match: Match,
    numbers: Sequence[int],
    *,
    processes: int | None = None,
    on_progress: OnProgress = silent,
) -> Played:
    """The rotations of these numbers, each with its number, as they get done, in no fixed order.

    Raises `EntrantFailed`.  Whatever comes, closing it ends the processes.
    """
    if not numbers:
        return
    jobs = processes or usable_cores()
    if can_compile() and all(_is_rule(match, name) for name in match.bots):
        played = _compiled(match, numbers, jobs, on_progress)
    else:
        _compile_searches(match, len(numbers), on_progress)
        played = _in_processes(match, numbers, min(jobs, len(numbers)))
    with closing(played):
        yield from played


def _is_rule(match: Match, name: str) -> bool:
    return name not in match.programs and not isinstance(player_named(match.game, name), Level)


def _compile_searches(match: Match, rotations: int, on_progress: OnProgress) -> None:
    """Once, and not in every process at the same time."""
    house = [player_named(match.game, name) for name in match.bots if name not in match.programs]
    if any(isinstance(bot, Level) for bot in house) and can_compile():
        program = search_program(match.game)
        if not is_compiled_already(program):
            on_progress(Progress(0, rotations * match.seats, COMPILING))
            load_backend(program, compiled=True)


# ---- processes ----------------------------------------------------------------------------------


def _in_processes(match: Match, numbers: Sequence[int], jobs: int) -> Played:
    environment = python_environment(NUMBA_NUM_THREADS="1", OMP_NUM_THREADS="1")
    workers = [LineProcess(python_command(WORKER), environment=environment) for _ in range(jobs)]
    of_thread = threading.local()
    waiting = iter(list(workers))

    def begin() -> None:
        of_thread.worker = next(waiting)

    def play(number: int) -> tuple[int, Rotation]:
        try:
            return number, read_done(of_thread.worker.ask(task_line(match, number), NO_HURRY))
        except ProcessFailed as failure:
            raise EntrantFailed(f"a process of the match failed: {failure}") from failure

    pool = ThreadPoolExecutor(jobs, "arena", initializer=begin)
    try:
        pending = {pool.submit(play, number) for number in numbers}
        for future in as_completed(pending):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()


# ---- compiled -----------------------------------------------------------------------------------


def _compiled(match: Match, numbers: Sequence[int], jobs: int, on_progress: OnProgress) -> Played:
    definition, seats = game_named(match.game), match.seats
    backend = backend_for(simulation_program(match.game), None, len(numbers), on_progress)
    entrants = [bot_named(match.game, name) for name in match.bots]

    def play(piece: range) -> list[tuple[int, Rotation]]:
        states = backend.states(STATES)
        backend.write(states, BLANK, definition.blank(match.options))
        bots = backend.numbers(seats)
        for seat, bot in enumerate(entrants):
            bots[seat] = bot.index
        results = backend.numbers(RANKS + 2 * seats, len(piece) * seats)
        backend.play_games(
            states,
            backend.numbers(definition.most_legal),
            bots,
            backend.stream(0),
            backend.stream(0),
            seats,
            1,
            1,
            MOST_DECISIONS,
            match.seed,
            piece.start * seats,
            len(piece) * seats,
            results,
            *without_course(backend),
        )
        rows = [[int(value) for value in row] for row in results]
        return [(number, _rotation(rows, k * seats, seats)) for k, number in enumerate(piece)]

    with closing(in_pieces(_pieces(numbers), play, jobs)) as done:
        for _, rotations in done:
            yield from rotations


def _rotation(rows: list[list[int]], first: int, seats: int) -> Rotation:
    columns = range(first, first + seats)
    decisions = tuple(rows[DECISIONS][column] for column in columns)
    if UNFINISHED in decisions:
        raise EntrantFailed(f"a game did not end within {MOST_DECISIONS} decisions")
    return Rotation(
        tuple(tuple(rows[RANKS + e][column] for e in range(seats)) for column in columns),
        tuple(tuple(rows[RANKS + seats + e][column] for e in range(seats)) for column in columns),
        decisions,
    )


def _pieces(numbers: Sequence[int]) -> Iterator[range]:
    """Runs of numbers, none too long."""
    for _, run in groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        for first in range(found[0], found[-1] + 1, PIECE):
            yield range(first, min(first + PIECE, found[-1] + 1))
