"""Connections to a database file, set up for what they are to do."""

import sqlite3
from pathlib import Path

from archipel.store import schema
from archipel.store.errors import FileRefused, StoreFailed
from archipel.store.files import beside
from archipel.store.process_lock import ProcessLock

_BUSY_SECONDS = 5
_LARGEST_IDLE_LOG = 64 * 1024 * 1024


def open_for_writing(path: Path, lock: ProcessLock) -> tuple[sqlite3.Connection, str | None]:
    """The writing connection to an examined, up-to-date file, and what is damaged in it, if it can
    be served all the same. Its lock has to be held."""
    damage = None
    try:
        if path.exists() and path.stat().st_size > 0:
            damage = schema.damage_in(path)
        elif beside(path, "-wal").exists():
            # SQLite would delete the log, which may hold the only copy of somebody's moves.
            raise FileRefused(path, "is missing or empty, but its -wal file is there: look first")
        else:
            schema.create(path)
            lock.hold_file()
        connection = connect(path, "mode=rw")
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"{path} cannot be opened: {error}") from error
    try:
        _configure_for_writing(connection)
        schema.migrate(connection)
    except sqlite3.Error as error:
        connection.close()
        raise StoreFailed(f"{path} cannot be written: {error}") from error
    except BaseException:
        connection.close()
        raise
    return connection, damage


def _configure_for_writing(connection: sqlite3.Connection) -> None:
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreFailed(f"this file system allows no write-ahead log (journal mode {mode})")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: fsync alone does not reach the disk
    connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_IDLE_LOG}")


def connect_for_reading(path: Path) -> sqlite3.Connection:
    return connect(path, "mode=ro")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    # No implicit transactions. Each connection is used by one thread, but closed by another.
    return sqlite3.connect(
        f"{path.as_uri()}?{mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
