"""The ways of running a game that are compared, each doing the same work."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import Any

from archipel.rules.contract import Definition
from archipel.rules.kit import clone
from archipel.rules.kit.core.program import Backend
from benchmarks.kernel import BLANK, STATES
from benchmarks.yardstick import PlayRandomly

SEED = 1
RING = 16  # states that a benchmark of copying copies around


@dataclass(frozen=True)
class Timing:
    """Work done, how long it took, and what came of it (equal work, equal digest)."""

    work: int
    seconds: float
    digest: int = 0

    @property
    def rate(self) -> float:
        return self.work / self.seconds


#: Plays so many games, from number 0.
Playing = Callable[[int], Timing]
Subject = Callable[[], Timing]


class Player:
    """Plays random games by one backend, in memory of its own."""

    def __init__(self, definition: Definition[Any], backend: Backend, seats: int) -> None:
        self._backend = backend
        self._seats = seats
        self._states = backend.states(STATES)
        backend.write(self._states, BLANK, definition.blank(definition.make_options(seats)))
        self._actions = backend.numbers(definition.most_legal)
        self._chance, self._choices = backend.stream(0), backend.stream(0)
        self._totals = backend.numbers(1)

    def play(self, games: int, clock: Callable[[], float]) -> Timing:
        self._totals[0] = 0
        begun = clock()
        digest = self._backend.play_randomly(
            self._states,
            self._actions,
            self._chance,
            self._choices,
            self._seats,
            SEED,
            0,
            games,
            self._totals,
        )
        return Timing(int(self._totals[0]), clock() - begun, int(digest))


def on_one_thread(player: Player) -> Playing:
    """In the processor time of the thread: what else the machine does does not count."""
    return lambda games: player.play(games, time.thread_time)


def by_the_clock(player: Player) -> Playing:
    """In time on the clock, to compare with several threads."""
    return lambda games: player.play(games, time.perf_counter)


def on_threads(players: list[Player], pool: ThreadPoolExecutor) -> Playing:
    """All players at once, each the same games as alone, from the common start to the last end.

    On the clock: processor time would hide it if the threads kept each other waiting for a lock.
    """
    barrier = Barrier(len(players))

    def play(player: Player, games: int) -> tuple[float, float, int]:
        barrier.wait()
        begun = time.perf_counter()
        timing = player.play(games, time.perf_counter)
        return begun, time.perf_counter(), timing.work

    def together(games: int) -> Timing:
        ran = list(pool.map(play, players, [games] * len(players)))
        seconds = max(end for _, end, _ in ran) - min(begun for begun, _, _ in ran)
        return Timing(sum(work for _, _, work in ran), seconds)

    return together


def on_threads_by_processor(players: list[Player], pool: ThreadPoolExecutor) -> Playing:
    """The same in each thread's processor time, their rates added up.

    This shows only how they slow each other down by way of memory, but also on a busy machine.
    """
    barrier = Barrier(len(players))

    def play(player: Player, games: int) -> Timing:
        barrier.wait()
        return player.play(games, time.thread_time)

    def together(games: int) -> Timing:
        ran = list(pool.map(play, players, [games] * len(players)))
        work = sum(timing.work for timing in ran)
        return Timing(work, work / sum(timing.rate for timing in ran))

    return together


def in_c(play_randomly: PlayRandomly, seats: int) -> Playing:
    def play(games: int) -> Timing:
        begun = time.thread_time()
        digest, decisions = play_randomly(seats, SEED, 0, games)
        return Timing(decisions, time.thread_time() - begun, digest)

    return play


def copying_compiled(backend: Backend, copies: int) -> Subject:
    states = backend.states(RING)

    def copy() -> Timing:
        begun = time.thread_time()
        backend.copy_around(states, RING, copies)
        return Timing(copies, time.thread_time() - begun)

    return copy


def copying_interpreted(definition: Definition[Any], copies: int) -> Subject:
    state = definition.state()

    def copy() -> Timing:
        begun = time.thread_time()
        for _ in range(copies):
            clone(state)
        return Timing(copies, time.thread_time() - begun)

    return copy


def fitting(play: Playing, most: int, seconds: float) -> int:
    """How many games (or copies) to do at a time, so that they take about so long: as found out by
    a twentieth of the most."""
    tried = max(1, most // 20)
    spent = play(tried).seconds
    return max(1, min(most, int(tried * seconds / spent))) if spent > 0 else most


def best_in_a_row(subject: Subject, times: int) -> Subject:
    """Several times in a row: by the clock, short and often finds the quiet moments."""
    return lambda: max((subject() for _ in range(times)), key=lambda timing: timing.rate)


def best_of(subjects: dict[str, Subject], repetitions: int) -> dict[str, Timing]:
    """The best of each, all of them taking turns, so that a slow moment of the machine strikes
    none of them alone."""
    best: dict[str, Timing] = {}
    for _ in range(repetitions):
        for name, subject in subjects.items():
            timing = subject()
            if name not in best or timing.rate > best[name].rate:
                best[name] = timing
    return best


# ---- start-up time ----------------------------------------------------------------------------

FIRST_RESULT = "from archipel.study import simulate; simulate({!r}, {!r}, 1, jobs=1, compiled={})"


def seconds_to_first_result(game: str, seats: int, cache: Path, compiled: bool) -> float:
    """Return the wall time of a process that simulates one game, including its start."""
    script = FIRST_RESULT.format(game, ["random"] * seats, compiled)
    environment = {
        **os.environ,
        "ARCHIPEL_CACHE": str(cache),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)
    return time.perf_counter() - begun


def starts(game: str, seats: int, folder: Path, repetitions: int) -> dict[str, float]:
    """Return the times of a cold start (with compilation), a warm and an interpreted one."""
    cache = folder / "cache"
    cold = seconds_to_first_result(game, seats, cache, compiled=True)
    warm = min(
        seconds_to_first_result(game, seats, cache, compiled=True) for _ in range(repetitions)
    )
    interpreted = min(
        seconds_to_first_result(game, seats, cache, compiled=False) for _ in range(repetitions)
    )
    return {"cold": cold, "warm": warm, "interpreted": interpreted}
