"""Accepting connections: one by one, so that each passes the gate before it costs anything.

The event loop's own way takes all that wait at once, and where no descriptor is left it tries again
as often as its queue is long, with a traceback each time.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress

from archipel.serve.gate import Gate, Visit
from archipel.serve.logs import log

_NO_MORE = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_PAUSE_SECONDS = 0.05


class Acceptor:
    """Takes connections from a listening socket until it is closed; the socket stays open."""

    def __init__(
        self,
        listener: socket.socket,
        gate: Gate,
        make_protocol: Callable[[Visit], asyncio.Protocol],
        sort: Callable[[socket.socket, Visit], None] | None = None,
    ) -> None:
        """``sort`` sees to connections that were let in, where not all of them are served here."""
        self._listener = listener
        self._gate = gate
        self._make_protocol = make_protocol
        self._sort = sort
        #: A descriptor that can be given up to take a connection, if only to end it.
        self._reserve: int | None = _any_descriptor()
        self._task = asyncio.get_running_loop().create_task(self._accept())

    def close(self) -> None:
        self._task.cancel()

    async def wait_closed(self) -> None:
        with suppress(asyncio.CancelledError):
            await self._task
        if self._reserve is not None:
            os.close(self._reserve)
            self._reserve = None

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                taken, peer = await loop.sock_accept(self._listener)
            except OSError as error:
                # Others are of one peer: it has gone again before its turn came.
                if error.errno in _NO_MORE:
                    self._turn_one_away(error)
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            await self._welcome(taken, str(peer[0]))
            await asyncio.sleep(0)  # everything else has its turn between two

    async def _welcome(self, taken: socket.socket, host: str) -> None:
        visit = self._gate.enter(host)
        if visit is None:
            taken.close()
        elif self._sort is None:
            await begin(taken, visit, self._make_protocol)
        else:
            self._sort(taken, visit)

    def _turn_one_away(self, error: OSError) -> None:
        """No descriptor is left: better end one connection than leave all to wait for nothing."""
        log.warning("no descriptor is left for a connection", exc_info=error)
        self._gate.make_room()
        if self._reserve is not None:
            os.close(self._reserve)
            with suppress(OSError):
                self._listener.accept()[0].close()
            self._reserve = _any_descriptor()


async def begin(
    taken: socket.socket, visit: Visit, make_protocol: Callable[[Visit], asyncio.Protocol]
) -> None:
    """Speak on a connection that was let in."""
    loop = asyncio.get_running_loop()
    try:
        await loop.connect_accepted_socket(lambda: make_protocol(visit), taken)
    except OSError:  # gone again
        visit.leave()
        taken.close()


def _any_descriptor() -> int | None:
    try:
        return os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return None
