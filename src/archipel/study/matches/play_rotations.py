"""Play rotations: compiled in threads if all players are rules, else by an executor.

The way they are played does not affect the results.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing

import msgspec
from msgspec import Struct

from archipel.bots.external.bot_program import BotProgram
from archipel.bots.search.search import search_program
from archipel.rules.all_games import game_named
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.program import Backend
from archipel.rules.options import Value
from archipel.rules.play_out import UnfinishedGameError
from archipel.study.executors.executor import PROCESSES, WorkFailed, open_executor
from archipel.study.executors.threads import batches_of, run_in_threads, usable_cores
from archipel.study.matches.rotation import (
    EntrantFailed,
    Match,
    Rotation,
    RotationPlayer,
    compiled_rotations,
)
from archipel.study.progress import OnProgress, compile_first, load_program, silent
from archipel.study.simulation.game_programs import games_backend, games_program

#: Rotations per batch in compiled code.
BATCH = 50

#: Name by which a worker finds its function.
WORK = "archipel.study.matches.play_rotations:play_task"

Played = Generator[tuple[int, Rotation], None, None]


def play_rotations(
    match: Match,
    numbers: Sequence[int],
    *,
    workers: int | None = None,
    on: str = PROCESSES,
    on_progress: OnProgress = silent,
    compiled: bool | None = None,
) -> Played:
    """Yield ``(number, rotation)`` in ascending order.

    ``on`` is one of `executors.executor.PLACES`; a match with Python functions is played in this
    process.  Raises `EntrantFailed` or `NoRayError`, or what a function raises.  Closing the
    generator ends the worker processes.
    """
    if not numbers:
        return
    numbers = sorted(numbers)
    compiles = can_compile() if compiled is None else compiled
    at_once = compiles and match.all_rules
    if at_once and on == PROCESSES:
        program = games_program(match.game)
        backend = load_program(program, compiled, len(numbers), on_progress)
        played = _in_threads(match, numbers, workers or usable_cores(), backend)
    elif match.functions or (compiled is False and not match.levels):
        played = _in_this_process(match, numbers)
    else:
        games = len(numbers) * match.seats
        if at_once:
            compile_first(games_program(match.game), games, on_progress)
        elif match.levels:
            compile_first(search_program(match.game), games, on_progress)
        played = _by_executor(match, numbers, on, workers, at_once)
    try:
        with closing(played):
            yield from played
    except (WorkFailed, UnfinishedGameError) as failure:
        raise EntrantFailed(str(failure)) from None


def _in_this_process(match: Match, numbers: Sequence[int]) -> Played:
    with closing(RotationPlayer(match)) as player:
        for number in numbers:
            yield number, player.play(number)


def _in_threads(match: Match, numbers: Sequence[int], threads: int, backend: Backend) -> Played:
    def play(batch: range) -> list[Rotation]:
        return compiled_rotations(match, batch, backend)

    with closing(run_in_threads(batches_of(numbers, BATCH), play, threads)) as played:
        for batch, rotations in played:
            yield from zip(batch, rotations, strict=True)


def _by_executor(
    match: Match, numbers: Sequence[int], on: str, workers: int | None, at_once: bool
) -> Played:
    batches = list(batches_of(numbers, BATCH if at_once else 1))
    if on == PROCESSES:
        workers = min(workers or usable_cores(), len(batches))
    options, programs = dict(match.options.values), dict(match.programs)
    fixed = match.game, match.seats, options, match.bots, match.seed, programs, at_once
    tasks = (msgspec.json.encode(Task(*fixed, batch.start, len(batch))) for batch in batches)
    try:
        with open_executor(on, workers) as executor, closing(executor.map(WORK, tasks)) as answers:
            for batch, answer in zip(batches, answers, strict=True):
                rotations = msgspec.json.decode(answer, type=list[Rotation])
                yield from zip(batch, rotations, strict=True)
    finally:
        _close_player()


class Task(Struct, frozen=True):
    """A match and the rotations to play, as sent to a worker."""

    game: str
    seats: int
    options: dict[str, Value]
    bots: tuple[str, ...]
    seed: int
    programs: dict[str, BotProgram]
    compiled: bool
    first: int
    count: int


#: The player of this worker's last match: the next task is usually of the same match.
_PLAYER: list[RotationPlayer] = []


def play_task(data: bytes) -> bytes:
    task = msgspec.json.decode(data, type=Task)
    options = game_named(task.game).make_options(task.seats, **task.options)
    match = Match(task.game, options, task.bots, task.seed, task.programs)
    numbers = range(task.first, task.first + task.count)
    if task.compiled:
        rotations = compiled_rotations(match, numbers, games_backend(match.game))
    else:
        if not _PLAYER or _PLAYER[0].match != match:
            _close_player()
            _PLAYER.append(RotationPlayer(match))
        rotations = [_PLAYER[0].play(number) for number in numbers]
    return msgspec.json.encode(rotations)


def _close_player() -> None:
    while _PLAYER:
        _PLAYER.pop().close()
