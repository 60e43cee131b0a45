"""Measure the strength of bots: matches in many processes, which can be resumed.

    python -m benchmarks.strength SPECS RESULTS [--processes N] [--seconds N]

SPECS is a file with one match per line, in JSON: game, seats, a, b, games and optionally seed.  A
has one seat and B all others.  Each is the name of a bot; or a search configuration, such as
"simulations=600,horizon=6,evaluation=evaluation_1"; or changes to a level, such as
"master:simulations=60"; or plain halving, such as "plain:simulations=600,cut=50"; or plain tree
search, such as "tree:simulations=64000,trees=16".

RESULTS gets one line per rotation of seats; rotations that have a line are not played again.  After
``--seconds`` no new rotation starts, and those under way are finished, so that long games are not
underrepresented.  ``--summary`` prints the summary without playing.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from archipel.bots import BotInfo, Level, player_named, roster_of
from archipel.bots.search.config import SearchConfig
from archipel.study.resumable_file import appending, whole_lines
from archipel.study.statistics import wilson
from benchmarks.arguments import parser_of
from benchmarks.plain_halving import PlainHalving
from benchmarks.plain_tree import PlainTree
from benchmarks.search_match import Arena, Player, arena_backend

Spec = dict[str, Any]
Task = tuple[Spec, int]


#: Former names of settings, as older result files and match specifications have them.
RENAMED = {
    "playout": "rollout_policy",
    "others": "opponent_policy",
    "rivals": "opponent_nodes",
    "habit": "rollout_prior",
    "ideas": "proposal_policy",
    "explore": "exploration",
    "widen": "progressive_widening",
    "trust": "prior_weight",
    "scale": "margin_scale",
    "sure": "elimination_z",
    "appraisal": "evaluation",
}


def setting_name(name: str) -> str:
    """Return the current name of a setting; a former name gives a `DeprecationWarning`."""
    if name not in RENAMED:
        return name
    warnings.warn(f"{name} is now called {RENAMED[name]}", DeprecationWarning, stacklevel=3)
    return RENAMED[name]


def key_of(spec: Spec) -> str:
    parts = (spec[name] for name in ("game", "seats", "a", "b"))
    return " | ".join(map(str, (*parts, spec.get("seed", 1))))


def read_specs(file: Path) -> list[Spec]:
    lines = file.read_text(encoding="utf-8").splitlines()
    specs = [json.loads(line) for line in lines if line.strip() and not line.startswith("#")]
    for spec in specs:
        for side in ("a", "b"):
            spec[side] = with_version(spec["game"], spec[side])
    return specs


def with_version(game: str, words: str) -> str:
    """Replace the name of a level by its full name with version, which results need."""
    name, colon, rest = words.partition(":")
    if "=" in name or name in ("plain", "tree", "module"):
        return words
    bot = player_named(game, name)
    return bot.name + colon + rest if isinstance(bot, Level) else words


def entrant(game: str, words: str) -> BotInfo | SearchConfig | PlainHalving | PlainTree:
    """Parse a bot, a level with changes after a colon, a yardstick, or a configuration."""
    if "=" not in words:
        return player_named(game, words)
    name, colon, rest = words.partition(":")
    kinds: dict[str, Any] = {"plain": PlainHalving, "tree": PlainTree}
    kind = kinds.get(name, SearchConfig)
    given = dict(read_option(kind, item) for item in (rest if colon else words).split(","))
    if name in kinds:
        yardstick: PlainHalving | PlainTree = kind(**given)
        return yardstick
    if not colon:
        return SearchConfig(**{"policy": roster_of(game).named("greedy").name, **given})
    base = player_named(game, name)
    if not isinstance(base, Level):
        raise ValueError(f"{name} is not a level: it has no configuration to change")
    return dataclasses.replace(base.config, **given)


def read_option(made: type[SearchConfig | PlainHalving | PlainTree], item: str) -> tuple[str, Any]:
    name, _, value = item.partition("=")
    name = setting_name(name)
    kinds = {field.name: field.type for field in dataclasses.fields(made)}
    if name not in kinds:
        raise ValueError(f"{name} is not among {', '.join(kinds)}")
    if kinds[name] == "str":
        return name, value
    return name, float(value) if kinds[name] == "float" else int(value)


@cache
def _table(game: str, seats: int) -> Arena:
    return Arena(game, seats)


@cache
def _player(game: str, seats: int, words: str) -> Player:
    if words.startswith("module:"):  # a player from elsewhere: module:NAME:WORDS
        _, name, rest = words.split(":", 2)
        made: Player = importlib.import_module(name).player(game, seats, rest)
        return made
    return _table(game, seats).player(entrant(game, words))


def play_rotation(task: Task) -> dict[str, Any]:
    spec, rotation = task
    game, seats = spec["game"], spec["seats"]
    table = _table(game, seats)
    a, b = _player(game, seats, spec["a"]), _player(game, seats, spec["b"])
    row: dict[str, Any] = {"match": key_of(spec), "rotation": rotation, "shares": []}
    row |= {"asked": 0, "seconds": 0.0, "asked_b": 0, "seconds_b": 0.0, "scores": []}
    for shift in range(seats):
        played = table.play([a, *[b] * (seats - 1)], spec.get("seed", 1), rotation * seats + shift)
        row["shares"].append(round(played.shares[0], 4))
        row["scores"].append(played.scores)
        row["asked"] += played.asked[0]
        row["seconds"] += played.seconds[0]
        row["asked_b"] += sum(played.asked[1:])
        row["seconds_b"] += sum(played.seconds[1:])
    return row


def try_rotation(task: Task) -> dict[str, Any]:
    """Play a rotation; an error becomes a row, so that the other matches go on."""
    try:
        return play_rotation(task)
    except Exception as error:
        return {"match": key_of(task[0]), "error": f"{type(error).__name__}: {error}"}


def tasks_of(specs: Sequence[Spec], done: set[tuple[str, int]]) -> Iterator[Task]:
    """The rotations that are not in ``done``; the matches advance in parallel."""
    rotations = {key_of(spec): -(-spec["games"] // spec["seats"]) for spec in specs}
    whole = max(rotations.values(), default=0)
    for step in range(whole):
        for spec in specs:
            count = rotations[key_of(spec)]
            # Spread short matches over the whole run, too.
            before, after = step * count // whole, (step + 1) * count // whole
            for rotation in range(before, after):
                if (key_of(spec), rotation) not in done:
                    yield spec, rotation


def summary(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    matches: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        matches.setdefault(row["match"], []).append(row)
    for match, found in matches.items():
        shares = [share for row in found for share in row["shares"]]
        mean = sum(shares) / len(shares)
        interval = wilson(sum(shares), len(shares))
        asked = max(1, sum(row["asked"] for row in found))
        asked_b = max(1, sum(row["asked_b"] for row in found))
        ms = 1000 * sum(row["seconds"] for row in found) / asked
        ms_b = 1000 * sum(row["seconds_b"] for row in found) / asked_b
        yield (
            f"{mean:.3f} ({interval.low:.3f}-{interval.high:.3f}) {len(shares):5d} games  "
            f"{ms:7.2f} ms {ms_b:7.2f} ms  {match}"
        )


def read_results(file: Path) -> list[dict[str, Any]]:
    """All complete lines; the last line may be cut off."""
    if not file.exists():
        return []
    return [json.loads(line) for line in whole_lines(file)]


def play_all(specs: list[Spec], results: Path, processes: int, seconds: float) -> None:
    begun = time.monotonic()
    rows = read_results(results)
    done = {(row["match"], row["rotation"]) for row in rows}
    games = {spec["game"] for spec in specs}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(games)), context) as compilers:
        list(compilers.map(_compile, sorted(games)))
    print(f"compiled after {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    tasks = until_deadline(tasks_of(specs, done), begun + seconds if seconds else None)
    with ProcessPoolExecutor(processes, context) as pool, appending(results) as file:
        for row in run_tasks(pool, tasks, processes):
            if "error" in row:
                print(f"{row['match']}: {row['error']}", file=sys.stderr, flush=True)
            else:
                file.append(row)


def until_deadline(tasks: Iterable[Task], end: float | None) -> Iterator[Task]:
    """The tasks until the deadline has passed."""
    for task in tasks:
        if end is not None and time.monotonic() > end:
            return
        yield task


def run_tasks(pool: Executor, tasks: Iterator[Task], most: int) -> Iterator[dict[str, Any]]:
    """Run at most ``most`` tasks at a time and yield their results as they finish.

    Waits for all tasks that were started: dropping them would bias the results to short games.
    """
    under_way = {pool.submit(try_rotation, task) for task in islice(tasks, most)}
    while under_way:
        ended, under_way = wait(under_way, return_when=FIRST_COMPLETED)
        under_way |= {pool.submit(try_rotation, task) for task in islice(tasks, len(ended))}
        for future in ended:
            yield future.result()


def _compile(game: str) -> None:
    arena_backend(game)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("strength", __doc__)
    parser.add_argument("specs", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--seconds", type=float, default=0, help="start no rotation after this time"
    )
    parser.add_argument("--summary", action="store_true", help="play nothing")
    given = parser.parse_args(arguments)
    if not given.summary:
        play_all(read_specs(given.specs), given.results, given.processes, given.seconds)
    for line in summary(read_results(given.results)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
