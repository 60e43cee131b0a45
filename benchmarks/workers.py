"""Measure the speed-up by a second worker: durable moves per second with one and with two.

    python -m benchmarks.workers
    python -m benchmarks.workers --game atlantis --tables 20 --seconds 10
    python -m benchmarks.workers --pace --tables 300 --seconds 20

Starts PostgreSQL and the workers.  Each worker is limited to a small share of a core, so that its
processor time is the bottleneck even on two cores, and not players or database.  This needs control
groups of Linux and the right to create them; without them the exit status is 3.

Two workers are those of ``archipel serve --workers 2``, which pass sockets to each other.  For
comparison: two servers on two ports, with the players of a table spread over both, or all at one,
as proxies without and with routing by table would send them.

With ``--pace``, players move at human pace at two workers, the players of a table spread over both;
measures the latency of moves.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from archipel.store.postgresql.store import PostgresqlStore
from benchmarks.load.measuring import ClientPool, in_milliseconds, percentile
from benchmarks.load.processes import ROOT, Served, children_of, processor_time
from benchmarks.load.shares import CannotLimitError, limited
from benchmarks.load.unlimited import NAME as UNLIMITED
from tests.chaos.cluster import WorkerProcess
from tests.serve.people import Person, join_table, make_table
from tests.serve.restartable_server import GONE
from tests.support.postgresql import OwnServer

SEATS = 4
ONE = "one worker"
#: Target for the 99th percentile of the latency, in seconds.
SLOW_ECHO = 0.050
#: Lease in seconds, long enough for a busy machine.
LEASE = 30.0
#: Seconds that a server must be idle before a measurement.
SETTLING = 1.0


@dataclass(frozen=True)
class Measured:
    moves: int
    seconds: float
    #: Processor seconds of each worker and of the database.
    workers: tuple[float, ...]
    database: float

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    def __str__(self) -> str:
        each = " + ".join(f"{1000 * seconds / self.moves:.2f}" for seconds in self.workers)
        busy = " and ".join(f"{seconds / self.seconds:.3f}" for seconds in self.workers)
        database = 1000 * self.database / self.moves
        return (
            f"{self.moves_per_second:5.0f} moves/s ({each} ms of workers and {database:.2f} ms of"
            f" the database a move; workers used {busy} of a core; {self.moves} moves)"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="deep-sea")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--share", type=float, default=0.1, help="share of a core for each worker")
    parser.add_argument(
        "--pace", action="store_true", help="latency at human pace, with two workers"
    )
    parser.add_argument("--rate", type=float, default=100.0, help="with --pace: moves per second")
    options = parser.parse_args(arguments)
    if options.pace:
        return asyncio.run(_at_human_pace(options))
    try:
        return _compare(options)
    except CannotLimitError as error:
        print(error, file=sys.stderr)
        return 3


def _compare(options: argparse.Namespace) -> int:
    print(
        f"{options.game}, {options.tables} tables, {SEATS} listeners each, workers limited to"
        f" {options.share:g} of a core"
    )
    best: dict[str, float] = {}
    for _ in range(options.rounds):
        for name, servers, workers, together in (
            (ONE, 1, 1, True),
            ("serve --workers 2", 1, 2, True),
            ("two ports, players spread", 2, 1, False),
            ("two ports, by table", 2, 1, True),
        ):
            measured = asyncio.run(_measure(options, servers, workers, together))
            best[name] = max(best.get(name, 0.0), measured.moves_per_second)
            print(f"  {name:<30} {measured}", flush=True)
    one = best.pop(ONE)
    for name, moves in best.items():
        print(f"{name}: {moves / one:.2f} times one worker")
    return 0


async def _at_human_pace(options: argparse.Namespace) -> int:
    """Measure the latency of moves; returns 0 if the 99th percentile meets the target."""
    server = OwnServer()
    workers = [WorkerProcess(server.address, 0.0, LEASE) for _ in range(2)]
    try:
        for worker in workers:
            worker.start()
            await asyncio.to_thread(worker.await_ready)
        first = Served(workers[0].process, workers[0].port)
        ports = [worker.port for worker in workers]
        pool = await ClientPool.open(first, options.game, options.tables, SEATS, ports=ports)
        pause = options.tables / options.rate
        measured = await pool.play_for(options.seconds, (pause * 0.5, pause * 1.5))
        pool.close()
    finally:
        for worker in workers:
            worker.end(signal.SIGKILL)
        server.end()
    print(f"{options.game}, {options.tables} tables of {SEATS} at two workers, at human pace")
    print(f"  durable moves:     {measured.moves_per_second:.0f} per second")
    print(f"  move to its echo:  {in_milliseconds(measured.timings.echoes)}")
    print(f"  move to receipt:   {in_milliseconds(measured.timings.receipts)}")
    if measured.timings.refused:
        print(f"  refused:           {dict(measured.timings.refused)}")
    return 0 if percentile(measured.timings.echoes, 0.99) < SLOW_ECHO else 1


async def _measure(
    options: argparse.Namespace, servers: int, workers: int, together: bool
) -> Measured:
    database = OwnServer()
    serving = [_Serving(database.address, workers) for _ in range(servers)]
    try:
        for server in serving:
            await asyncio.to_thread(server.await_ready)
        processes = [process for server in serving for process in server.workers()]
        tables = [_Table(options.game, serving, together, seed) for seed in range(options.tables)]
        await asyncio.gather(*(table.sit_down() for table in tables))
        store = await PostgresqlStore.open(database.address)
        postmaster = database.process_id
        with limited(processes, options.share):
            before, kept = _seconds(processes, postmaster), await _kept(store)
            begun = time.monotonic()
            await asyncio.gather(*(table.play(options.seconds) for table in tables))
            after, moves = _seconds(processes, postmaster), await _kept(store) - kept
            taken = time.monotonic() - begun
        await store.close()
        spent = [late - early for early, late in zip(before, after, strict=True)]
        return Measured(moves, taken, tuple(spent[:-1]), spent[-1])
    finally:
        for server in serving:
            server.end()
        database.end()


class _Serving:
    """One ``archipel serve`` on a port of its own."""

    def __init__(self, database: str, workers: int) -> None:
        self._count = workers
        options = ("--local", "--port", "0", "--no-browser", "--workers", str(workers))
        self._process = subprocess.Popen(
            [sys.executable, "-m", UNLIMITED, "serve", *options, "--log-level", "error"],
            cwd=ROOT,
            env={**os.environ, "ARCHIPEL_DATABASE": database},
            stdout=subprocess.PIPE,
            text=True,
        )

    def await_ready(self) -> None:
        """Wait until all workers have started and are idle."""
        assert self._process.stdout is not None
        while not (found := re.search(r"http://localhost:(\d+)", self._process.stdout.readline())):
            if self._process.poll() is not None:
                raise RuntimeError("the server did not start")
        self.port = int(found[1])
        while len(self.workers()) < self._count or self._is_busy():
            pass

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def workers(self) -> list[int]:
        return [self._process.pid] if self._count == 1 else children_of(self._process.pid)

    def end(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(120)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _is_busy(self) -> bool:
        """Whether the processes used more than a tenth of a core during `SETTLING`."""
        before = sum(map(processor_time, self._family()))
        time.sleep(SETTLING)
        return sum(map(processor_time, self._family())) - before > SETTLING / 10

    def _family(self) -> list[int]:
        found = [self._process.pid]
        for process in found:
            found += children_of(process)
        return found


class _Table:
    """Players of one table, and of the next when its game is over."""

    def __init__(self, game: str, servers: list[_Serving], together: bool, seed: int) -> None:
        self._game = game
        self._chance = random.Random(seed)
        own = servers[seed % len(servers)]
        self._servers = [own if together else servers[k % len(servers)] for k in range(SEATS)]
        self._people: list[Person] = []

    async def sit_down(self) -> None:
        http = self._servers[0].http
        made = await asyncio.to_thread(make_table, http, game=self._game, seats=[{}] * SEATS)
        tokens = [made["token"]]
        for number in range(1, SEATS):
            joined = await asyncio.to_thread(join_table, http, made["table"], f"P{number}")
            tokens.append(joined["token"])
        self._people = [
            Person(f"ws://127.0.0.1:{server.port}/api/tables/{made['table']}/socket", token)
            for server, token in zip(self._servers, tokens, strict=True)
        ]
        for person in self._people:
            await person.connect()
        assert (await self._people[0].ask("begin"))["type"] == "done"

    async def play(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await asyncio.gather(*(self._play_until(person, end) for person in self._people))
            for person in self._people:
                with suppress(*GONE):
                    await person.socket.close()
            if time.monotonic() < end:
                await self.sit_down()

    async def _play_until(self, person: Person, end: float) -> None:
        while not person.is_over and time.monotonic() < end:
            position = person.position
            if position is None or not person.choices:
                with suppress(TimeoutError):
                    await person.next(seconds=0.5)
                continue
            action = self._chance.choice(person.choices)
            answer = await person.ask("play", n=position["n"], action=action)
            while answer["type"] == "done" and person.after < answer["n"]:
                await person.next()


async def _kept(store: PostgresqlStore) -> int:
    return sum(info.last_n for info in await store.tables(archived=None, limit=1000))


def _seconds(workers: list[int], postmaster: int) -> list[float]:
    """Processor time of each worker, and of all processes of the database."""
    database = [postmaster, *children_of(postmaster)]
    return [*map(processor_time, workers), sum(map(processor_time, database))]


if __name__ == "__main__":
    raise SystemExit(main())
