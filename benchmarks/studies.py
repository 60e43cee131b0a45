"""Measure the time and memory of studies.

    python -m benchmarks.studies [--processes 2] [--part 1.0] [--only deep-sea]

A million games of Deep Sea Adventure and a hundred thousand of The Island, four players, each
aggregated and written as rows (Parquet).  Each study runs in a process of its own.  Processor time
(including workers) and wall time are measured: on a busy machine only the former is meaningful, and
half of it is the time on two idle cores.  Then four times as many games, for the memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from archipel.rules.kit.core.loading import load_backend
from archipel.study.experiments.plan import Part, plan_of
from archipel.study.experiments.run_plan import ROWS, run_plan
from archipel.study.simulation.game_programs import games_program

SEATS = 4
#: Game, bot, number of games, and target in seconds.
STUDIES = (
    ("deep-sea", "greedy", 1_000_000, 30),
    ("deep-sea", "random", 1_000_000, 30),
    ("the-island", "greedy", 100_000, 60),
    ("the-island", "random", 100_000, 60),
)


@dataclass(frozen=True)
class Measured:
    games: int
    seconds: float
    processor: float
    memory: float  # peak in MB: of the main process, and of the largest worker
    worker_memory: float
    rows: float  # MB


def measure_here(game: str, bot: str, games: int, processes: int) -> Measured:
    """Run a study in this process."""
    load_backend(games_program(game, metrics=True), compiled=True)
    begun, used = time.perf_counter(), _processor()
    with tempfile.TemporaryDirectory() as folder:
        plan = plan_of("Speed", [Part(game, bot, (SEATS,), games=games)])
        summary = run_plan(plan, Path(folder), workers=processes)
        assert summary.games == games
        rows = (Path(folder) / ROWS).stat().st_size
    return Measured(
        games,
        time.perf_counter() - begun,
        _processor() - used,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
        rows / 1e6,
    )


def _processor() -> float:
    """Processor seconds of this process and of its finished children."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(found.ru_utime + found.ru_stime for found in used)


def measure(game: str, bot: str, games: int, processes: int) -> Measured:
    """Run a study in a new process, to measure its memory."""
    command = [sys.executable, "-m", "benchmarks.studies", "--one", game, bot]
    command += ["--games", str(games), "--workers", str(processes)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return Measured(**json.loads(done.stdout))


def line(game: str, bot: str, found: Measured, wanted: float | None, processes: int) -> str:
    text = (
        f"{game:10} {bot:7} {found.games:>9,} games  {found.seconds:7.1f} s on the wall  "
        f"{found.processor:6.1f} s of processor, {found.processor / processes:5.1f} on each of "
        f"{processes}  memory {found.memory:.0f} MB, workers {found.worker_memory:.0f} MB  "
        f"rows {found.rows:.1f} MB"
    )
    if wanted is None:
        return text
    on_the_wall = "reached" if found.seconds < wanted else "not reached"
    by_processor = "reached" if found.processor / processes < wanted else "not reached"
    return f"{text}  under {wanted:.0f} s: {on_the_wall} on the wall, {by_processor} by processor"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--part", type=float, default=1.0, help="share of the games")
    parser.add_argument("--only", default="", help="only this game")
    parser.add_argument(
        "--one", nargs=2, metavar=("GAME", "BOT"), help="measure only this, as JSON"
    )
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    if given.one:
        game, bot = given.one
        found = measure_here(game, bot, given.games, given.processes)
        print(json.dumps(vars(found)))
        return 0
    for game, bot, games, wanted in STUDIES:
        if given.only in ("", game):
            count = max(1000, round(games * given.part))
            found = measure(game, bot, count, given.processes)
            whole = wanted if given.part == 1.0 else None
            print(line(game, bot, found, whole, given.processes), flush=True)
            more = measure(game, bot, 4 * count, given.processes)
            print(line(game, bot, more, None, given.processes), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
