"""What a second worker brings: processor time per kept move of one worker, and of two.

    python -m benchmarks.workers
    python -m benchmarks.workers --game atlantis --tables 20 --seconds 10
    python -m benchmarks.workers --pace --tables 300 --seconds 20

Starts a PostgreSQL and the workers itself.  On a machine with a core for each worker and some for
the database, the busiest worker decides how many moves there are in a second: that is what is told,
from processor times, so that it does not matter what else the machine does meanwhile.

With ``--pace`` people play at theirs at two workers, those of a table at both: how soon a move
comes back to whoever made it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from archipel.store.postgresql import PostgresqlStore
from benchmarks.load.figures import in_milliseconds, percentile
from benchmarks.load.measuring import Room
from benchmarks.load.processes import Served
from tests.chaos.cluster import WorkerProcess
from tests.serve.killable import GONE
from tests.serve.people import Person, join_table, make_table
from tests.support.postgresql import OwnServer

SEATS = 4
#: No slower at the 99th percentile, in seconds.
SLOW_ECHO = 0.050
#: In seconds; long enough that none is thought gone because the machine is busy.
LEASE = 30.0


@dataclass(frozen=True)
class Measured:
    moves: int
    #: Processor seconds of each worker, and of the database.
    workers: tuple[float, ...]
    database: float

    @property
    def moves_per_second(self) -> float:
        """That the busiest worker could make with a core of its own."""
        return self.moves / max(self.workers)

    def __str__(self) -> str:
        each = " + ".join(f"{1000 * seconds / self.moves:.2f}" for seconds in self.workers)
        database = 1000 * self.database / self.moves
        return (
            f"{self.moves_per_second:5.0f} moves/s where a core each is the limit"
            f" ({each} ms of workers and {database:.2f} ms of the database a move;"
            f" {self.moves} moves)"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="deep-sea")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--pace", action="store_true", help="people at their pace, at two workers")
    parser.add_argument("--rate", type=float, default=100.0, help="with --pace: moves per second")
    options = parser.parse_args(arguments)
    if options.pace:
        return asyncio.run(_at_human_pace(options))
    print(f"{options.game}, {options.tables} tables, {SEATS} listeners each, as fast as they can")
    best: dict[str, float] = {}
    for _ in range(options.rounds):
        for name, workers, together in (
            ("one worker", 1, True),
            ("two, players anywhere", 2, False),
            ("two, a table's players at one", 2, True),
        ):
            measured = asyncio.run(_measure(options, workers, together))
            best[name] = max(best.get(name, 0.0), measured.moves_per_second)
            print(f"  {name:<30} {measured}", flush=True)
    one = best.pop("one worker")
    for name, moves in best.items():
        print(f"{name}: {moves / one:.2f} times one worker")
    return 0


async def _at_human_pace(options: argparse.Namespace) -> int:
    """0 if the slowest of a hundred moves is still soon enough."""
    server = OwnServer()
    workers = [WorkerProcess(server.address, 0.0, LEASE) for _ in range(2)]
    try:
        for worker in workers:
            worker.start()
            await asyncio.to_thread(worker.await_ready)
        first = Served(workers[0].process, workers[0].port)
        ports = [worker.port for worker in workers]
        room = await Room.fill(first, options.game, options.tables, SEATS, ports=ports)
        pause = options.tables / options.rate
        measured = await room.play_for(options.seconds, (pause * 0.5, pause * 1.5))
        room.close()
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


async def _measure(options: argparse.Namespace, count: int, together: bool) -> Measured:
    server = OwnServer()
    workers = [WorkerProcess(server.address, 0.0, LEASE) for _ in range(count)]
    try:
        for worker in workers:
            worker.start()
            await asyncio.to_thread(worker.await_ready)
        tables = [_Table(options.game, workers, together, seed) for seed in range(options.tables)]
        await asyncio.gather(*(table.sit_down() for table in tables))
        store = await PostgresqlStore.open(server.address)
        postmaster = server.process_id
        before, kept = _seconds(workers, postmaster), await _kept(store)
        await asyncio.gather(*(table.play(options.seconds) for table in tables))
        after, moves = _seconds(workers, postmaster), await _kept(store) - kept
        await store.close()
        spent = [late - early for early, late in zip(before, after, strict=True)]
        return Measured(moves, tuple(spent[:-1]), spent[-1])
    finally:
        for worker in workers:
            worker.end(signal.SIGKILL)
        server.end()


class _Table:
    """People who play at one table, and at the next when its game is over."""

    def __init__(self, game: str, workers: list[WorkerProcess], together: bool, seed: int) -> None:
        self._game = game
        self._chance = random.Random(seed)
        own = workers[seed % len(workers)]
        self._workers = [own if together else workers[k % len(workers)] for k in range(SEATS)]
        self._people: list[Person] = []

    async def sit_down(self) -> None:
        http = self._workers[0].http
        made = await asyncio.to_thread(make_table, http, game=self._game, seats=[{}] * SEATS)
        tokens = [made["token"]]
        for number in range(1, SEATS):
            joined = await asyncio.to_thread(join_table, http, made["table"], f"P{number}")
            tokens.append(joined["token"])
        self._people = [
            Person(f"ws://127.0.0.1:{worker.port}/api/tables/{made['table']}/socket", token)
            for worker, token in zip(self._workers, tokens, strict=True)
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


def _seconds(workers: list[WorkerProcess], postmaster: int) -> list[float]:
    """Processor time of each worker, and of all processes of the database together."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(postmaster)], capture_output=True, text=True, check=True
    )
    database = [postmaster, *map(int, listed.stdout.split())]
    return [
        *(_processor_time(worker.process.pid) for worker in workers),
        sum(map(_processor_time, database)),
    ]


def _processor_time(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended since it was listed
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    raise SystemExit(main())
