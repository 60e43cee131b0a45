"""Bring what can still be read of a damaged database into a new one; the old one stays as it is.

SQLite finds a row by way of the pages above it. Damage to one page hides what lies below it, so
rows are asked for table by table, and the ids of tables are gathered from all that mention them,
from both ends.
"""

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archipel.store import schema
from archipel.store.errors import DamagedFile, FileExists, StoreFailed
from archipel.store.files import beside, create_private_file, put_in_place, remove_unfinished
from archipel.store.process_lock import ProcessLock
from archipel.store.protocol import Event

#: Where ids of tables stand.
_MENTIONS = (
    ("game_table", "id"),
    ("header", "table_id"),
    ("event", "table_id"),
    ("private", "table_id"),
    ("request", "table_id"),
)

#: How many of these events of a table are sound, counted from the first.
Judge = Callable[[Sequence[Event]], int]
#: Told of how many tables out of how many are done.
OnTable = Callable[[int, int], None]


@dataclass(frozen=True)
class Salvaged:
    """What came of it: tables brought out whole, tables that end early and at which event, and
    tables of which nothing can be used."""

    whole: tuple[str, ...]
    shortened: dict[str, int]
    lost: tuple[str, ...]

    @property
    def tables(self) -> int:
        return len(self.whole) + len(self.shortened)


@dataclass(frozen=True)
class _Found:
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
    """Copy every table, as far as it can be read, from a closed database to a new file.

    Raises `FileInUse` while a server has it open, `FileExists`, `FileRefused` where nothing at all
    can be read, or `FileNotFoundError`.
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
        raise StoreFailed(f"nothing was brought out of {database}: {error}") from error
    finally:
        with suppress(OSError):
            remove_unfinished(copy)
            remove_unfinished(made)
    return salvaged


def _copy(database: Path, copy: Path) -> None:
    """The file and its log, as private as they are."""
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
    """The ids of a table from one end on, until the other or until there is no way further."""
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
        source,
        "SELECT created_at, active_at, archived FROM game_table WHERE id = ?",
        table_id,
    )
    headers, _ = _read(source, "SELECT body FROM header WHERE table_id = ?", table_id)
    events, all_events = _read(
        source, "SELECT n, at, body FROM event WHERE table_id = ? ORDER BY n", table_id
    )
    private, all_private = _read(
        source, "SELECT key, value FROM private WHERE table_id = ?", table_id
    )
    requests, _ = _read(
        source, "SELECT request_id, first_n, last_n FROM request WHERE table_id = ?", table_id
    )
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
    """The rows up to where they cannot be read any more, and whether that is all of them."""
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
    # What it is like is found out when a server looks at it, as it does at tables that are awake.
    result.execute(
        "INSERT INTO game_table (id, created_at, active_at, archived, awake)"
        " VALUES (?, ?, ?, ?, ?)",
        (table_id, created_at, active_at, archived, int(not archived)),
    )
    result.execute("INSERT INTO header VALUES (?, ?)", (table_id, found.header))
    result.executemany(
        "INSERT INTO event (table_id, n, at, body) VALUES (?, ?, ?, ?)",
        [(table_id, event.n, event.at, event.body) for event in events],
    )
    result.executemany(
        "INSERT INTO private (table_id, key, value) VALUES (?, ?, ?)",
        [(table_id, key, value) for key, value in found.private],
    )
    result.executemany(
        "INSERT INTO request (table_id, request_id, first_n, last_n) VALUES (?, ?, ?, ?)",
        [(table_id, *request) for request in found.requests if request[2] <= sound],
    )
