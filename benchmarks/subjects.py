"""The ways of running a game that the benchmark compares."""

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
from benchmarks.c_reference import PlayRandomly
from benchmarks.kernel import BLANK, STATES

SEED = 1
RING = 16  # states in the benchmark of copying


@dataclass(frozen=True)
class Timing:
    """Work done, its duration, and a digest of the results."""

    work: int
    seconds: float
    digest: int = 0

    @property
    def rate(self) -> float:
        return self.work / self.seconds


#: Plays a number of games, from game 0.
Playing = Callable[[int], Timing]
Subject = Callable[[], Timing]


class Player:
    """Plays random games on one backend."""

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
    """Measure the processor time of the thread."""
    return lambda games: player.play(games, time.thread_time)


def in_wall_time(player: Player) -> Playing:
    """Measure wall time, for comparison with several threads."""
    return lambda games: player.play(games, time.perf_counter)


def on_threads(players: list[Player], pool: ThreadPoolExecutor) -> Playing:
    """Run all players in parallel, each with the same games; measures until the last one ends.

    Measures wall time, because processor time would hide contention for a lock.
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
    """Same, in processor time of each thread; the rates are added.

    This shows only contention for memory, but is meaningful on a busy machine, too.
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
    """The number of games (or copies) that take about ``seconds``, estimated from ``most / 20``."""
    tried = max(1, most // 20)
    spent = play(tried).seconds
    return max(1, min(most, int(tried * seconds / spent))) if spent > 0 else most


def best_in_a_row(subject: Subject, times: int) -> Subject:
    """The best of several runs; short runs find the moments when the machine is idle."""
    return lambda: max((subject() for _ in range(times)), key=lambda timing: timing.rate)


def best_of(subjects: dict[str, Subject], repetitions: int) -> dict[str, Timing]:
    """The best run of each; the subjects alternate, so that slow moments affect all alike."""
    best: dict[str, Timing] = {}
    for _ in range(repetitions):
        for name, subject in subjects.items():
            timing = subject()
            if name not in best or timing.rate > best[name].rate:
                best[name] = timing
    return best


# ---- start-up time ----------------------------------------------------------------------------

FIRST_RESULT = (
    "from archipel.study import simulate; simulate({!r}, {!r}, 1, workers=1, compiled={})"
)


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
