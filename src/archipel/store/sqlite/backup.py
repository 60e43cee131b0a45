"""Back up a SQLite database, restore a backup, and restore through a running server.

A server that has the database open restores a backup itself. The two processes communicate through
files beside the database, the one place that they surely share:

* ``.offered``: a checked copy of the backup. The restoring process creates it, and removes it if no
  server accepts it.
* ``.accepted``: the same file, after the server has renamed it.
* ``.answer``: the result.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

import msgspec

from archipel.store.durable_files import ProcessLock, beside, sync_directory, unfinished_file
from archipel.store.errors import (
    DamagedFile,
    FileExists,
    FileInUse,
    FileRefused,
    StoreError,
    StoreFailed,
)
from archipel.store.sqlite import schema
from archipel.store.sqlite.connections import connect_for_reading
from archipel.store.sqlite.store import SqliteStore
from archipel.store.table_copy import Copied

_OFFERED, _ACCEPTED, _ANSWER = ".offered", ".accepted", ".answer"
_POLL_SECONDS = 0.1


# ---- backup -------------------------------------------------------------------------------------


def back_up(database: Path, target: Path) -> int:
    """Copy a database, whether or not a server has it open; returns the number of tables.

    Raises `StoreError`, or `FileNotFoundError` if there is no database.
    """
    if not database.exists():
        raise FileNotFoundError(f"{database} does not exist")
    target = target.resolve()
    with holding_open(database), closing(connect_for_reading(database.resolve())) as connection:
        write_backup(connection, target)
    try:
        return count_rows(target)[0]
    except sqlite3.Error as error:
        raise StoreFailed(f"{target} cannot be read: {error}") from error


@contextmanager
def holding_open(database: Path) -> Iterator[None]:
    """Hold the database open, unless a server does: else SQLite cannot read its write-ahead log."""
    try:
        store = SqliteStore(database)
    except FileInUse:
        yield
        return
    try:
        yield
    finally:
        store.close_now()


def new_backup(path: Path) -> Path:
    """The resolved path of a backup to write; raises `FileExists`."""
    path = path.resolve()
    if path.exists():
        raise FileExists(path, "exists already: a backup never overwrites")
    return path


def write_backup(connection: sqlite3.Connection, path: Path) -> None:
    """Copy the database of a connection, as of one moment, to a new file."""
    path = new_backup(path)
    try:
        with (
            unfinished_file(path, ".partial") as unfinished,
            closing(sqlite3.connect(unfinished, isolation_level=None)) as copy,
        ):
            connection.backup(copy)  # one step, one snapshot: a writer cannot make it start again
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"no backup was made at {path}: {error}") from error


def count_rows(file: Path) -> tuple[int, int]:
    """The number of tables and of events in a closed database file."""
    with closing(sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)) as connection:
        tables, events = connection.execute(
            "SELECT (SELECT count(*) FROM game_table), (SELECT count(*) FROM event)"
        ).fetchone()
    return int(tables), int(events)


# ---- restore ------------------------------------------------------------------------------------


def restore(backup: Path, target: Path, *, force: bool = False) -> Copied:
    """Check the backup, then make it the database `target`. At no moment can both be lost.

    Refuses an existing target, or with `force` renames it. Raises `FileInUse` while a server has
    the target open.
    """
    schema.check_library()
    backup, target = backup.resolve(), target.resolve()
    try:
        with closing(ProcessLock(target)):
            occupied = target.exists() or beside(target, "-wal").exists()
            if occupied and not force:
                raise FileExists(
                    target, "exists already: nothing was restored (force keeps it aside)"
                )
            with unfinished_file(target, ".restoring") as candidate:
                found = copy_and_check(backup, candidate)
                kept = str(_keep_aside(target)) if occupied else None
            return Copied(*found, kept)
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(f"{backup} was not restored: {error}") from error


def copy_and_check(backup: Path, candidate: Path) -> tuple[int, int]:
    """Copy a backup and check the copy, which is the file that will be used.

    Returns the numbers of tables and events. Raises `FileRefused` about the backup, which is the
    name that the caller knows.
    """
    if beside(backup, "-wal").exists() or beside(backup, "-journal").exists():
        raise FileRefused(backup, "is a database in use or after a crash, not a finished backup")
    shutil.copyfile(backup, candidate)
    try:
        schema.examine(candidate, thorough=True)
        with closing(sqlite3.connect(f"{candidate.as_uri()}?immutable=1", uri=True)) as connection:
            gap = connection.execute(
                "SELECT table_id FROM event GROUP BY table_id HAVING min(n) != 1"
                " OR max(n) != count(*)"
            ).fetchone()
        if gap is not None:
            raise DamagedFile(backup, f"table {gap[0]!r} has a gap in its events")
    except FileRefused as refusal:
        refusal.path = backup
        raise
    return count_rows(candidate)


def _keep_aside(target: Path) -> Path:
    """Give the old database a second name, so that replacing the first one loses nothing."""
    kept = next(name for k in count(1) if not (name := beside(target, f".replaced-{k}")).exists())
    if target.exists():
        _checkpoint(target)
        try:
            os.link(target, kept)
        except OSError:  # no hard links here: for a moment only the new name exists
            os.rename(target, kept)
    # SQLite would apply a remaining log to the new database.
    for suffix in ("-wal", "-shm", "-journal"):
        if beside(target, suffix).exists():
            os.rename(beside(target, suffix), beside(kept, suffix))
    sync_directory(target.parent)
    return kept


def _checkpoint(target: Path) -> None:
    """Move the write-ahead log into the file, if SQLite can read the file."""
    with suppress(FileRefused, sqlite3.Error):
        schema.examine(target)
        with closing(sqlite3.connect(target, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


# ---- restore through a running server: the restoring process ------------------------------------


class _Answer(msgspec.Struct, frozen=True):
    """The server's answer: where it keeps the old database, or why it did not restore."""

    kept: str | None = None
    problem: str | None = None


def restore_through_server(backup: Path, target: Path, *, timeout: float = 60) -> Copied:
    """Let the server that has `target` open restore `backup`, and wait for its answer.

    The old database is kept beside the new one. If the server stops before it accepts, this process
    restores the backup itself. Raises `StoreError`: nothing has changed, unless the message says
    otherwise.
    """
    backup, target = backup.resolve(), target.resolve()
    offered = beside(target, _OFFERED)
    if offered.exists() or beside(target, _ACCEPTED).exists():
        raise FileRefused(target, "is being restored by somebody else")
    beside(target, _ANSWER).unlink(missing_ok=True)
    try:
        with unfinished_file(offered, ".unfinished") as candidate:
            found = copy_and_check(backup, candidate)
    except (OSError, sqlite3.Error) as error:
        raise StoreFailed(f"{backup} was not restored: {error}") from error
    try:
        answer = _wait_for_answer(target, timeout)
    finally:
        offered.unlink(missing_ok=True)
    if answer is None:
        return restore(backup, target, force=True)
    if answer.problem is not None:
        raise StoreFailed(f"{backup} was not restored: {answer.problem}")
    return Copied(*found, answer.kept)


def _wait_for_answer(target: Path, timeout: float) -> _Answer | None:
    """The server's answer; None if the server has stopped."""
    offered, answered = beside(target, _OFFERED), beside(target, _ANSWER)
    end = time.monotonic() + timeout
    while not answered.exists():
        if offered.exists() and not _is_open(target):
            return None
        if time.monotonic() > end:
            try:
                offered.unlink()
                why = "did not accept the backup: nothing was restored"
            except FileNotFoundError:
                why = "accepted the backup but did not answer: see its log"
            raise StoreFailed(f"the server that uses {target} {why}")
        time.sleep(_POLL_SECONDS)
    answer = msgspec.json.decode(answered.read_bytes(), type=_Answer)
    answered.unlink()
    return answer


def _is_open(target: Path) -> bool:
    try:
        ProcessLock(target).close()
    except FileInUse:
        return True
    return False


# ---- restore through a running server: the server -----------------------------------------------


def forget_offers(target: Path) -> None:
    """Remove files of earlier attempts; a server calls this when it starts."""
    for suffix in (_OFFERED, _ACCEPTED, _ANSWER):
        with suppress(OSError):
            beside(target.resolve(), suffix).unlink(missing_ok=True)


def accept_offer(target: Path) -> Path | None:
    """Accept an offered backup; None if there is none."""
    target = target.resolve()
    try:
        os.replace(beside(target, _OFFERED), beside(target, _ACCEPTED))
    except OSError:
        return None
    return beside(target, _ACCEPTED)


def put_accepted_in_place(accepted: Path, target: Path) -> None:
    """Make an accepted backup the database, which must be closed, and answer."""
    target = target.resolve()
    try:
        restored = restore(accepted, target, force=True)
        answer = _Answer(kept=restored.kept)
    except StoreError as error:
        answer = _Answer(problem=str(error))
    with suppress(OSError):  # the server must continue, even if it cannot answer
        accepted.unlink(missing_ok=True)
        with unfinished_file(beside(target, _ANSWER), ".unfinished") as unfinished:
            unfinished.write_bytes(msgspec.json.encode(answer))
