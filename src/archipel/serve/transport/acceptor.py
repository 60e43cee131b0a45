"""Accepts connections one by one, so that admission control sees each before it costs anything.

The event loop's own server accepts all waiting connections at once; without a free descriptor it
retries for each of them, with a traceback each time.
"""

import asyncio
import errno
import os
import socket
from collections.abc import Callable
from contextlib import suppress

from archipel.serve.admission_control import Admission, AdmissionControl
from archipel.serve.logs import log

_NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_PAUSE_SECONDS = 0.05


class Acceptor:
    """Accepts connections from a listening socket until `close`, which leaves the socket open."""

    def __init__(
        self,
        listener: socket.socket,
        admission_control: AdmissionControl,
        serve: Callable[[socket.socket, Admission], None],
    ) -> None:
        """``serve`` takes each admitted connection."""
        self._listener = listener
        self._admission_control = admission_control
        self._serve = serve
        #: A spare descriptor: closing it allows to accept and close one connection.
        self._reserve: int | None = _spare_descriptor()
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
                connection, peer = await loop.sock_accept(self._listener)
            except OSError as error:
                # Other errors concern one peer only, which is gone.
                if error.errno in _NO_DESCRIPTOR:
                    self._refuse_one(error)
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            admission = self._admission_control.enter(str(peer[0]))
            if admission is None:
                connection.close()
            else:
                self._serve(connection, admission)
            await asyncio.sleep(0)  # lets other tasks run

    def _refuse_one(self, error: OSError) -> None:
        """Accept and close one connection, because no descriptor is left to serve it."""
        log.warning("no descriptor left for a connection", exc_info=error)
        self._admission_control.make_room()
        if self._reserve is not None:
            os.close(self._reserve)
            with suppress(OSError):
                self._listener.accept()[0].close()
            self._reserve = _spare_descriptor()


def _spare_descriptor() -> int | None:
    try:
        return os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return None
