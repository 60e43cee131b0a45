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
    remove_unfinished,
    unfinished_file,
)
from archipel.store.errors import DamagedFile, FileExists, StoreFailed
from archipel.store.protocol import Event
from archipel.store.sqlite import schema
from archipel.store.table_copy import (
    PEOPLE,
    ROWS,
    TableCopy,
    people_query,
    write_people_sqlite,
    write_sqlite,
)

#: Columns that hold table ids.
_MENTIONS = (("game_table", "id"), *((kind, "table_id") for kind in ROWS))

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
    copy = beside(target, ".damaged")
    try:
        with closing(ProcessLock(database)):
            _copy(database, copy)
        schema.check_is_ours(copy)
        with unfinished_file(target, ".salvaging") as made:
            schema.create(made)
            return _salvage(database, copy, made, judge, on_table)
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(f"nothing was salvaged from {database}: {error}") from error
    finally:
        with suppress(OSError):
            remove_unfinished(copy)


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
            found = {
                kind: _read(source, query.format(""), table_id) for kind, query in ROWS.items()
            }
            (events, has_all_events), (private, has_all_private) = found["event"], found["private"]
            in_order = [Event(*row[1:]) for number, row in enumerate(events, 1) if row[1] == number]
            sound = min(len(in_order), judge(in_order)) if in_order else 0
            if sound == 0 or not private or not has_all_private:
                lost.append(table_id)
                continue
            rows = {kind: rows for kind, (rows, _) in found.items()}
            write_sqlite(result, _shortened(source, table_id, rows, sound))
            if has_all_events and sound == len(events):
                whole.append(table_id)
            else:
                shortened[table_id] = sound
        _salvage_people(source, result)
        result.execute("COMMIT")
        on_table(len(ids), len(ids))
    return Salvaged(tuple(whole), shortened, tuple(lost))


def _salvage_people(source: sqlite3.Connection, result: sqlite3.Connection) -> None:
    """Copy the readable profiles, without what belonged to a lost row."""
    write_people_sqlite(result, {name: _read(source, people_query(name))[0] for name in PEOPLE})
    while lost := result.execute("PRAGMA foreign_key_check").fetchall():
        for name, *_ in {row[:1] for row in lost}:
            _delete_orphans(result, name)


def _delete_orphans(result: sqlite3.Connection, name: str) -> None:
    """Delete the rows of a database table that refer to no row."""
    keys: dict[int, list[tuple[str, str, str]]] = {}
    for key, _, other, column, named, *_ in result.execute(f"PRAGMA foreign_key_list({name})"):
        keys.setdefault(key, []).append((other, column, named))
    for columns in keys.values():
        other = columns[0][0]
        refers = " AND ".join(f"{other}.{named} = {name}.{column}" for _, column, named in columns)
        result.execute(
            f"DELETE FROM {name} WHERE {columns[0][1]} IS NOT NULL"
            f" AND NOT EXISTS (SELECT 1 FROM {other} WHERE {refers})"
        )


def _shortened(
    source: sqlite3.Connection, table_id: str, rows: dict[str, list[Any]], sound: int
) -> TableCopy:
    """The table up to event ``sound``; a lost row of ``game_table`` is replaced by a new one."""
    query = "SELECT created_at, active_at, archived FROM game_table WHERE id = ?1"
    events = rows["event"][:sound]
    of_events = (events[0][2], events[-1][2], 0)
    created_at, active_at, archived = next(iter(_read(source, query, table_id)[0]), of_events)
    return TableCopy(
        # A server looks at awake tables and then writes their outlook.
        (table_id, created_at, active_at, bool(archived), None, not archived),
        {
            **rows,
            "header": rows["header"] or [(table_id, b"")],
            "event": events,
            "request": [request for request in rows["request"] if request[3] <= sound],
        },
    )


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


def _read(source: sqlite3.Connection, query: str, *parameters: str) -> tuple[list[Any], bool]:
    """The rows up to the first damaged page, and whether these are all rows."""
    read: list[Any] = []
    try:
        rows = source.execute(query, parameters)
        while (row := rows.fetchone()) is not None:
            read.append(row)
    except sqlite3.DatabaseError:
        return read, False
    return read, True
