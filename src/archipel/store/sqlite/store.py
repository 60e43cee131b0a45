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
from archipel.store.head import Head
from archipel.store.limits import Limits, check_table_id
from archipel.store.protocol import Appended, Outlook, TableInfo
from archipel.store.sql_store import SqlStore, Statement
from archipel.store.sqlite import schema
from archipel.store.sqlite.connections import Readers, connect_for_reading, open_for_writing
from archipel.store.sqlite.group_commit import GroupCommit

Result = TypeVar("Result")

_READING_THREADS = 4
_LEAST_FREE_BYTES = 4 * 1024 * 1024
_MOST_HEADS = 4_096


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
            self._lock.close()
            raise
        #: Heads of recently written tables, valid until a rollback: only this process writes the
        #: file. Used by the writer's thread only.
        self._heads: dict[str, Head] = {}
        self._writer = GroupCommit(self._connection, queue, self._heads.clear)
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

    @property
    def failure(self) -> str:
        """Why nothing can be written until the store is opened again; empty while it works."""
        return self._writer.failure

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
            _write_private(connection, table_id, values)

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
            head = self._heads.get(table_id)
            if head is None or head.last_n != expected_n:
                if (repeated := _first_answer(connection, table_id, request_id)) is not None:
                    return repeated
                head = _read_head(connection, table_id)
                if head.last_n != expected_n:
                    raise Conflict(table_id, expected_n, head.last_n)
            now = self._clock()
            answer = Appended(expected_n + 1, expected_n + len(bodies), now)
            if request_id is not None:
                is_new = connection.execute(
                    "INSERT INTO request (table_id, request_id, first_n, last_n)"
                    " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    (table_id, request_id, answer.first_n, answer.last_n),
                ).rowcount
                if not is_new:
                    repeated = _first_answer(connection, table_id, request_id)
                    assert repeated is not None
                    return repeated
            for n, body in enumerate(bodies, answer.first_n):
                connection.execute(
                    "INSERT INTO event (table_id, n, at, body) VALUES (?, ?, ?, ?)",
                    (table_id, n, now, body),
                )
            if values:
                _write_private(connection, table_id, values)
            new = Head(answer.last_n, head.active_at, outlook or head.outlook)
            if head.must_be_written(now, outlook):
                new.active_at = now
                connection.execute(
                    "UPDATE game_table SET active_at = ?, line = ?, awake = ? WHERE id = ?",
                    (now, new.outlook.line, new.outlook.awake, table_id),
                )
            if outlook is not None and outlook.turn is not None:
                for text, parameters in self._turn_statements(table_id, outlook.turn):
                    connection.execute(text, parameters)
            if len(self._heads) >= _MOST_HEADS:
                self._heads.clear()
            self._heads[table_id] = new
            return answer

        return await self._writer.submit(work)

    async def put_private(self, table_id: str, key: str, value: bytes) -> None:
        check_table_id(table_id)
        self._limits.check_private({key: value})

        def work(connection: sqlite3.Connection) -> None:
            _check_writable(connection, table_id)
            _write_private(connection, table_id, {key: value})

        await self._write(work)

    async def backup(self, path: Path) -> None:
        from archipel.store.sqlite.backup import write_backup

        await self._readers.run(lambda connection: write_backup(connection, path))

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
            self._lock.close()

    async def _write(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        return await self._writer.submit(work)

    async def fetch(self, query: str, *parameters: Any) -> Sequence[Any]:
        return await self._readers.run(
            lambda connection: connection.execute(query, parameters).fetchall()
        )

    async def transact(self, *statements: Statement) -> list[Sequence[Any]]:
        return await self._write(
            lambda connection: [
                connection.execute(text, parameters).fetchall() for text, parameters in statements
            ]
        )

    async def size(self) -> int:
        query = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        return int((await self.fetch(query))[0][0])

    async def _change(self, table_id: str, statement: str, *parameters: Any) -> None:
        def work(connection: sqlite3.Connection) -> None:
            self._heads.pop(table_id, None)
            if not connection.execute(statement, (table_id, *parameters)).rowcount:
                raise NoSuchTable(table_id)

        await self._write(work)

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
    query = "SELECT coalesce(max(n), 0) FROM event WHERE table_id = ?"
    try:
        return int(connection.execute(query, (table_id,)).fetchone()[0])
    except sqlite3.DatabaseError:
        return 1


def _check_writable(connection: sqlite3.Connection, table_id: str) -> None:
    row = connection.execute("SELECT archived FROM game_table WHERE id = ?", (table_id,)).fetchone()
    if row is None:
        raise NoSuchTable(table_id)
    if row[0]:
        raise TableArchived(table_id)


def _read_head(connection: sqlite3.Connection, table_id: str) -> Head:
    """Raises `NoSuchTable` or `TableArchived`."""
    _check_writable(connection, table_id)
    last_n, active_at, line, awake = connection.execute(
        "SELECT (SELECT max(n) FROM event WHERE table_id = ?1), active_at, line, awake"
        " FROM game_table WHERE id = ?1",
        (table_id,),
    ).fetchone()
    return Head(last_n or 0, active_at, Outlook(line, bool(awake)))


def _first_answer(
    connection: sqlite3.Connection, table_id: str, request_id: str | None
) -> Appended | None:
    """The answer to the first append with a request id; None if there was none."""
    row = connection.execute(
        "SELECT first_n, last_n, at FROM request JOIN event"
        " ON event.table_id = request.table_id AND event.n = request.last_n"
        " WHERE request.table_id = ? AND request_id = ?",
        (table_id, request_id),
    ).fetchone()
    return None if row is None else Appended(row[0], row[1], row[2], repeated=True)


def _write_private(
    connection: sqlite3.Connection, table_id: str, private: Mapping[str, bytes]
) -> None:
    connection.executemany(
        "INSERT INTO private (table_id, key, value) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET value = excluded.value",
        [(table_id, key, value) for key, value in private.items()],
    )
