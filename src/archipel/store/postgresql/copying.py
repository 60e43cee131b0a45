"""Everything at once: backups of a database, restoring them, moving between a file and a database.

A backup is a file as SQLite's stores write them, whatever it is of: it can be restored to either
kind. What was written is read again and compared, table by table, before it counts.
"""

import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from archipel.store import schema as sqlite_schema
from archipel.store.errors import (
    CopyDiffers,
    DatabaseInUse,
    DatabaseNotEmpty,
    FileExists,
    StoreFailed,
)
from archipel.store.files import beside, put_in_place, remove_unfinished
from archipel.store.opening import connect_for_reading
from archipel.store.postgresql.address import without_password
from archipel.store.postgresql.connecting import connect, telling
from archipel.store.postgresql.schema import SCHEMA, migrate
from archipel.store.protocol import Event
from archipel.store.restore import check_backup, refuse_unfinished
from archipel.store.sqlite import SqliteStore
from archipel.store.whole_table import WholeTable, read_sqlite, write_sqlite

if TYPE_CHECKING:
    import asyncpg

    Connection = asyncpg.Connection[Any]

_PAGE = 100


@dataclass(frozen=True, slots=True)
class Copied:
    """How much came over, and under which name what was there before is kept, if anything was."""

    tables: int
    events: int
    kept: str | None = None


# ---- from a database to a file ------------------------------------------------------------------


async def back_up_database(address: str, path: Path) -> Copied:
    """A copy of everything as of one moment in a new file, also while servers run."""
    return await _to_file(address, path, stopped=False)


async def move_to_file(address: str, path: Path) -> Copied:
    """As `back_up_database`, of a database that nobody uses: nothing can happen there meanwhile."""
    return await _to_file(address, path, stopped=True)


async def _to_file(address: str, path: Path, *, stopped: bool) -> Copied:
    path = _new(path)
    unfinished = beside(path, ".partial")
    try:
        async with _snapshot(address) as source:
            if stopped and await _is_in_use(source):
                raise DatabaseInUse(without_password(address))
            remove_unfinished(unfinished)
            copied = await _fill_file(source, unfinished)
        put_in_place(unfinished, path)
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"no backup was made at {path}: {error}") from error
    finally:
        with suppress(OSError):
            remove_unfinished(unfinished)
    return copied


async def _fill_file(source: "Connection", unfinished: Path) -> Copied:
    sqlite_schema.create(unfinished)
    digests: dict[str, bytes] = {}
    events = 0
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as file:
        file.execute("BEGIN")
        async for table in _read(source):
            write_sqlite(file, table)
            digests[table.table_id] = table.digest
            events += len(table.events)
        file.execute("COMMIT")
        for table in read_sqlite(file):
            _compare(digests, table)
    _nothing_missing(digests)
    return Copied(file_tables(unfinished), events)


def _new(path: Path) -> Path:
    path = path.resolve()
    if path.exists():
        raise FileExists(path, "exists already: a backup never overwrites")
    return path


def _existing(path: Path) -> Path:
    return path.resolve(strict=True)


def file_tables(path: Path) -> int:
    with closing(connect_for_reading(path)) as file:
        (tables,) = file.execute("SELECT count(*) FROM game_table").fetchone()
    return int(tables)


# ---- from a file to a database ------------------------------------------------------------------


async def restore_to_database(backup: Path, address: str, *, force: bool = False) -> Copied:
    """Make a backup the content of a database that no server uses.

    Tables that are there already are refused, or with `force` kept under the name of another
    schema. It is all or nothing.
    """
    refuse_unfinished(backup)
    try:
        # What is checked is what is read: a copy of our own.
        with TemporaryDirectory() as folder:
            candidate = Path(folder) / "candidate"
            shutil.copyfile(backup, candidate)
            check_backup(candidate, backup)
            with closing(sqlite3.connect(candidate, isolation_level=None)) as file:
                sqlite_schema.migrate(file)
            return await _from_file(candidate, address, force=force)
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"{backup} was not restored: {error}") from error


async def move_to_database(path: Path, address: str) -> Copied:
    """Bring all tables of a file, which no server has open, into a database without any."""
    path = _existing(path)
    store = await SqliteStore.open(path)  # so that no server has it while we read
    try:
        return await _from_file(path, address, force=False)
    except sqlite3.Error as error:
        raise StoreFailed(f"{path} cannot be read: {error}") from error
    finally:
        await store.close()


async def _from_file(path: Path, address: str, *, force: bool) -> Copied:
    target = await connect(address, patient=True)
    try:
        with telling("not written"):
            async with target.transaction():
                kept = await _make_room(target, address, force)
                with closing(connect_for_reading(path)) as file:
                    file.execute("BEGIN")
                    return await _fill_database(read_sqlite(file), target, kept)
    finally:
        await target.close()


async def _make_room(target: "Connection", address: str, force: bool) -> str | None:
    """An empty layout in the database; the name under which another is kept, if there was one."""
    await migrate(target)
    # Whoever starts a server now waits until we are done.
    await target.execute("LOCK TABLE archipel.worker, archipel.game_table IN EXCLUSIVE MODE")
    if await _is_in_use(target):
        raise DatabaseInUse(without_password(address))
    if not await target.fetchval("SELECT EXISTS (SELECT FROM archipel.game_table)"):
        return None
    if not force:
        raise DatabaseNotEmpty(without_password(address))
    taken = {row[0] for row in await target.fetch("SELECT nspname FROM pg_namespace")}
    kept = next(name for k in range(1, 10_000) if (name := f"{SCHEMA}_replaced_{k}") not in taken)
    await target.execute(f"ALTER SCHEMA {SCHEMA} RENAME TO {kept}")
    await migrate(target)
    return kept


async def _fill_database(
    tables: Iterator[WholeTable], target: "Connection", kept: str | None
) -> Copied:
    digests: dict[str, bytes] = {}
    events = 0
    for table in tables:
        await _write(target, table)
        digests[table.table_id] = table.digest
        events += len(table.events)
    count = len(digests)
    async for table in _read(target):
        _compare(digests, table)
    _nothing_missing(digests)
    return Copied(count, events, kept)


# ---- tables of a database -----------------------------------------------------------------------


@asynccontextmanager
async def _snapshot(address: str) -> "AsyncIterator[Connection]":
    connection = await connect(address, patient=True)
    try:
        await migrate(connection)
        with telling("could not read"):
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                yield connection
    finally:
        await connection.close()


async def _is_in_use(connection: "Connection") -> bool:
    return bool(
        await connection.fetchval(
            "SELECT EXISTS (SELECT FROM archipel.worker WHERE until > clock_timestamp())"
        )
    )


async def _read(source: "Connection") -> AsyncIterator[WholeTable]:
    after = ""
    while page := await source.fetch(
        "SELECT g.id, g.created_at, g.active_at, g.archived, g.line, g.awake, h.body"
        " FROM archipel.game_table g JOIN archipel.header h ON h.table_id = g.id"
        " WHERE g.id > $1 ORDER BY g.id LIMIT $2",
        after,
        _PAGE,
    ):
        for after, *standing, line, awake, header in page:
            created_at, active_at, archived = standing
            events = tuple(Event(*event) for event in await _rows(source, "event", after))
            requests = tuple(map(tuple, await _rows(source, "request", after)))
            private = tuple(map(tuple, await _rows(source, "private", after)))
            yield WholeTable(
                table_id=after,
                created_at=created_at,
                active_at=active_at,
                archived=archived,
                line=line,
                awake=awake,
                header=header,
                events=events,
                requests=requests,
                private=private,
            )


_ROWS = {
    "event": "SELECT n, at, body FROM archipel.event WHERE table_id = $1 ORDER BY n",
    "request": (
        "SELECT request_id, first_n, last_n FROM archipel.request WHERE table_id = $1"
        " ORDER BY request_id"
    ),
    "private": "SELECT key, value FROM archipel.private WHERE table_id = $1 ORDER BY key",
}


async def _rows(source: "Connection", kind: str, table_id: str) -> Any:
    return await source.fetch(_ROWS[kind], table_id)


async def _write(target: "Connection", table: WholeTable) -> None:
    named = table.table_id
    last_n = table.events[-1].n if table.events else 0
    await target.execute(
        "INSERT INTO archipel.game_table"
        " (id, created_at, active_at, archived, last_n, line, awake)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7)",
        named,
        table.created_at,
        table.active_at,
        table.archived,
        last_n,
        table.line,
        table.awake,
    )
    rows: dict[str, list[tuple[object, ...]]] = {
        "header": [(named, table.header)],
        "event": [(named, event.n, event.at, event.body) for event in table.events],
        "request": [(named, *request) for request in table.requests],
        "private": [(named, *private) for private in table.private],
    }
    for kind, records in rows.items():
        if records:
            await target.copy_records_to_table(kind, schema_name=SCHEMA, records=records)


def _compare(digests: dict[str, bytes], table: WholeTable) -> None:
    if digests.pop(table.table_id, None) != table.digest:
        raise CopyDiffers(table.table_id)


def _nothing_missing(digests: dict[str, bytes]) -> None:
    for table_id in digests:
        raise CopyDiffers(table_id)
