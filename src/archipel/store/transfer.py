"""Tables of a database as one file (see `table_file`), and back: for browsers and other servers."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from archipel.store.durable_files import unfinished_file
from archipel.store.errors import StoreFailed
from archipel.store.postgresql.copying import add_to_database, tables_of_database
from archipel.store.sqlite.backup import holding_open, new_backup
from archipel.store.sqlite.connections import connect_for_reading
from archipel.store.sqlite.store import SqliteStore
from archipel.store.table_copy import TableCopy, read_sqlite, write_sqlite
from archipel.store.table_file import read_table_file, write_table_file


@dataclass(frozen=True)
class Imported:
    """How many tables were stored, and how many the database had already."""

    stored: int
    known: int


def export_tables(database: Path | str, target: Path) -> int:
    """Write all tables to a new file, also while servers run; returns their number.

    Raises `StoreError`, or `FileNotFoundError` if there is no database.
    """
    target = new_backup(target)
    if isinstance(database, str):
        tables = asyncio.run(tables_of_database(database))
    else:
        tables = _tables_of_file(database)
    try:
        with unfinished_file(target, ".partial") as unfinished:
            unfinished.write_bytes(write_table_file(tables))
    except OSError as error:
        raise StoreFailed(f"no file was written at {target}: {error}") from error
    return len(tables)


def import_tables(file: Path, database: Path | str) -> Imported:
    """Store the tables of a file that the database does not have, all or none of them.

    No server may have a database file open. Raises `StoreError` or `OSError`.
    """
    tables = read_table_file(file.read_bytes()).tables
    if isinstance(database, str):
        stored = asyncio.run(add_to_database(database, tables))
    else:
        stored = _add_to_file(database, tables)
    return Imported(stored, len(tables) - stored)


def _tables_of_file(database: Path) -> list[TableCopy]:
    if not database.exists():
        raise FileNotFoundError(f"{database} does not exist")
    try:
        with holding_open(database), closing(connect_for_reading(database.resolve())) as source:
            source.execute("BEGIN")
            return list(read_sqlite(source))
    except sqlite3.Error as error:
        raise StoreFailed(f"{database} cannot be read: {error}") from error


def _add_to_file(database: Path, tables: Sequence[TableCopy]) -> int:
    store = SqliteStore(database)  # creates the file, and keeps servers from opening it meanwhile
    try:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            known = {row[0] for row in connection.execute("SELECT id FROM game_table")}
            new = [table for table in tables if table.table_id not in known]
            for table in new:
                write_sqlite(connection, table)
            connection.execute("COMMIT")
            return len(new)
    except sqlite3.Error as error:
        raise StoreFailed(f"nothing was stored in {database}: {error}") from error
    finally:
        store.close_now()
