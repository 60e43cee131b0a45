"""Measure goodput at twice the capacity of the server, or more.

    python -m benchmarks.overload
    python -m benchmarks.overload --share 0.1 --tables 300 --times 4

The server gets a small share of a core, which needs control groups of Linux (else the exit status
is 3).  First some tables play without pauses, which gives the maximum; then more tables ask for
twice as many moves per second, and repeat what is refused.  Targets: at least 80 % of the maximum,
a bounded 99th percentile of accepted moves, and logs that the server reads back.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from archipel.store.sqlite.store import SqliteStore
from archipel.tables import TableService
from archipel.tables.log.table_state import Participant
from benchmarks.arguments import parser_of
from benchmarks.load.measuring import ClientPool, in_milliseconds, percentile
from benchmarks.load.processes import served
from benchmarks.load.shares import CannotLimitError, limited

_GOODPUT, _SLOWEST = 0.8, 5.0
_FEW = 100


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("overload", __doc__)
    parser.add_argument("--game", default="the-island")
    parser.add_argument("--share", type=float, default=0.1, help="share of a core for the server")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--times", type=float, default=2.0, help="the load, as times the maximum")
    parser.add_argument("--seconds", type=float, default=15.0)
    options = parser.parse_args(arguments)
    try:
        return asyncio.run(_measure(options))
    except CannotLimitError as error:
        print(error, file=sys.stderr)
        return 3


async def _measure(options: Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="archipel-overload-") as folder:
        database = Path(folder) / "tables.db"
        with served("benchmarks.load.server", str(database)) as server:
            few = await ClientPool.open(server, options.game, _FEW, 2)
            many = await ClientPool.open(server, options.game, options.tables, 2)
            with limited([server.process.pid], options.share):
                most = await few.play_for(options.seconds, (0.0, 0.0))
                offered = options.times * most.moves_per_second
                think = options.tables / offered
                measured = await many.play_for(options.seconds, (think, think))
            few.close()
            many.close()
        kept = few.kept + many.kept
        readable = await _readable(database, [pool[0].seat.table for pool in many.tables])
    share = measured.moves_per_second / most.moves_per_second
    slow = percentile(measured.timings.receipts, 0.99)
    refused = sum(measured.timings.refused.values())
    print(
        f"maximum:  {most.moves_per_second:.0f} moves/s, {in_milliseconds(most.timings.receipts)}"
    )
    print(f"offered:  {offered:.0f} moves/s at {options.tables} tables")
    print(
        f"accepted: {measured.moves_per_second:.0f} moves/s ({share:.0%} of the maximum), refused "
        f"{refused}, {in_milliseconds(measured.timings.receipts)}"
    )
    print(f"all {readable} tables read back; {kept} moves acknowledged")
    missed = share < _GOODPUT or slow > _SLOWEST
    print(
        f"targets, {_GOODPUT:.0%} and p99 below {_SLOWEST:g} s: {'MISSED' if missed else 'reached'}"
    )
    return 1 if missed else 0


async def _readable(database: Path, tables: Sequence[str]) -> int:
    """Fold the log of every table again; raises if one is corrupted."""
    store = await SqliteStore.open(database)
    service = TableService(store)
    for table in tables:
        position = await service.position(Participant(table))
        assert position is not None
    await store.close()
    return len(tables)


if __name__ == "__main__":
    raise SystemExit(main())
