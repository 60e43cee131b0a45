"""Load on a server of this machine: people at their pace, then as much as it takes.

    python -m benchmarks.load
    python -m benchmarks.load --tables 50 --seconds 5

Starts the servers itself, ends them, and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from archipel.serve.listening import allow_many_sockets
from benchmarks.load.figures import in_milliseconds, percentile
from benchmarks.load.measuring import Measured, Room, measure_echo
from benchmarks.load.processes import Served, served
from benchmarks.load.sitting import set_up_tables

_MOST_TABLES = 2_000
_MOST_SECONDS = 120


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    tables = min(options.tables, _MOST_TABLES)
    seconds = min(options.seconds, _MOST_SECONDS)
    allow_many_sockets(10_000)
    folder = options.folder or Path(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(dir=folder, prefix="archipel-load-") as temporary:
        human = asyncio.run(_at_human_pace(temporary, tables, options, seconds))
        asyncio.run(_at_saturation(temporary, tables, options, seconds / 2))
    _echo(tables, seconds / 4)
    p50, p99 = (percentile(human.timings.echoes, share) for share in (0.5, 0.99))
    met = p50 < 0.010 and p99 < 0.050
    print(f"targets (p50 < 10 ms, p99 < 50 ms at human pace): {'met' if met else 'MISSED'}")
    return 0 if met else 1


async def _at_human_pace(
    folder: str, tables: int, options: argparse.Namespace, seconds: float
) -> Measured:
    with served("benchmarks.load.server", f"{folder}/human.db") as server:
        room = await _fill(server, tables, options.seats)
        pause = tables / options.rate
        used = server.cpu_seconds()
        measured = await room.play(seconds, (pause * 0.5, pause * 1.5))
        print(f"\nhuman pace: {tables} tables, {len(room.players)} sockets")
        _report(measured, server, used)
        await room.close()
    return measured


async def _at_saturation(
    folder: str, tables: int, options: argparse.Namespace, seconds: float
) -> None:
    with served("benchmarks.load.server", f"{folder}/saturation.db") as server:
        room = await _fill(server, tables, options.seats)
        used = server.cpu_seconds()
        measured = await room.play(seconds, (0.0, 0.0))
        print(f"\nsaturation: {tables} tables, {len(room.players)} sockets, no thinking")
        _report(measured, server, used)
        await room.close()


async def _fill(server: Served, tables: int, seats: int) -> Room:
    seated = await asyncio.to_thread(set_up_tables, server.port, tables, seats)
    room = Room(seated, seed=1)
    await room.open(server.port)
    await asyncio.sleep(2)
    return room


def _report(measured: Measured, server: Served, used_before: float | None) -> None:
    timings = measured.timings
    print(f"  durable moves:     {measured.moves_per_second:.0f} per second")
    print(f"  move to its echo:  {in_milliseconds(timings.echoes)}")
    print(f"  move to receipt:   {in_milliseconds(timings.receipts)}")
    used = server.cpu_seconds()
    if used is not None and used_before is not None:
        print(
            f"  server processor:  {1000 * (used - used_before) / measured.moves:.1f} ms per move"
        )
    if timings.refused:
        print(f"  refused:           {timings.refused}")


def _echo(sockets: int, seconds: float) -> None:
    with served("benchmarks.load.echo") as server:
        small = '{"type":"play","id":"m12","n":123,"action":4}'
        rate = asyncio.run(measure_echo(server.port, sockets, seconds, small))
    print(f"\nempty echo: {sockets} sockets, {rate:.0f} messages per second: the limit\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seats", type=int, default=4, help="sockets per table, 2 to 6")
    parser.add_argument("--rate", type=float, default=100.0, help="moves per second in all")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--folder", type=Path, help="where the database is written for a while")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
