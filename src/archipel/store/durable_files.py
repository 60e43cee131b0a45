"""Making files that others cannot read and that survive a power cut."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from archipel.store.errors import FileInUse, FileRefused


def beside(path: Path, suffix: str) -> Path:
    """The path with `suffix` appended to the file name."""
    return path.with_name(path.name + suffix)


def remove_unfinished(path: Path) -> None:
    """Remove the files of an interrupted attempt: SQLite would apply its journal to the next."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        beside(path, suffix).unlink(missing_ok=True)


def create_private_file(path: Path) -> None:
    """Create an empty file that only its owner can read: databases hold secrets of games."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


@contextmanager
def unfinished_file(path: Path, suffix: str) -> Iterator[Path]:
    """Yield a new private file beside ``path``; replaces ``path`` by it, atomically and durably,
    unless the block raises."""
    unfinished = beside(path, suffix)
    remove_unfinished(unfinished)
    create_private_file(unfinished)
    try:
        yield unfinished
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
        sync_directory(path.parent)
    finally:
        with suppress(OSError):
            remove_unfinished(unfinished)


def sync_directory(directory: Path) -> None:
    if sys.platform == "win32":  # Windows cannot open a directory; its renames are journalled
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


_HELD_BY_ANOTHER = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


class ProcessLock:
    """Allows one writing process per database; the operating system drops it when a process dies.

    Held from construction to `close`. Raises `FileInUse` if another process holds it, also under
    another name of the file. Create it before SQLite's connections are opened and close it after
    they are closed: closing any descriptor of a file drops the locks that SQLite holds on it.

    The lock is on a file of its own: on some systems a lock on the database itself would interfere
    with SQLite's. The lock file is never removed: else two processes could lock two files of the
    same name. A database with two names (hard links) would get two write-ahead logs, which destroys
    it. So on Linux, where the two kinds of locks do not interfere, the database is locked as well;
    elsewhere a file with a second name is refused.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._descriptors: list[int] = []
        try:
            self._hold(beside(database, ".lock"), os.O_RDWR | os.O_CREAT)
            if database.exists():
                self.hold_file()
        except BaseException:
            self.close()
            raise

    def hold_file(self) -> None:
        """Lock the database itself; call it again if the file was replaced."""
        while len(self._descriptors) > 1:
            os.close(self._descriptors.pop())
        if sys.platform == "linux":
            self._hold(self._database, os.O_RDONLY)
        elif self._database.stat().st_nlink > 1:
            raise FileRefused(self._database, "has a second name (a hard link): remove one of them")

    def close(self) -> None:
        while self._descriptors:
            os.close(self._descriptors.pop())

    def _hold(self, path: Path, flags: int) -> None:
        descriptor = os.open(path, flags, 0o600)
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _HELD_BY_ANOTHER:
                raise FileInUse(self._database) from error
            raise
        self._descriptors.append(descriptor)
