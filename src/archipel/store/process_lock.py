"""One writing process per database, by a lock the operating system drops when the process dies.

The lock is on a file of its own: on some systems a lock on the database itself would be mixed up
with SQLite's. The lock file stays behind on purpose, since removing it lets two processes hold
"the" lock on two different files of the same name.

One file may have two names. SQLite would keep a log for each, and the file would be ruined by the
second; so where the two kinds of locks are known not to meet (Linux) the database itself is locked
as well, and elsewhere a file with two names is refused.
"""

import errno
import os
import sys
from pathlib import Path

from archipel.store.errors import FileInUse, FileRefused
from archipel.store.files import beside

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
    """Held from construction to `release`. Raises `FileInUse` if another holds it, by whatever name
    it knows the file.

    Release it only after SQLite's connections are closed, and make none in a process that has some:
    closing any descriptor of a file drops the locks that SQLite holds on it.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._descriptors: list[int] = []
        try:
            self._hold(beside(database, ".lock"), os.O_RDWR | os.O_CREAT)
            if database.exists():
                self.hold_file()
        except BaseException:
            self.release()
            raise

    def hold_file(self) -> None:
        """Lock the file itself; again, if it was made anew."""
        while len(self._descriptors) > 1:
            os.close(self._descriptors.pop())
        if sys.platform == "linux":
            self._hold(self._database, os.O_RDONLY)
        elif self._database.stat().st_nlink > 1:
            raise FileRefused(self._database, "has a second name (a hard link): remove one of them")

    def release(self) -> None:
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
