"""Load test of a local server: the cost of a move, human pace, saturation.

    python -m benchmarks.load
    python -m benchmarks.load --beside ../another-checkout
    python -m benchmarks.load --game deep-sea --tables 50 --seconds 5

Starts and stops the servers.  With ``--beside``, the server of another checkout alternates with
this one, over the same public interface and in the same games.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

from archipel.serve.transport.listening import allow_many_sockets
from benchmarks.arguments import parser_of
from benchmarks.load.costs import Cost, cost_of, echo_cost
from benchmarks.load.measuring import ClientPool, Measured, in_milliseconds, percentile
from benchmarks.load.processes import Served, served

GAMES = ("deep-sea", "atlantis", "the-island", "mauna-kea")
MOST_TABLES = 2_000
MOST_SECONDS = 120
#: Targets: the ratio to the other server, bytes per frame, and seconds to the echo of a move.
TIMES_LESS, MEDIAN_FRAME, MEDIAN_ECHO, SLOW_ECHO = 4.0, 2_000, 0.010, 0.050

Result = TypeVar("Result")


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    options.tables = min(options.tables, MOST_TABLES)
    options.seconds = min(options.seconds, MOST_SECONDS)
    allow_many_sockets(10_000)
    games = options.game or GAMES
    missed: list[str] = []
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="archipel-load-") as temporary:
        folder = Path(temporary)
        if options.part in ("all", "costs"):
            missed += _costs(folder, games, options)
        if options.part in ("all", "pace"):
            missed += _at_human_pace(folder, games[0], options)
        if options.part in ("all", "saturation"):
            _at_saturation(folder, games, options)
    if options.part != "saturation":  # which has no target
        print(f"\ntargets: {'MISSED: ' + '; '.join(missed) if missed else 'all reached'}")
    return 1 if missed else 0


# ---- cost of a move -----------------------------------------------------------------------------


def _costs(folder: Path, games: Sequence[str], options: argparse.Namespace) -> list[str]:
    echo = asyncio.run(echo_cost(options.seats, options.rounds))
    print(f"processor time of the server per durable move, {options.seats} listeners")
    print(f"  an empty echo to as many sockets: {echo:.3f} ms")
    missed = []
    for game in games:
        here, beside = asyncio.run(cost_of(folder, game, options))
        print(f"  {game:<11} {_describe(here, echo)}")
        if here.frame > MEDIAN_FRAME:
            missed.append(f"{game}: median frame of {here.frame:.0f} bytes")
        if beside is not None:
            times = beside.milliseconds / here.milliseconds
            print(f"  {'  beside':<11} {_describe(beside, echo)}: {times:.1f} times as much")
            if times < TIMES_LESS:
                missed.append(f"{game}: {times:.1f} times less than beside")
    return missed


def _describe(cost: Cost, echo: float) -> str:
    return (
        f"{cost.milliseconds:.3f} ms ({cost.milliseconds / echo:.1f} echoes), "
        f"{cost.moves} moves; median frame of {cost.frame:.0f} bytes"
    )


# ---- many tables --------------------------------------------------------------------------------


def _at_human_pace(folder: Path, game: str, options: argparse.Namespace) -> list[str]:
    pause = options.tables / options.rate
    heading = f"human pace: {options.tables} tables of {game}"

    def play(pool: ClientPool) -> Coroutine[Any, Any, Measured]:
        return pool.play_for(options.seconds, (pause * 0.5, pause * 1.5))

    measured = asyncio.run(_run_load(folder / "pace.db", game, heading, options, play))
    p50, p99 = (percentile(measured.timings.echoes, share) for share in (0.5, 0.99))
    if p50 < MEDIAN_ECHO and p99 < SLOW_ECHO:
        return []
    return [f"p50 {1000 * p50:.1f} ms and p99 {1000 * p99:.1f} ms at human pace"]


def _at_saturation(folder: Path, games: Sequence[str], options: argparse.Namespace) -> None:
    for game in games:
        heading = f"saturation: {options.tables} tables of {game}, no pauses"

        def play(pool: ClientPool) -> Coroutine[Any, Any, Measured]:
            return pool.play_for(options.seconds / 2, (0.0, 0.0))

        asyncio.run(_run_load(folder / f"{game}.db", game, heading, options, play))


async def _run_load(
    database: Path,
    game: str,
    heading: str,
    options: argparse.Namespace,
    play: Callable[[ClientPool], Coroutine[Any, Any, Measured]],
) -> Measured:
    with served("benchmarks.load.server", str(database)) as server:
        empty = server.megabytes()
        pool = await ClientPool.open(server, game, options.tables, options.seats)
        measured = await play(pool)
        print(f"\n{heading}, {len(pool.players)} sockets")
        _report(measured, server, empty, len(pool.players))
        pool.close()
    return measured


def _report(measured: Measured, server: Served, empty: float, sockets: int) -> None:
    timings = measured.timings
    a_core = measured.moves / measured.processor if measured.processor else float("nan")
    print(
        f"  durable moves:     {measured.moves_per_second:.0f} per second; "
        f"{a_core:.0f} per second of a core"
    )
    print(f"  move to its echo:  {in_milliseconds(timings.echoes)}")
    print(f"  move to receipt:   {in_milliseconds(timings.receipts)}")
    print(
        f"  server:            {measured.milliseconds_per_move:.3f} ms of processor per move, "
        f"{measured.busy:.2f} cores busy, {server.megabytes():.0f} MB "
        f"({1000 * (server.megabytes() - empty) / sockets:.0f} kB per socket)"
    )
    if timings.refused:
        print(f"  refused:           {dict(timings.refused)}")


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("load", __doc__)
    parser.add_argument("--part", choices=("all", "costs", "pace", "saturation"), default="all")
    parser.add_argument("--game", action="append", choices=GAMES, help="default: all four")
    parser.add_argument("--beside", type=Path, help="another checkout to compare with")
    parser.add_argument("--rounds", type=int, default=3, help="repetitions; the best counts")
    parser.add_argument("--games", type=int, help="games per cost (default: about 8,000 moves)")
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seats", type=int, default=4, help="sockets per table, 2 to 4")
    parser.add_argument("--rate", type=float, default=100.0, help="moves per second in total")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--folder", type=Path, help="folder for the temporary database")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
