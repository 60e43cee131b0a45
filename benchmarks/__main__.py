"""Measure the speed of a game's rules; compare ratios within one run.

Rates are decisions (or copies) per second of processor time of the measuring thread.  The speed-up
by a second thread is measured in wall time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, UnknownGameError
from archipel.rules.kit.core.loading import can_compile, load_backend
from archipel.rules.kit.core.program import Backend
from archipel.study.executors.threads import usable_cores
from benchmarks import subjects
from benchmarks.c_reference import build, find_compiler, has_source
from benchmarks.kernel import program_of
from benchmarks.report import Report
from benchmarks.subjects import Player, Playing, Subject, starts

THREADS = 2
IN_WALL_TIME = ("one_thread", "two_threads")
TIMES_IN_WALL_TIME = 5

# Time per repetition: fewer games are measured if they are long, so that every benchmark ends
# within two minutes.
SECONDS_INTERPRETED = 0.25
SECONDS_COMPILED = 0.06
SECONDS_IN_WALL_TIME = 0.02

# Targets.
LEAST_COMPILED = {"the-island": 3_000_000}
LEAST_INTERPRETED = {"deep-sea": 100_000}
LEAST_OF_C = 0.8
LEAST_OF_INTERPRETED = 60
LEAST_OF_ONE_THREAD = 1.8


@dataclass(frozen=True)
class Effort:
    """Work per repetition, and the number of repetitions."""

    repetitions: int
    games_interpreted: int
    games_compiled: int
    games_in_wall_time: int
    copies_interpreted: int
    copies_compiled: int
    starts: int


THOROUGH = Effort(60, 200, 4000, 1000, 10_000, 2_000_000, 5)
QUICK = Effort(20, 40, 1000, 1000, 2_000, 500_000, 1)


class Disagreement(Exception):
    """Two ways of running the game play different games."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--game", default="deep-sea", help="default: deep-sea")
    parser.add_argument("--seats", type=int, default=4, help="default: 4")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results there")
    parser.add_argument("--quick", action="store_true", help="a less precise measurement")
    chosen = parser.parse_args(arguments)
    try:
        definition = game_named(chosen.game)
    except UnknownGameError as error:
        parser.error(str(error))
    if chosen.seats not in definition.seats:
        parser.error(f"{definition!r}")
    try:
        report = measure(definition, chosen.seats, QUICK if chosen.quick else THOROUGH)
    except Disagreement as error:
        print(f"no figures: {error}", file=sys.stderr)
        return 1
    print(report)
    if chosen.json:
        report.save(chosen.json)
    return 0


def measure(definition: Definition[Any], seats: int, effort: Effort) -> Report:
    report = Report(definition.name, seats, effort.repetitions)
    if hasattr(os, "getloadavg"):
        load, cores = os.getloadavg()[0], usable_cores()
        report.notes.append(
            f"Load before the run: {load:.1f} on {cores} cores. On a busy machine the "
            "speed-up by two threads is not meaningful."
        )
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(THREADS) as pool:
        folder = Path(name)
        playing = {"interpreted": _interpreted(definition, seats)}
        copies = subjects.fitting(
            lambda count: subjects.copying_interpreted(definition, count)(),
            effort.copies_interpreted,
            SECONDS_COMPILED,
        )
        copying = {"copy_interpreted": subjects.copying_interpreted(definition, copies)}
        if can_compile():
            backend = load_backend(program_of(definition), compiled=True)
            playing |= _compiled(definition, backend, seats, pool)
            copies = subjects.fitting(
                lambda count: subjects.copying_compiled(backend, count)(),
                effort.copies_compiled,
                SECONDS_COMPILED,
            )
            copying["copy_compiled"] = subjects.copying_compiled(backend, copies)
        else:
            report.notes.append("Numba is not installed: nothing compiled was measured.")
        playing |= _c_reference(definition, seats, folder, report)
        check_agreement(playing, effort)
        compared = {name: _subject(name, play, effort) for name, play in playing.items()}
        best = subjects.best_of(compared | copying, effort.repetitions)
        _report_rates(report, {name: timing.rate for name, timing in best.items()})
        if can_compile():
            _report_starts(report, starts(definition.name, seats, folder, effort.starts))
    return report


def _subject(name: str, play: Playing, effort: Effort) -> Subject:
    if name == "interpreted":
        most, seconds = effort.games_interpreted, SECONDS_INTERPRETED
    elif name in IN_WALL_TIME:
        most, seconds = effort.games_in_wall_time, SECONDS_IN_WALL_TIME
    else:
        most, seconds = effort.games_compiled, SECONDS_COMPILED
    short = partial(play, subjects.fitting(play, most, seconds))
    return subjects.best_in_a_row(short, TIMES_IN_WALL_TIME) if name in IN_WALL_TIME else short


def _interpreted(definition: Definition[Any], seats: int) -> Playing:
    backend = program_of(definition).interpreted()
    return subjects.on_one_thread(Player(definition, backend, seats))


def _compiled(
    definition: Definition[Any], backend: Backend, seats: int, pool: ThreadPoolExecutor
) -> dict[str, Playing]:
    players = [Player(definition, backend, seats) for _ in range(THREADS)]
    return {
        "compiled": subjects.on_one_thread(players[0]),
        "one_thread": subjects.in_wall_time(players[0]),
        "two_threads": subjects.on_threads(players, pool),
        "two_by_processor": subjects.on_threads_by_processor(players, pool),
    }


def _c_reference(
    definition: Definition[Any], seats: int, folder: Path, report: Report
) -> dict[str, Playing]:
    if not has_source(definition.name):
        report.notes.append(f"There is no C program for {definition.name}.")
        return {}
    compiler = find_compiler()
    if compiler is None:
        report.notes.append("No C compiler was found: C was not measured.")
        return {}
    try:
        return {"c": subjects.in_c(build(definition.name, compiler, folder), seats)}
    except subprocess.CalledProcessError as error:
        raise Disagreement(f"the C program does not compile:\n{error.stderr}") from None


def check_agreement(playing: dict[str, Playing], effort: Effort) -> None:
    """Raise `Disagreement` unless all ways of running the game play the same games."""
    for names, games in (
        (("interpreted", "compiled", "c"), effort.games_interpreted),
        (("compiled", "c"), effort.games_compiled),
    ):
        digests = {name: playing[name](games).digest for name in names if name in playing}
        if len(set(digests.values())) > 1:
            listed = ", ".join(f"{name} {digest:016x}" for name, digest in digests.items())
            raise Disagreement(f"{games} games of one seed end differently: {listed}")


def _report_rates(report: Report, rates: dict[str, float]) -> None:
    interpreted, compiled = rates["interpreted"], rates.get("compiled")
    decisions, copies = "decisions/s", "copies/s"
    least = LEAST_INTERPRETED.get(report.game)
    report.add("interpreted", "interpreted", interpreted, decisions, least)
    if compiled is not None:
        one, two = rates["one_thread"], rates["two_threads"]
        report.add("compiled", "compiled", compiled, decisions, LEAST_COMPILED.get(report.game))
        ratio = compiled / interpreted
        report.add(
            "of_interpreted", "compiled, against interpreted", ratio, "times", LEAST_OF_INTERPRETED
        )
        both = rates["two_by_processor"]
        report.add("two_by_processor", "compiled, two threads, processor time", both, decisions)
        report.add("one_thread", "compiled, one thread, wall time", one, decisions)
        report.add("two_threads", "compiled, two threads, wall time", two, decisions)
        report.add(
            "of_one_thread", "two threads, against one", two / one, "times", LEAST_OF_ONE_THREAD
        )
    if "c" in rates:
        report.add("c", "hand-written C", rates["c"], decisions)
    if "c" in rates and compiled is not None:
        report.add("of_c", "compiled, against C", compiled / rates["c"], "times", LEAST_OF_C)
    report.add("copy_interpreted", "state copies, interpreted", rates["copy_interpreted"], copies)
    if compiled is not None:
        report.add("copy_compiled", "state copies, compiled", rates["copy_compiled"], copies)


def _report_starts(report: Report, seconds: dict[str, float]) -> None:
    for key, label in (
        ("cold", "first result, nothing compiled yet"),
        ("warm", "first result, compiled before"),
        ("interpreted", "first result, interpreted"),
    ):
        report.add(f"start_{key}", label, seconds[key], "s")


if __name__ == "__main__":
    sys.exit(main())
