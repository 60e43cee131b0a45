"""Socket passing: workers of one machine pass each connection to the worker of its table.

The accepting worker peeks at the first bytes of a connection and sends its descriptor to the right
worker. If that fails it serves the connection itself.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from archipel.serve.admission_control import Admission, AdmissionControl
from archipel.serve.metrics import Metrics
from archipel.serve.transport.table_routing import (
    PEEK_BYTES,
    Heartbeats,
    requested_table,
    worker_of,
)

#: The deadline of the first request, on the clock that all processes share.
_DEADLINE = struct.Struct("d")


class PassedSocket(NamedTuple):
    """A connection from another worker; None if this process had no descriptor left for it."""

    connection: socket.socket | None
    deadline: float


class Channels:
    """A socket pair to each worker; workers are numbered from 1.

    The supervisor creates the pairs, and every worker has both ends of all: a connection sent to a
    worker that has died waits for any other worker to receive it.
    """

    def __init__(self, ends: Sequence[tuple[socket.socket, socket.socket]]) -> None:
        """``ends``: of each pair the sending and the receiving end."""
        self._ends = ends
        for end in (end for both in ends for end in both):
            end.setblocking(False)

    @classmethod
    def make(cls, workers: int) -> Channels:
        return cls([_pair() for _ in range(workers)])

    @classmethod
    def inherited(cls, descriptors: Sequence[int]) -> Channels:
        """The channels of the parent process, from its `descriptors`."""
        ends = [socket.socket(fileno=descriptor) for descriptor in descriptors]
        return cls(list(zip(ends[::2], ends[1::2], strict=True)))

    @property
    def descriptors(self) -> list[int]:
        return [end.fileno() for both in self._ends for end in both]

    def __len__(self) -> int:
        return len(self._ends)

    def receiver(self, worker: int) -> socket.socket:
        return self._ends[worker - 1][1]

    def send(self, worker: int, connection: socket.socket, deadline: float) -> bool:
        """Pass a connection, which the caller then closes; False if it could not be sent."""
        sender, _ = self._ends[worker - 1]
        with suppress(OSError):
            socket.send_fds(sender, [_DEADLINE.pack(deadline)], [connection.fileno()])
            return True
        return False

    def receive(self, worker: int) -> PassedSocket | None:
        """The oldest connection sent to a worker; None if there is none."""
        try:
            sent, descriptors, _, _ = socket.recv_fds(self.receiver(worker), _DEADLINE.size, 1)
        except OSError:
            return None
        (deadline,) = _DEADLINE.unpack(sent)
        if not descriptors:
            return PassedSocket(None, deadline)
        # The default of Python for descriptors that it opens itself.
        os.set_inheritable(descriptors[0], False)
        return PassedSocket(socket.socket(fileno=descriptors[0]), deadline)

    def close(self) -> None:
        for both in self._ends:
            for end in both:
                end.close()


def _pair() -> tuple[socket.socket, socket.socket]:
    """A socket pair that preserves message boundaries. Not every system has the first kind; the
    second kind has room for only ten messages on some."""
    try:
        return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    except OSError:
        return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)


@dataclass(frozen=True)
class WorkerGroup:
    """The workers of this machine, including this process, which has this number."""

    number: int
    channels: Channels
    heartbeats: Heartbeats

    @property
    def others(self) -> list[int]:
        return [worker for worker in range(1, len(self.channels) + 1) if worker != self.number]

    def worker_for(self, first_bytes: bytes) -> int:
        table = requested_table(first_bytes)
        if table is None:
            return self.number
        alive = [worker for worker in self.others if self.heartbeats.is_alive(worker)]
        return worker_of(table, [self.number, *alive])


class SocketPassing:
    """Passes connections to other workers and receives theirs, until it is closed.

    ``serve`` starts the protocol on an admitted connection.
    """

    def __init__(
        self,
        workers: WorkerGroup,
        admission_control: AdmissionControl,
        serve: Callable[[socket.socket, Admission], None],
        metrics: Metrics,
    ) -> None:
        self._workers = workers
        self._channels = workers.channels
        self._admission_control = admission_control
        self._serve = serve
        self._metrics = metrics
        #: Connections that have sent nothing yet; admission control limits their number and time.
        self._silent: dict[Admission, socket.socket] = {}
        self._loop = asyncio.get_running_loop()
        self._own_descriptor = self._channels.receiver(workers.number).fileno()
        # One connection per call, so that other tasks run between two.
        self._loop.add_reader(self._own_descriptor, self._receive_from, workers.number)
        workers.heartbeats.beat(workers.number)

    def close(self) -> None:
        """Stop receiving. Later connections wait for the next worker with this number, or for
        others."""
        self._loop.remove_reader(self._own_descriptor)
        for admission in list(self._silent):
            admission.leave()
            self._drop(admission)

    def tick(self) -> None:
        """Beat, and receive the connections of dead workers; call it several times a second."""
        self._workers.heartbeats.beat(self._workers.number)
        for worker in self._workers.others:
            if not self._workers.heartbeats.is_alive(worker):
                while self._receive_from(worker):
                    pass

    def route(self, connection: socket.socket, admission: Admission) -> None:
        """Serve or pass a connection that was accepted here, once its first bytes arrive."""
        if not self._try_to_route(connection, admission):
            self._silent[admission] = connection
            admission.cut_off = partial(self._drop, admission)
            self._loop.add_reader(connection.fileno(), self._on_bytes, admission)

    def _on_bytes(self, admission: Admission) -> None:
        connection = self._silent.pop(admission)
        self._loop.remove_reader(connection.fileno())
        if not self._try_to_route(connection, admission):  # a spurious wake-up
            self.route(connection, admission)

    def _try_to_route(self, connection: socket.socket, admission: Admission) -> bool:
        """False if no bytes have arrived yet."""
        try:
            first_bytes = connection.recv(PEEK_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:  # the peer is gone, as the protocol will notice
            first_bytes = b""
        worker = self._workers.worker_for(first_bytes)
        assert admission.deadline is not None
        if worker != self._workers.number and self._channels.send(
            worker, connection, admission.deadline
        ):
            admission.leave()
            connection.close()
            self._metrics.handed_over.add()
        else:
            self._serve(connection, admission)
        return True

    def _drop(self, admission: Admission) -> None:
        """Does nothing if the connection is no longer silent."""
        connection = self._silent.pop(admission, None)
        if connection is not None:
            self._loop.remove_reader(connection.fileno())
            connection.close()

    def _receive_from(self, worker: int) -> bool:
        """Serve the oldest connection sent to a worker; False if there is none."""
        passed = self._channels.receive(worker)
        if passed is None:
            return False
        connection, deadline = passed
        if connection is None:
            self._admission_control.make_room()
        else:
            self._admit(connection, deadline)
        return True

    def _admit(self, connection: socket.socket, deadline: float) -> None:
        try:
            connection.setblocking(False)
            host = str(connection.getpeername()[0])
        except OSError:  # the peer is gone
            connection.close()
            return
        admission = self._admission_control.enter(host)
        if admission is None:
            connection.close()
            return
        admission.deadline = deadline  # the original one: passing a connection gains no time
        self._metrics.taken_over.add()
        self._serve(connection, admission)
