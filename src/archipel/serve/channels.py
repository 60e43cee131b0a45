"""Ways from every worker of a machine to every other, on which connections are passed.

The supervisor makes them, and every worker has both ends of all: so what was sent to one that has
died, or gives way to a new one, waits for whoever looks next, and is never lost with a process.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

#: Until when its first request has to be there, by the clock that all processes share.
_DEADLINE = struct.Struct("d")


class Passed(NamedTuple):
    """A connection that came from another worker; none if there was no descriptor left for it."""

    connection: socket.socket | None
    deadline: float


class Channels:
    """One for each worker, whose numbers begin with 1."""

    def __init__(self, ends: Sequence[tuple[socket.socket, socket.socket]]) -> None:
        """``ends``: of each the one to send to and the one to receive from."""
        self._ends = ends
        for end in (end for both in ends for end in both):
            end.setblocking(False)

    @classmethod
    def make(cls, workers: int) -> Channels:
        return cls([_pair() for _ in range(workers)])

    @classmethod
    def inherited(cls, descriptors: Sequence[int]) -> Channels:
        """As the process had them from which these `descriptors` were inherited."""
        ends = [socket.socket(fileno=descriptor) for descriptor in descriptors]
        return cls(list(zip(ends[::2], ends[1::2], strict=True)))

    @property
    def descriptors(self) -> list[int]:
        return [end.fileno() for both in self._ends for end in both]

    def __len__(self) -> int:
        return len(self._ends)

    def receiver(self, worker: int) -> socket.socket:
        """To wait for what comes to it."""
        return self._ends[worker - 1][1]

    def send(self, worker: int, connection: socket.socket, deadline: float) -> bool:
        """Pass a connection on; the caller's own is still to be closed. False if there is no room,
        or the system has a reason of its own: then it was not passed."""
        sender, _ = self._ends[worker - 1]
        with suppress(OSError):
            socket.send_fds(sender, [_DEADLINE.pack(deadline)], [connection.fileno()])
            return True
        return False

    def receive(self, worker: int) -> Passed | None:
        """What was sent to a worker, oldest first; None if there is nothing."""
        try:
            said, descriptors, _, _ = socket.recv_fds(self.receiver(worker), _DEADLINE.size, 1)
        except OSError:
            return None
        (deadline,) = _DEADLINE.unpack(said)
        if not descriptors:
            return Passed(None, deadline)
        # As Python makes descriptors itself, but not those that it receives.
        os.set_inheritable(descriptors[0], False)
        return Passed(socket.socket(fileno=descriptors[0]), deadline)

    def close(self) -> None:
        for both in self._ends:
            for end in both:
                end.close()


def _pair() -> tuple[socket.socket, socket.socket]:
    """Both keep messages apart. The first, which not every system has, takes hundreds; the second
    no more than ten at a time on some."""
    try:
        return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    except OSError:
        return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
