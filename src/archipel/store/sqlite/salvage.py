"""Copy the readable part of a damaged database to a new file; the damaged file stays unchanged.

SQLite reaches a row through the pages above it, so one damaged page hides the rows below it.
Salvaging therefore reads each table on its own, and collects table ids from every database table
that mentions them, from both ends.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archipel.store.durable_files import (
    ProcessLock,
    beside,
    create_private_file,
    put_in_place,
    remove_unfinished,
)
from archipel.store.errors import DamagedFile, FileExists, StoreFailed
from archipel.store.protocol import Event
from archipel.store.sqlite import schema
from archipel.store.table_copy import ROWS, TableCopy, write_sqlite

#: Columns that hold table ids.
_MENTIONS = (
    ("game_table", "id"),
    ("header", "table_id"),
    ("event", "table_id"),
    ("private", "table_id"),
    ("request", "table_id"),
)

#: Returns how many of a table's events are valid, counted from the first.
Judge = Callable[[Sequence[Event]], int]
#: Called with the number of finished tables and of all tables.
OnTable = Callable[[int, int], None]


@dataclass(frozen=True)
class Salvaged:
    """Ids of complete tables, of shortened ones (with their last event) and of lost ones."""

    whole: tuple[str, ...]
    shortened: dict[str, int]
    lost: tuple[str, ...]

    @property
    def tables(self) -> int:
        return len(self.whole) + len(self.shortened)


@dataclass(frozen=True)
class _Found:
    """The readable rows of a table; ``complete`` if all its events could be read."""

    row: tuple[int, int, int] | None
    header: bytes
    events: list[Event]
    private: list[tuple[str, bytes]]
    requests: list[tuple[str, int, int]]
    complete: bool


def salvage(
    database: Path,
    target: Path,
    *,
    judge: Judge = len,
    on_table: OnTable = lambda done, of: None,
) -> Salvaged:
    """Copy the readable part of every table from a closed database to a new file.

    Raises `FileInUse` while a server has the database open, `FileExists`, `FileRefused` if nothing
    at all can be read, or `FileNotFoundError`.
    """
    schema.check_library()
    database, target = database.resolve(), target.resolve()
    if not database.exists():
        raise FileNotFoundError(f"{database} does not exist")
    if target.exists():
        raise FileExists(target, "exists already: nothing was written")
    copy, made = beside(target, ".damaged"), beside(target, ".salvaging")
    try:
        lock = ProcessLock(database)
        try:
            _copy(database, copy)
        finally:
            lock.release()
        schema.check_is_ours(copy)
        schema.create(made)
        salvaged = _salvage(database, copy, made, judge, on_table)
        put_in_place(made, target)
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(f"nothing was salvaged from {database}: {error}") from error
    finally:
        with suppress(OSError):
            remove_unfinished(copy)
            remove_unfinished(made)
    return salvaged


def _copy(database: Path, copy: Path) -> None:
    """Copy the file and its write-ahead log, readable by the owner only."""
    remove_unfinished(copy)
    for suffix in ("", "-wal"):
        if beside(database, suffix).exists():
            create_private_file(beside(copy, suffix))
            shutil.copyfile(beside(database, suffix), beside(copy, suffix))


def _salvage(database: Path, copy: Path, made: Path, judge: Judge, on_table: OnTable) -> Salvaged:
    whole: list[str] = []
    shortened: dict[str, int] = {}
    lost: list[str] = []
    with closing(_connect(copy)) as source, closing(_connect(made)) as result:
        ids = sorted(set(_ids(source)))
        if not ids and not _is_empty(source):
            raise DamagedFile(database, "no table can be found in it")
        result.execute("BEGIN")
        for done, table_id in enumerate(ids):
            on_table(done, len(ids))
            found = _find(source, table_id)
            sound = min(len(found.events), judge(found.events)) if found.events else 0
            if sound == 0 or not found.private:
                lost.append(table_id)
                continue
            _write(result, table_id, found, sound)
            if found.complete and sound == len(found.events):
                whole.append(table_id)
            else:
                shortened[table_id] = sound
        result.execute("COMMIT")
        on_table(len(ids), len(ids))
    return Salvaged(tuple(whole), shortened, tuple(lost))


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def _ids(source: sqlite3.Connection) -> Iterator[str]:
    for table, column in _MENTIONS:
        for after, order in ((">", "ASC"), ("<", "DESC")):
            yield from _walk(source, table, column, after, order)


def _walk(
    source: sqlite3.Connection, table: str, column: str, after: str, order: str
) -> Iterator[str]:
    """Yield a table's ids in order, until the end or the first damaged page."""
    first = f"SELECT {column} FROM {table} ORDER BY {column} {order} LIMIT 1"
    further = (
        f"SELECT {column} FROM {table} WHERE {column} {after} ? ORDER BY {column} {order} LIMIT 1"
    )
    with suppress(sqlite3.DatabaseError):
        row = source.execute(first).fetchone()
        while row is not None:
            if isinstance(row[0], str):
                yield row[0]
            row = source.execute(further, row).fetchone()


def _is_empty(source: sqlite3.Connection) -> bool:
    try:
        return bool(source.execute("SELECT count(*) FROM game_table").fetchone() == (0,))
    except sqlite3.DatabaseError:
        return False


def _find(source: sqlite3.Connection, table_id: str) -> _Found:
    rows, _ = _read(
        source, "SELECT created_at, active_at, archived FROM game_table WHERE id = ?1", table_id
    )
    found = {kind: _read(source, query.format(""), table_id) for kind, query in ROWS.items()}
    (headers, _), (requests, _) = found["header"], found["request"]
    (events, all_events), (private, all_private) = found["event"], found["private"]
    in_order = [Event(*row) for number, row in enumerate(events, 1) if row[0] == number]
    return _Found(
        rows[0] if rows else None,
        headers[0][0] if headers else b"",
        in_order,
        private if all_private else [],
        requests,
        complete=all_events and len(in_order) == len(events),
    )


def _read(source: sqlite3.Connection, query: str, table_id: str) -> tuple[list[Any], bool]:
    """The rows up to the first damaged page, and whether these are all rows."""
    read: list[Any] = []
    try:
        rows = source.execute(query, (table_id,))
        while (row := rows.fetchone()) is not None:
            read.append(row)
    except sqlite3.DatabaseError:
        return read, False
    return read, True


def _write(result: sqlite3.Connection, table_id: str, found: _Found, sound: int) -> None:
    events = found.events[:sound]
    created_at, active_at, archived = found.row or (events[0].at, events[-1].at, 0)
    write_sqlite(
        result,
        TableCopy(
            table_id,
            created_at,
            active_at,
            bool(archived),
            line=None,
            awake=not archived,  # a server then looks at the table and writes its outlook
            header=found.header,
            events=tuple(events),
            requests=tuple(request for request in found.requests if request[2] <= sound),
            private=tuple(found.private),
        ),
    )
