"""A few threads that read, each with a read-only connection of its own.

Only the writer's connection ever writes or checkpoints, which also keeps clear of SQLite's
WAL-reset bug (https://www.sqlite.org/wal.html#walresetbug) in versions before 3.51.3.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from archipel.store.errors import StoreClosed, StoreFailed

Result = TypeVar("Result")


class Readers:
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
