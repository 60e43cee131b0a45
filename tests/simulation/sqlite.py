"""The real SQLite store on a database in memory, with its threads replaced by timers.

`SqliteStore` and the commits, rollbacks and answers of `GroupCommit` run as they are. A disk
decides how long a commit takes and whether it fails. The database survives the process.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any, TypeVar

from archipel.store.clock import Clock
from archipel.store.errors import StoreClosed, StoreFailed
from archipel.store.limits import Limits
from archipel.store.sqlite import schema
from archipel.store.sqlite.connections import Readers
from archipel.store.sqlite.group_commit import GroupCommit, _Request
from archipel.store.sqlite.store import SqliteStore
from tests.simulation.loop import SimulatedLoop

Result = TypeVar("Result")


class _Connection(sqlite3.Connection):
    """A connection whose transactions fail as the disk says."""

    disk: Disk

    def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
        if sql == "COMMIT":
            self.disk.check("commit")
            cursor = super().execute(sql, *given)
            self.disk.check("after commit")
            return cursor
        if sql == "BEGIN IMMEDIATE":
            self.disk.check("begin")
        elif sql.startswith("INSERT INTO event"):
            self.disk.check("insert")
        return super().execute(sql, *given)


class Disk:
    """A database file and its disk."""

    def __init__(self, loop: SimulatedLoop, chance: random.Random) -> None:
        self.loop = loop
        self.chance = chance
        self.slowness = 1.0
        #: The steps of a transaction that fail, in order.
        self.failures: deque[str] = deque()
        self.connection = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False, factory=_Connection
        )
        self.connection.disk = self
        self.connection.deserialize(_empty())
        self.connection.execute("PRAGMA foreign_keys = ON")

    def delay(self) -> float:
        return self.chance.uniform(0.0002, 0.006) * self.slowness

    def check(self, step: str) -> None:
        if self.failures and self.failures[0] == step:
            self.failures.popleft()
            raise sqlite3.OperationalError("disk I/O error")

    def last_n(self, table_id: str) -> int:
        query = "SELECT coalesce(max(n), 0) FROM event WHERE table_id = ?"
        return int(self.connection.execute(query, (table_id,)).fetchone()[0])


_made: list[bytes] = []


def _empty() -> bytes:
    """A database without tables, made once."""
    if not _made:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        schema.migrate(connection)
        _made.append(connection.serialize())
        connection.close()
    return _made[0]


class _TimedCommit(GroupCommit):
    """`GroupCommit` with a timer for its thread."""

    def __init__(self, disk: Disk, capacity: int, rolled_back: Callable[[], None]) -> None:
        self.commits = 0
        self.failure = ""
        self._rolled_back = rolled_back
        self._connection = disk.connection
        self._capacity = capacity
        self._queue = SimpleQueue()
        self._closing = False
        self._many_come = False
        self._submitting = Lock()
        self._disk = disk
        self._is_due = False

    def submit(self, work: Callable[[sqlite3.Connection], Result]) -> asyncio.Future[Result]:
        future = super().submit(work)
        if not self._is_due:
            self._is_due = True
            self._disk.loop.call_later(self._disk.delay(), self._serve_once)
        return future

    def _serve_once(self) -> None:
        self._is_due = False
        self._many_come = False  # its thread would wait for more
        waiting: list[_Request] = []
        self._wait_for(waiting)
        batch = [request for request in waiting if not request.future.cancelled()]
        if batch:
            self._write(batch)


class _TimedReaders(Readers):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._closed = False

    async def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        await asyncio.sleep(self._disk.delay() / 4)
        if self._closed:
            raise StoreClosed
        try:
            self._disk.check("read")
            return work(self._disk.connection)
        except sqlite3.Error as error:
            raise StoreFailed(f"could not read: {error}") from error

    def close(self) -> None:
        self._closed = True


class SimulatedSqliteStore(SqliteStore):
    def __init__(self, disk: Disk, clock: Clock) -> None:
        self._limits = Limits()
        self._path = Path("simulated.db")
        self._clock = clock
        self._closed = False
        self.damage = None
        self._connection = disk.connection
        self._heads = {}
        self._writer = _TimedCommit(disk, 1024, self._heads.clear)
        self._readers = _TimedReaders(disk)

    async def close(self) -> None:
        self._writer._closing = True
        self._readers.close()
