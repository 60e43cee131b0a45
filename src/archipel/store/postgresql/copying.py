"""Copy whole databases: backups of PostgreSQL, restoring them, moving between file and database.

A backup is always a SQLite file, so it can be restored to either kind of store. Each copy is read
back and compared, table by table, before it takes effect.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from archipel.store.durable_files import unfinished_file
from archipel.store.errors import (
    CopyDiffers,
    DatabaseInUse,
    DatabaseNotEmpty,
    PeopleDiffer,
    StoreFailed,
)
from archipel.store.postgresql.connections import connect, translated_errors, without_password
from archipel.store.postgresql.schema import SCHEMA, migrate
from archipel.store.sqlite import schema as sqlite_schema
from archipel.store.sqlite.backup import copy_and_check, new_backup
from archipel.store.sqlite.connections import connect_for_reading
from archipel.store.sqlite.store import SqliteStore
from archipel.store.table_copy import (
    COLUMNS,
    PEOPLE,
    ROWS,
    Copied,
    People,
    TableCopy,
    people_query,
    read_people_sqlite,
    read_sqlite,
    write_people_sqlite,
    write_sqlite,
)

if TYPE_CHECKING:
    import asyncpg

    Connection = asyncpg.Connection[Any]

_PAGE = 100


class _Comparison:
    """Digests of the tables that were written, to compare with those that are read back."""

    def __init__(self) -> None:
        self.tables = self.events = 0
        self._digests: dict[str, bytes] = {}

    def written(self, table: TableCopy) -> None:
        self.tables += 1
        self.events += len(table.rows["event"])
        self._digests[table.table_id] = table.digest

    def read_back(self, table: TableCopy) -> None:
        if self._digests.pop(table.table_id, None) != table.digest:
            raise CopyDiffers(table.table_id)

    def result(self, kept: str | None = None) -> Copied:
        for table_id in self._digests:
            raise CopyDiffers(table_id)
        return Copied(self.tables, self.events, kept)


# ---- from a database to a file ------------------------------------------------------------------


async def back_up_database(address: str, path: Path, *, stopped: bool = False) -> Copied:
    """Copy a database, as of one moment, to a new file; ``stopped``: no server may use it."""
    path = new_backup(path)
    try:
        with unfinished_file(path, ".partial") as unfinished:
            async with _snapshot(address) as source:
                if stopped and await _is_in_use(source):
                    raise DatabaseInUse(without_password(address))
                return await _fill_file(source, unfinished)
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"no backup was made at {path}: {error}") from error


async def _fill_file(source: "Connection", unfinished: Path) -> Copied:
    sqlite_schema.create(unfinished)
    comparison = _Comparison()
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as file:
        file.execute("BEGIN")
        async for table in _read(source):
            write_sqlite(file, table)
            comparison.written(table)
        people = await _read_people(source)
        write_people_sqlite(file, people)
        file.execute("COMMIT")
        if read_people_sqlite(file) != people:
            raise PeopleDiffer
        for table in read_sqlite(file):
            comparison.read_back(table)
    return comparison.result()


# ---- from a file to a database ------------------------------------------------------------------


async def restore_to_database(backup: Path, address: str, *, force: bool = False) -> Copied:
    """Replace the content of a database, which no server may use, by a backup.

    Refuses a database with tables, or with `force` keeps them in a renamed schema. All or nothing.
    """
    try:
        with TemporaryDirectory() as folder:
            candidate = Path(folder) / "candidate"
            copy_and_check(backup, candidate)
            with closing(sqlite3.connect(candidate, isolation_level=None)) as file:
                sqlite_schema.migrate(file)
            return await _from_file(candidate, address, force=force)
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"{backup} was not restored: {error}") from error


async def move_to_database(path: Path, address: str) -> Copied:
    """Copy all tables of a file, which no server may have open, to a database without tables."""
    path = await asyncio.to_thread(path.resolve, strict=True)
    store = await SqliteStore.open(path)  # keeps servers from opening the file meanwhile
    try:
        return await _from_file(path, address, force=False)
    except sqlite3.Error as error:
        raise StoreFailed(f"{path} cannot be read: {error}") from error
    finally:
        await store.close()


# ---- single tables ------------------------------------------------------------------------------


async def tables_of_database(address: str) -> list[TableCopy]:
    """All tables, as of one moment."""
    async with _snapshot(address) as source:
        return [table async for table in _read(source)]


async def add_to_database(address: str, tables: Sequence[TableCopy]) -> int:
    """Store the tables that the database does not have, also while servers run; returns their
    number. All or nothing."""
    target = await connect(address, patient=True)
    try:
        with translated_errors("not written"):
            async with target.transaction():
                await migrate(target)
                known = {row[0] for row in await target.fetch("SELECT id FROM archipel.game_table")}
                new = [table for table in tables if table.table_id not in known]
                for table in new:
                    await _write(target, table)
                return len(new)
    finally:
        await target.close()


async def _from_file(path: Path, address: str, *, force: bool) -> Copied:
    target = await connect(address, patient=True)
    try:
        with translated_errors("not written"):
            async with target.transaction():
                kept = await _make_room(target, address, force)
                comparison = _Comparison()
                with closing(connect_for_reading(path)) as file:
                    file.execute("BEGIN")
                    for table in read_sqlite(file):
                        await _write(target, table)
                        comparison.written(table)
                    people = read_people_sqlite(file)
                await _write_people(target, people)
                async for table in _read(target):
                    comparison.read_back(table)
                if await _read_people(target) != people:
                    raise PeopleDiffer
                return comparison.result(kept)
    finally:
        await target.close()


async def _make_room(target: "Connection", address: str, force: bool) -> str | None:
    """Create an empty schema; returns the new name of the one that it replaces, if any."""
    await migrate(target)
    # A server that starts now waits until the copy is finished.
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


# ---- tables of a database -----------------------------------------------------------------------


@asynccontextmanager
async def _snapshot(address: str) -> "AsyncIterator[Connection]":
    connection = await connect(address, patient=True)
    try:
        await migrate(connection)
        with translated_errors("could not read"):
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


async def _read(source: "Connection") -> AsyncIterator[TableCopy]:
    after = ""
    while page := await source.fetch(
        f"SELECT {COLUMNS} FROM archipel.game_table WHERE id > $1 ORDER BY id LIMIT $2",
        after,
        _PAGE,
    ):
        for row in page:
            after = row[0]
            rows = {
                kind: await source.fetch(query.format("archipel.").replace("?", "$"), after)
                for kind, query in ROWS.items()
            }
            yield TableCopy(tuple(row), {kind: [*map(tuple, rows[kind])] for kind in rows})


async def _read_people(source: "Connection") -> People:
    return {
        name: [*map(tuple, await source.fetch(people_query(name, "archipel.")))] for name in PEOPLE
    }


async def _write_people(target: "Connection", people: People) -> None:
    for name, records in people.items():
        if records:
            columns = PEOPLE[name][1].split(", ")
            await target.copy_records_to_table(
                name, schema_name=SCHEMA, columns=columns, records=records
            )


async def _write(target: "Connection", table: TableCopy) -> None:
    events = table.rows["event"]
    await target.execute(
        f"INSERT INTO archipel.game_table ({COLUMNS}, last_n) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        *table.row,
        events[-1][1] if events else 0,
    )
    for kind, records in table.rows.items():
        if records:
            await target.copy_records_to_table(kind, schema_name=SCHEMA, records=records)
