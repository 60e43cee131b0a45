"""Administration from the command line: backup, restore, moving and salvaging stores."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from archipel.store.errors import FileExists, FileInUse, InvalidRequest
from archipel.store.postgresql.connections import is_postgresql
from archipel.store.postgresql.copying import (
    back_up_database,
    move_to_database,
    restore_to_database,
)
from archipel.store.protocol import Event
from archipel.store.sqlite.backup import back_up as back_up_file
from archipel.store.sqlite.backup import restore as restore_closed
from archipel.store.sqlite.backup import restore_through_server
from archipel.store.sqlite.salvage import Salvaged
from archipel.store.sqlite.salvage import salvage as salvage_store
from archipel.store.table_copy import Copied
from archipel.store.transfer import export_tables as export_tables
from archipel.store.transfer import import_tables as import_tables
from archipel.tables.log.events import UnreadableLog, decode
from archipel.tables.log.fold import fold

#: A file, or the address of a PostgreSQL database.
Database = Path | str


def back_up(database: Database, target: Path) -> int:
    """Write a consistent copy to a new file, also while servers run; returns the number of tables.

    Raises `StoreError`, or `FileNotFoundError` if there is no database.
    """
    if isinstance(database, str):
        return asyncio.run(back_up_database(database, target)).tables
    return back_up_file(database, target)


def restore(backup: Path, target: Database, *, force: bool = False) -> Copied:
    """Replace a database by a backup; a file also through the server that has it open.

    An existing database is refused, or kept beside the new one with ``force``.  Raises
    `StoreError`, and then nothing has changed.
    """
    if isinstance(target, str):
        return asyncio.run(restore_to_database(backup, target, force=force))
    try:
        return restore_closed(backup, target, force=force)
    except FileInUse:
        if not force:
            raise FileExists(
                target, "is in use: nothing was restored (force keeps it aside)"
            ) from None
        return restore_through_server(backup, target)


def move_store(source: Database, target: Database) -> Copied:
    """Copy all tables from a file to PostgreSQL or back, and compare each copy with its source.

    Nobody may use either meanwhile, and the target must be empty; the source is not changed.
    Raises `StoreError`, or `FileNotFoundError` if there is no source.
    """
    if isinstance(source, Path) and isinstance(target, str):
        return asyncio.run(move_to_database(source, target))
    if isinstance(source, str) and isinstance(target, Path):
        return asyncio.run(back_up_database(source, target, stopped=True))
    raise InvalidRequest("tables move from a file to PostgreSQL, or back")


def database_named(text: str) -> Database:
    """A database from its name on the command line: a path, or a PostgreSQL address."""
    return text if is_postgresql(text) else Path(text)


def salvage(
    database: Path, target: Path, *, on_table: Callable[[int, int], None] = lambda done, of: None
) -> Salvaged:
    """Copy the tables of a damaged database to a new one, each up to its first damaged event.

    Raises `StoreError`, or `FileNotFoundError` if there is no database.
    """
    return salvage_store(database, target, judge=_sound, on_table=on_table)


def _sound(log: Sequence[Event]) -> int:
    """The number of events before the first that cannot be read or replayed."""
    table = None
    for number, event in enumerate(log):
        try:
            table = fold(table, decode(event.n, event.body))
        except UnreadableLog:
            return number
    return len(log)
