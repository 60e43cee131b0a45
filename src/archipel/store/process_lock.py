"""One writing process per database, by a lock the operating system drops when the process dies.

The lock is on a file of its own: on some systems a lock on the database itself would be mixed up
with SQLite's. The lock file stays behind on purpose, since removing it lets two processes hold
"the" lock on two different files of the same name.
"""

import errno
import os
import sys
from pathlib import Path

from archipel.store.errors import FileInUse
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
    """Held from construction to `release`. Raises `FileInUse` if another holds it."""

    def __init__(self, database: Path) -> None:
        self._descriptor = os.open(beside(database, ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._descriptor)
        except OSError as error:
            os.close(self._descriptor)
            if error.errno in _HELD_BY_ANOTHER:
                raise FileInUse(database) from error
            raise

    def release(self) -> None:
        os.close(self._descriptor)
