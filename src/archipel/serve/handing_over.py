"""Connections go to the worker of their table, whichever worker accepted them.

Whoever accepts one looks at its first bytes without taking them, and passes it on as it is. Where
that is not possible it stays: any worker can serve any table, only with more to do.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial

from archipel.serve.channels import Channels, Passed
from archipel.serve.gate import Gate, Visit
from archipel.serve.heartbeats import Heartbeats
from archipel.serve.metrics import Metrics
from archipel.serve.right_worker import ENOUGH_BYTES, table_asked_for, worker_of


class Neighbours:
    """The workers of this machine, of which this process is one."""

    def __init__(self, number: int, channels: Channels, heartbeats: Heartbeats) -> None:
        self.number = number
        self.channels = channels
        self.heartbeats = heartbeats

    @property
    def others(self) -> list[int]:
        return [worker for worker in range(1, len(self.channels) + 1) if worker != self.number]

    def right_worker(self, first_bytes: bytes) -> int:
        table = table_asked_for(first_bytes)
        if table is None:
            return self.number
        present = [worker for worker in self.others if self.heartbeats.is_heard(worker)]
        return worker_of(table, [self.number, *present])


class HandingOver:
    """Passes connections to neighbours and takes those that they pass, until it is closed.

    ``serve`` speaks on a connection that was let in.
    """

    def __init__(
        self,
        neighbours: Neighbours,
        gate: Gate,
        serve: Callable[[socket.socket, Visit], None],
        metrics: Metrics,
    ) -> None:
        self._neighbours = neighbours
        self._channels = neighbours.channels
        self._gate = gate
        self._serve = serve
        self._metrics = metrics
        #: Those that have said nothing yet. The gate gives each a deadline, and limits how many.
        self._silent: dict[Visit, socket.socket] = {}
        self._loop = asyncio.get_running_loop()
        own = self._channels.receiver(neighbours.number)
        self._loop.add_reader(own.fileno(), self._take_next)
        self._own_descriptor = own.fileno()
        neighbours.heartbeats.beat(neighbours.number)

    def close(self) -> None:
        """What comes from now on is for the worker that has our number next, or for others."""
        self._loop.remove_reader(self._own_descriptor)
        for visit in list(self._silent):
            visit.leave()
            self._drop(visit)

    def tick(self) -> None:
        """To be called several times in a second."""
        self._neighbours.heartbeats.beat(self._neighbours.number)
        for worker in self._neighbours.others:
            if not self._neighbours.heartbeats.is_heard(worker):
                while self._take_one_of(worker):
                    pass

    def sort(self, connection: socket.socket, visit: Visit) -> None:
        """See to a connection that was accepted here, as soon as it says something."""
        if not self._look(connection, visit):
            self._silent[visit] = connection
            visit.cut_off = partial(self._drop, visit)
            self._loop.add_reader(connection.fileno(), self._on_bytes, visit)

    def _on_bytes(self, visit: Visit) -> None:
        connection = self._silent.pop(visit)
        self._loop.remove_reader(connection.fileno())
        if not self._look(connection, visit):  # it was a mistake of the system
            self.sort(connection, visit)

    def _look(self, connection: socket.socket, visit: Visit) -> bool:
        """Whether there was something to see, and it has been seen to."""
        try:
            first_bytes = connection.recv(ENOUGH_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:  # gone again, as whoever serves it will find
            first_bytes = b""
        worker = self._neighbours.right_worker(first_bytes)
        if worker != self._neighbours.number and self._pass_on(worker, connection, visit):
            self._metrics.handed_over.add()
        else:
            self._serve(connection, visit)
        return True

    def _pass_on(self, worker: int, connection: socket.socket, visit: Visit) -> bool:
        assert visit.deadline is not None
        if not self._channels.send(worker, connection, visit.deadline):
            return False
        visit.leave()
        connection.close()
        return True

    def _drop(self, visit: Visit) -> None:
        """Also called when it no longer waits, but is not spoken with yet."""
        connection = self._silent.pop(visit, None)
        if connection is not None:
            self._loop.remove_reader(connection.fileno())
            connection.close()

    # ---- from others ----------------------------------------------------------------------------

    def _take_next(self) -> None:
        """One at a time, so that everything else has its turn between two."""
        self._take_one_of(self._neighbours.number)

    def _take_one_of(self, worker: int) -> bool:
        passed = self._channels.receive(worker)
        if passed is None:
            return False
        self._take(passed)
        return True

    def _take(self, passed: Passed) -> None:
        connection, deadline = passed
        if connection is None:
            self._gate.make_room()
            return
        try:
            connection.setblocking(False)
            host = str(connection.getpeername()[0])
        except OSError:  # gone again
            connection.close()
            return
        visit = self._gate.enter(host)
        if visit is None:
            connection.close()
            return
        # It has waited already, and gains no time by having been passed on.
        visit.deadline = deadline
        self._metrics.taken_over.add()
        self._serve(connection, visit)
