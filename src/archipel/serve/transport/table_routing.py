"""Table routing: which worker of this machine serves a connection, by its first bytes.

Every worker can serve every table, but a table whose sockets are all at one worker costs less work.
A connection that is not plainly a table's socket stays with the worker that accepted it.
"""

import hashlib
import mmap
import os
import re
import tempfile
import time
from collections.abc import Iterable
from urllib.parse import unquote_to_bytes

from archipel.serve.rate_limits import Clock

#: Enough for the path of a table's socket, even if every character is escaped.
PEEK_BYTES = 512

# What follows the path may not have arrived yet.
_REQUEST = re.compile(rb"GET (/[^ ?#\r\n]*)[ ?]")
_SOCKET = re.compile(rb"/api/tables/([A-Za-z0-9_-]{8,32})/socket")

#: A worker without a heartbeat for this long counts as gone. Workers beat ten times a second.
SILENCE_SECONDS = 1.0

_BYTES_EACH = 8


def requested_table(first_bytes: bytes) -> str | None:
    """The table whose socket is requested; None if it is another request, or unclear."""
    request = _REQUEST.match(first_bytes)
    if request is None:
        return None
    found = _SOCKET.fullmatch(unquote_to_bytes(request[1]))
    return None if found is None else found[1].decode()


def worker_of(table: str, workers: Iterable[int]) -> int:
    """Rendezvous hashing: if a worker goes, only its own tables move to others."""
    return max(
        workers, key=lambda worker: hashlib.sha256(b"%d %s" % (worker, table.encode())).digest()
    )


class Heartbeats:
    """The time of each worker's last heartbeat, in memory that all workers share."""

    def __init__(self, descriptor: int, workers: int, clock: Clock = time.monotonic) -> None:
        """Maps the memory of `shared_memory`; the caller may then close the descriptor. All
        processes of the machine must share the clock."""
        self._clock = clock
        #: The first entry is worker 1.
        self._times = memoryview(mmap.mmap(descriptor, workers * _BYTES_EACH)).cast("d")

    def beat(self, worker: int) -> None:
        self._times[worker - 1] = self._clock()

    def is_alive(self, worker: int) -> bool:
        return self._clock() - self._times[worker - 1] < SILENCE_SECONDS


def shared_memory(workers: int) -> int:
    """A descriptor of anonymous memory that child processes inherit."""
    if hasattr(os, "memfd_create"):  # needs no writable folder
        descriptor = os.memfd_create("archipel-heartbeats")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.truncate(descriptor, workers * _BYTES_EACH)
    return descriptor
