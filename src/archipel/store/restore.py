"""Put a backup in the place of a closed database, without a moment where both could be lost."""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from archipel.store import schema
from archipel.store.errors import DamagedFile, FileExists, FileRefused, StoreFailed
from archipel.store.files import (
    beside,
    create_private_file,
    put_in_place,
    remove_unfinished,
    sync_directory,
)
from archipel.store.process_lock import ProcessLock


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put in place, and where the database that was there before is kept, if any."""

    version: int
    tables: int
    events: int
    kept: Path | None


def restore(backup: Path, target: Path, *, force: bool = False) -> Restored:
    """Check the backup, then make it the database `target`.

    An existing target is refused, or with `force` kept beside the new one under another name.
    Raises `FileInUse` while a server has the target open.
    """
    schema.check_library()
    backup, target = backup.resolve(), target.resolve()
    try:
        lock = ProcessLock(target)
        try:
            return _restore(backup, target, force)
        finally:
            lock.release()
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(f"{backup} was not restored: {error}") from error


def _restore(backup: Path, target: Path, force: bool) -> Restored:
    occupied = target.exists() or beside(target, "-wal").exists()
    if occupied and not force:
        raise FileExists(target, "exists already: nothing was restored (force keeps it aside)")
    refuse_unfinished(backup)
    candidate = beside(target, ".restoring")
    remove_unfinished(candidate)
    try:
        version, tables, events = _copy_and_check(backup, candidate)
        kept = _keep_aside(target) if occupied else None
        put_in_place(candidate, target)
    finally:
        remove_unfinished(candidate)
    return Restored(version, tables, events, kept)


def refuse_unfinished(backup: Path) -> None:
    """A file with a log beside it is more than itself."""
    if beside(backup, "-wal").exists() or beside(backup, "-journal").exists():
        raise FileRefused(backup, "is a database in use or after a crash, not a finished backup")


def _copy_and_check(backup: Path, candidate: Path) -> tuple[int, int, int]:
    """Check the copy, not the original: what was checked is what is put in place."""
    create_private_file(candidate)
    shutil.copyfile(backup, candidate)
    return check_backup(candidate, backup)


def check_backup(candidate: Path, backup: Path) -> tuple[int, int, int]:
    """The version, tables and events of a copy of a backup; raises `FileRefused` about the backup
    itself, which is the name that the caller knows."""
    try:
        version = schema.examine(candidate, thorough=True)
        with closing(sqlite3.connect(f"{candidate.as_uri()}?immutable=1", uri=True)) as connection:
            gap = connection.execute(
                "SELECT table_id FROM event GROUP BY table_id HAVING min(n) != 1"
                " OR max(n) != count(*)"
            ).fetchone()
            if gap is not None:
                raise DamagedFile(backup, f"table {gap[0]!r} has a gap in its events")
            tables, events = connection.execute(
                "SELECT (SELECT count(*) FROM game_table), (SELECT count(*) FROM event)"
            ).fetchone()
    except FileRefused as refusal:
        refusal.path = backup
        raise
    return version, tables, events


def _keep_aside(target: Path) -> Path:
    """Give the old database a second name, so that replacing the first one loses nothing."""
    kept = next(name for k in count(1) if not (name := beside(target, f".replaced-{k}")).exists())
    if target.exists():
        _fold_log(target)
        try:
            os.link(target, kept)
        except OSError:  # a file system without links: for a moment only the kept name is there
            os.rename(target, kept)
    # A log that could not be folded must not stay beside the new database: SQLite would apply it.
    for suffix in ("-wal", "-shm", "-journal"):
        if beside(target, suffix).exists():
            os.rename(beside(target, suffix), beside(kept, suffix))
    sync_directory(target.parent)
    return kept


def _fold_log(target: Path) -> None:
    """Let SQLite move the write-ahead log into the file, if it is a file it can handle."""
    with suppress(FileRefused, sqlite3.Error):
        schema.examine(target)
        with closing(sqlite3.connect(target, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
