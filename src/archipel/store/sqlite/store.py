"""The event store in one SQLite file, for one server process."""

import asyncio
import shutil
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from archipel.store.clock import Clock, unix_milliseconds
from archipel.store.durable_files import ProcessLock
from archipel.store.errors import Conflict, NoSuchTable, StoreFailed, TableArchived, TableExists
from archipel.store.heads import Head, Heads
from archipel.store.limits import Limits, check_table_id
from archipel.store.protocol import Appended, Outlook, TableInfo
from archipel.store.sql_store import SqlStore
from archipel.store.sqlite import rows, schema
from archipel.store.sqlite.connections import Readers, connect_for_reading, open_for_writing
from archipel.store.sqlite.group_commit import GroupCommit

Result = TypeVar("Result")

_READING_THREADS = 4
_LEAST_FREE_BYTES = 4 * 1024 * 1024


class SqliteStore(SqlStore):
    """An `EventStore` in a file. Make one with `await SqliteStore.open(path)`.

    ``damage`` describes damage to the file that does not prevent serving it; None if there is none.
    """

    def __init__(
        self,
        path: Path,
        *,
        limits: Limits | None = None,
        clock: Clock = unix_milliseconds,
        queue: int = 1024,
    ) -> None:
        """As `open`, but blocks. At most `queue` writes wait; one more raises `StoreBusy`."""
        schema.check_library()
        super().__init__(limits)
        self._path = path.resolve()  # so that two links to one file share one lock
        self._clock = clock
        self._close_once = threading.Lock()
        self._closed = False
        try:
            self._lock = ProcessLock(self._path)
        except OSError as error:
            raise StoreFailed(f"{self._path} cannot be opened: {error}") from error
        try:
            self._connection, self.damage = open_for_writing(self._path, self._lock)
        except BaseException:
            self._lock.release()
            raise
        #: Used by the writer's thread only.
        self._heads = Heads()
        self._writer = GroupCommit(self._connection, queue, self._heads.forget_all)
        self._readers = Readers(lambda: connect_for_reading(self._path), _READING_THREADS)

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        limits: Limits | None = None,
        clock: Clock = unix_milliseconds,
        queue: int = 1024,
    ) -> "SqliteStore":
        """Open the database; creates or migrates the file if necessary. Raises `FileRefused`."""
        return await asyncio.to_thread(cls, path, limits=limits, clock=clock, queue=queue)

    @property
    def commits(self) -> int:
        """Number of commits since opening: under load far fewer than appends."""
        return self._writer.commits

    async def create_table(
        self, table_id: str, header: bytes, *, private: Mapping[str, bytes] | None = None
    ) -> None:
        self._limits.check_create(table_id, header, private)
        values = dict(private or {})

        def work(connection: sqlite3.Connection) -> None:
            now = self._clock()
            created = connection.execute(
                "INSERT INTO game_table (id, created_at, active_at) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (table_id, now, now),
            ).rowcount
            if not created:
                raise TableExists(table_id)
            connection.execute("INSERT INTO header VALUES (?, ?)", (table_id, header))
            rows.write_private(connection, table_id, values)

        await self._write(work)

    async def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        request_id: str | None = None,
        *,
        private: Mapping[str, bytes] | None = None,
        outlook: Outlook | None = None,
    ) -> Appended:
        self._limits.check_append(table_id, expected_n, events, request_id, private, outlook)
        # Copies: the writer's thread works later, and the caller may change its own until then.
        bodies, values = tuple(events), dict(private or {})

        def work(connection: sqlite3.Connection) -> Appended:
            head = self._heads.find(table_id)
            if head is None or head.last_n != expected_n:
                found = rows.before_append(connection, table_id, request_id)
                if found.answered and request_id is not None:
                    return rows.earlier_answer(connection, table_id, request_id)
                if found.archived:
                    raise TableArchived(table_id)
                head = found.head
                if head.last_n != expected_n:
                    raise Conflict(table_id, expected_n, head.last_n)
            now = self._clock()
            first_n, last_n = expected_n + 1, expected_n + len(bodies)
            if request_id is not None and not rows.write_request(
                connection, table_id, request_id, first_n, last_n
            ):
                return rows.earlier_answer(connection, table_id, request_id)
            rows.write_events(connection, table_id, first_n, now, bodies)
            if values:
                rows.write_private(connection, table_id, values)
            active_at = head.active_at
            if head.must_be_written(now, outlook):
                rows.write_activity(connection, table_id, now, outlook)
                active_at = now
            self._heads.keep(table_id, Head(last_n, active_at, outlook or head.outlook))
            return Appended(first_n, last_n, now)

        return await self._writer.submit(work)

    async def put_private(self, table_id: str, key: str, value: bytes) -> None:
        check_table_id(table_id)
        self._limits.check_private({key: value})

        def work(connection: sqlite3.Connection) -> None:
            if rows.is_archived(connection, table_id):
                raise TableArchived(table_id)
            rows.write_private(connection, table_id, {key: value})

        await self._write(work)

    async def backup(self, path: Path) -> None:
        from archipel.store.sqlite.backup import write_backup

        await self._readers.run(lambda connection: write_backup(connection, path.resolve()))

    async def probe(self) -> None:
        def work(connection: sqlite3.Connection) -> None:
            # A reused write-ahead log still accepts a few small writes on a full disk.
            free = shutil.disk_usage(self._path.parent).free
            if free < _LEAST_FREE_BYTES:
                raise StoreFailed(f"the disk is full: only {free} bytes are free")
            connection.execute(
                "INSERT INTO probe VALUES (1, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
                (self._clock(),),
            )

        await self._write(work)

    async def close(self) -> None:
        await asyncio.to_thread(self.close_now)

    def close_now(self) -> None:
        """As `close`, but blocks."""
        with self._close_once:
            if self._closed:
                return
            self._closed = True
            self._writer.close()
            # Readers first: the last connection to close checkpoints the log, which only the
            # writer's connection can do.
            self._readers.close()
            self._connection.close()
            self._lock.release()

    async def _write(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        return await self._writer.submit(work)

    async def _fetch(self, query: str, *parameters: Any) -> Sequence[Any]:
        return await self._readers.run(
            lambda connection: connection.execute(query, parameters).fetchall()
        )

    async def _change(self, table_id: str, statement: str, *parameters: Any) -> None:
        def work(connection: sqlite3.Connection) -> None:
            self._heads.forget(table_id)
            if not connection.execute(statement, (table_id, *parameters)).rowcount:
                raise NoSuchTable(table_id)

        await self._write(work)

    async def _last_n(self, table_id: str) -> int:
        def work(connection: sqlite3.Connection) -> int:
            last_n = rows.last_n(connection, table_id)
            if last_n == 0:
                rows.is_archived(connection, table_id)  # raises `NoSuchTable`
            return last_n

        return await self._readers.run(work)

    async def _infos(self, condition: str, *parameters: Any) -> list[TableInfo]:
        query = f"SELECT id, created_at, active_at, archived FROM game_table {condition}"

        def work(connection: sqlite3.Connection) -> list[TableInfo]:
            found = connection.execute(query, parameters).fetchall()
            return [
                TableInfo(
                    row[0], row[1], row[2], _readable_last_n(connection, row[0]), bool(row[3])
                )
                for row in found
            ]

        return await self._readers.run(work)


def _readable_last_n(connection: sqlite3.Connection, table_id: str) -> int:
    """Length of a table's log; 1 if damage makes it unreadable, so that it does not look empty."""
    try:
        return rows.last_n(connection, table_id)
    except sqlite3.DatabaseError:
        return 1
