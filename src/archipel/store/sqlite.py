"""The event store in one SQLite file, for one server process."""

import asyncio
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from archipel.store import rows, schema
from archipel.store.clock import Clock, unix_milliseconds
from archipel.store.errors import (
    Conflict,
    FileExists,
    FileInUse,
    NoSuchTable,
    StoreFailed,
    TableArchived,
    TableExists,
)
from archipel.store.files import beside, create_private_file, put_in_place, remove_unfinished
from archipel.store.group_commit import GroupCommit
from archipel.store.heads import Head, Heads
from archipel.store.limits import Limits, check_private_key, check_table_id
from archipel.store.opening import connect, connect_for_reading, open_for_writing
from archipel.store.process_lock import ProcessLock
from archipel.store.protocol import Appended, Event, Outlook, Standing, TableInfo
from archipel.store.readers import Readers

Result = TypeVar("Result")

_READING_THREADS = 4
_LEAST_FREE = 4 * 1024 * 1024


class SqliteStore:
    """An `EventStore` in a file. Make one with `await SqliteStore.open(path)`."""

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
        self._path = path.resolve()  # one lock for one file, whatever links lead to it
        self._limits = limits or Limits()
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
        #: Known to the writer's thread alone.
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
        """Open the database, made or brought up to date if need be; raises `FileRefused`."""
        return await asyncio.to_thread(cls, path, limits=limits, clock=clock, queue=queue)

    @property
    def commits(self) -> int:
        """How many commits there were since opening: far fewer than appends under load."""
        return self._writer.commits

    async def create_table(
        self, table_id: str, header: bytes, *, private: Mapping[str, bytes] | None = None
    ) -> None:
        self._limits.check_create(table_id, header, private)
        kept = dict(private or {})

        def work(connection: sqlite3.Connection) -> None:
            now = self._clock()
            made = connection.execute(
                "INSERT INTO game_table (id, created_at, active_at) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (table_id, now, now),
            ).rowcount
            if not made:
                raise TableExists(table_id)
            connection.execute("INSERT INTO header VALUES (?, ?)", (table_id, header))
            rows.write_private(connection, table_id, kept)

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
        bodies = tuple(events)  # the writer works later: the caller's list may change until then
        kept = dict(private or {})

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
            if kept:
                rows.write_private(connection, table_id, kept)
            active_at = head.active_at
            if head.has_news(now, outlook):
                rows.write_activity(connection, table_id, now, outlook)
                active_at = now
            self._heads.keep(table_id, Head(last_n, active_at, outlook or head.outlook))
            return Appended(first_n, last_n, now)

        return await self._writer.submit(work)

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        self._limits.check_read(table_id, after, limit)

        def work(connection: sqlite3.Connection) -> list[Event]:
            found = connection.execute(
                "SELECT n, at, body FROM event WHERE table_id = ? AND n > ? ORDER BY n LIMIT ?",
                (table_id, after, limit),
            ).fetchall()
            if not found:
                rows.is_archived(connection, table_id)
            return [Event(*row) for row in found]

        return await self._readers.run(work)

    async def last(self, table_id: str) -> int:
        check_table_id(table_id)

        def work(connection: sqlite3.Connection) -> int:
            last_n = rows.last_n(connection, table_id)
            if last_n == 0:
                rows.is_archived(connection, table_id)
            return last_n

        return await self._readers.run(work)

    async def header(self, table_id: str) -> bytes:
        check_table_id(table_id)

        def work(connection: sqlite3.Connection) -> bytes:
            row = connection.execute(
                "SELECT body FROM header WHERE table_id = ?", (table_id,)
            ).fetchone()
            if row is None:
                raise NoSuchTable(table_id)
            return bytes(row[0])

        return await self._readers.run(work)

    async def tables(
        self,
        *,
        archived: bool | None = False,
        before: tuple[int, str] | None = None,
        limit: int = 100,
    ) -> list[TableInfo]:
        self._limits.check_tables(before, limit)
        conditions, parameters = ["TRUE"], list[int | str]()
        if archived is not None:
            conditions.append("archived = ?")
            parameters.append(int(archived))
        if before is not None:
            conditions.append("(active_at, id) < (?, ?)")
            parameters.extend(before)
        query = (
            "SELECT id, created_at, active_at, archived"
            f" FROM game_table WHERE {' AND '.join(conditions)}"
            " ORDER BY active_at DESC, id DESC LIMIT ?"
        )

        def work(connection: sqlite3.Connection) -> list[TableInfo]:
            found = connection.execute(query, (*parameters, limit)).fetchall()
            return [
                TableInfo(
                    table_id,
                    created_at,
                    active_at,
                    _any_last_n(connection, table_id),
                    bool(archived),
                )
                for table_id, created_at, active_at, archived in found
            ]

        return await self._readers.run(work)

    async def listed(self, limit: int = 100) -> list[Standing]:
        self._limits.check_page(limit)
        return await self._standings(
            "WHERE line IS NOT NULL AND archived = 0 ORDER BY active_at DESC, id DESC LIMIT ?",
            limit,
        )

    async def awake(self, after: str = "", limit: int = 1000) -> list[Standing]:
        self._limits.check_awake(after, limit)
        return await self._standings("WHERE awake = 1 AND id > ? ORDER BY id LIMIT ?", after, limit)

    async def _standings(self, condition: str, *parameters: int | str) -> list[Standing]:
        query = f"SELECT id, active_at, line, awake FROM game_table {condition}"

        def work(connection: sqlite3.Connection) -> list[Standing]:
            found = connection.execute(query, parameters).fetchall()
            return [
                Standing(table_id, active_at, Outlook(line, bool(awake)))
                for table_id, active_at, line, awake in found
            ]

        return await self._readers.run(work)

    async def set_outlook(self, table_id: str, outlook: Outlook) -> None:
        check_table_id(table_id)
        self._limits.check_outlook(outlook)

        def work(connection: sqlite3.Connection) -> None:
            self._heads.forget(table_id)
            if not rows.write_outlook(connection, table_id, outlook):
                raise NoSuchTable(table_id)

        await self._write(work)

    async def archive(self, table_id: str) -> None:
        await self._set_archived(table_id, True)

    async def unarchive(self, table_id: str) -> None:
        await self._set_archived(table_id, False)

    async def delete(self, table_id: str) -> None:
        check_table_id(table_id)

        def work(connection: sqlite3.Connection) -> None:
            self._heads.forget(table_id)
            if not connection.execute("DELETE FROM game_table WHERE id = ?", (table_id,)).rowcount:
                raise NoSuchTable(table_id)

        await self._write(work)

    async def put_private(self, table_id: str, key: str, value: bytes) -> None:
        check_table_id(table_id)
        self._limits.check_private({key: value})

        def work(connection: sqlite3.Connection) -> None:
            if rows.is_archived(connection, table_id):
                raise TableArchived(table_id)
            rows.write_private(connection, table_id, {key: value})

        await self._write(work)

    async def get_private(self, table_id: str, key: str) -> bytes | None:
        check_table_id(table_id)
        check_private_key(key)

        def work(connection: sqlite3.Connection) -> bytes | None:
            row = connection.execute(
                "SELECT value FROM private WHERE table_id = ? AND key = ?", (table_id, key)
            ).fetchone()
            if row is None:
                rows.is_archived(connection, table_id)
            return None if row is None else bytes(row[0])

        return await self._readers.run(work)

    async def backup(self, path: Path) -> None:
        await self._readers.run(lambda connection: _back_up(connection, path.resolve()))

    async def probe(self) -> None:
        def work(connection: sqlite3.Connection) -> None:
            # A write-ahead log that is used again takes small writes on a full disk, for a while.
            free = shutil.disk_usage(self._path.parent).free
            if free < _LEAST_FREE:
                raise StoreFailed(f"the disk is full: only {free} bytes are free")
            connection.execute(
                "INSERT INTO probe VALUES (1, ?) ON CONFLICT DO UPDATE SET at = excluded.at",
                (self._clock(),),
            )

        await self._write(work)

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    async def _write(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        return await self._writer.submit(work)

    async def _set_archived(self, table_id: str, archived: bool) -> None:
        check_table_id(table_id)

        def work(connection: sqlite3.Connection) -> None:
            self._heads.forget(table_id)
            changed = connection.execute(
                "UPDATE game_table SET archived = ? WHERE id = ?", (int(archived), table_id)
            ).rowcount
            if not changed:
                raise NoSuchTable(table_id)

        await self._write(work)

    def _close(self) -> None:
        with self._close_once:
            if self._closed:
                return
            self._closed = True
            self._writer.close()
            # The readers first: the last connection to close folds the log into the file, and
            # only the writer's can.
            self._readers.close()
            self._connection.close()
            self._lock.release()


def _any_last_n(connection: sqlite3.Connection, table_id: str) -> int:
    """How long a table's log is; 1 where that cannot be read, so that nobody takes it for empty."""
    try:
        return rows.last_n(connection, table_id)
    except sqlite3.DatabaseError:
        return 1


def back_up(database: Path, target: Path) -> int:
    """As `SqliteStore.backup`, whether or not a server has the database open; how many tables.

    Raises `StoreError`, or `FileNotFoundError` if there is no database.
    """
    if not database.exists():
        raise FileNotFoundError(f"{database} does not exist")
    with _kept_open(database), closing(connect_for_reading(database.resolve())) as connection:
        _back_up(connection, target.resolve())
    return _count_tables(target.resolve())


@contextmanager
def _kept_open(database: Path) -> Iterator[None]:
    """A log beside the file can only be read while somebody has both open: a server, or we."""
    try:
        store = SqliteStore(database)
    except FileInUse:
        yield
        return
    try:
        yield
    finally:
        store._close()


def _count_tables(backup: Path) -> int:
    try:
        with closing(connect(backup, "immutable=1")) as connection:
            (tables,) = connection.execute("SELECT count(*) FROM game_table").fetchone()
    except sqlite3.Error as error:
        raise StoreFailed(f"{backup} cannot be read: {error}") from error
    return int(tables)


def _back_up(connection: sqlite3.Connection, path: Path) -> None:
    if path.exists():
        raise FileExists(path, "exists already: a backup never overwrites")
    unfinished = beside(path, ".partial")
    try:
        remove_unfinished(unfinished)
        create_private_file(unfinished)
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as copy:
            connection.backup(copy)  # in one step: one snapshot, never started over by a writer
            copy.execute("PRAGMA journal_mode = DELETE")  # complete without files beside it
        put_in_place(unfinished, path)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            remove_unfinished(unfinished)
        raise StoreFailed(f"no backup was made at {path}: {error}") from error
