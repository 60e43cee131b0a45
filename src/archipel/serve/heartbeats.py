"""Which of the workers of one machine are there: each notes the time again and again in memory that
all of them share. One that has died, was stopped or hangs is silent, whatever the reason."""

from __future__ import annotations

import mmap
import os
import tempfile
import time

from archipel.serve.limits import Clock

#: After so long a silence nobody is counted on; a beat comes ten times in a second.
SILENCE_SECONDS = 1.0

_BYTES_EACH = 8


class Heartbeats:
    def __init__(self, descriptor: int, workers: int, clock: Clock = time.monotonic) -> None:
        """On memory that `shared_memory` made; the descriptor is no longer needed then. The clock
        has to be one that all processes of a machine share."""
        self._clock = clock
        #: When each was last heard of: the first of them is worker 1.
        self._times = memoryview(mmap.mmap(descriptor, workers * _BYTES_EACH)).cast("d")

    def beat(self, worker: int) -> None:
        self._times[worker - 1] = self._clock()

    def is_heard(self, worker: int) -> bool:
        return self._clock() - self._times[worker - 1] < SILENCE_SECONDS


def shared_memory(workers: int) -> int:
    """A descriptor for processes that inherit it; in no folder, and gone with the last of them."""
    if hasattr(os, "memfd_create"):  # needs no place where files may be written
        descriptor = os.memfd_create("archipel-heartbeats")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.truncate(descriptor, workers * _BYTES_EACH)
    return descriptor
