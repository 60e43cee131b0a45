"""SQLite connections: one that writes, and a pool of threads that read."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from archipel.store.durable_files import ProcessLock, beside
from archipel.store.errors import FileRefused, StoreClosed, StoreFailed
from archipel.store.sqlite import schema

_BUSY_SECONDS = 5
_LARGEST_IDLE_LOG = 64 * 1024 * 1024


def open_for_writing(path: Path, lock: ProcessLock) -> tuple[sqlite3.Connection, str | None]:
    """Examine and migrate a file, and open the writing connection. The caller holds its lock.

    Also returns a description of damage that does not prevent serving the file, or None."""
    damage = None
    try:
        if path.exists() and path.stat().st_size > 0:
            damage = schema.damage_in(path)
        elif beside(path, "-wal").exists():
            # SQLite would delete the log, which may hold the only copy of some moves.
            raise FileRefused(path, "is missing or empty, but its -wal file exists: look first")
        else:
            schema.create(path)
            lock.hold_file()
        connection = connect(path, "mode=rw")
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"{path} cannot be opened: {error}") from error
    try:
        _configure_for_writing(connection)
        schema.migrate(connection)
    except sqlite3.Error as error:
        connection.close()
        raise StoreFailed(f"{path} cannot be written: {error}") from error
    except BaseException:
        connection.close()
        raise
    return connection, damage


def _configure_for_writing(connection: sqlite3.Connection) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreFailed(f"this file system allows no write-ahead log (journal mode {mode})")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: fsync alone does not reach the disk
    connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_IDLE_LOG}")


def connect_for_reading(path: Path) -> sqlite3.Connection:
    return connect(path, "mode=ro")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    # No implicit transactions. One thread uses a connection, another closes it.
    return sqlite3.connect(
        f"{path.as_uri()}?{mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


Result = TypeVar("Result")


class Readers:
    """A pool of threads, each with a read-only connection of its own.

    Only the writer's connection writes or checkpoints, which also avoids SQLite's WAL-reset bug
    (https://www.sqlite.org/wal.html#walresetbug) in versions before 3.51.3.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], threads: int) -> None:
        self._connect = connect
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="archipel-reader")
        self._of_thread = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._closed = False

    async def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        if self._closed:
            raise StoreClosed
        loop = asyncio.get_running_loop()
        try:
            reading = loop.run_in_executor(self._pool, lambda: work(self._connection()))
        except RuntimeError as error:  # closed since the line above, by another thread
            raise StoreClosed from error
        try:
            return await reading
        except sqlite3.Error as error:
            raise StoreFailed(f"could not read: {error}") from error

    def close(self) -> None:
        """Finish the reads under way, then close every connection."""
        self._closed = True
        self._pool.shutdown(wait=True)
        for connection in self._connections:
            connection.close()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._of_thread, "connection", None)
        if connection is None:
            connection = self._of_thread.connection = self._connect()
            self._connections.append(connection)
        return connection
