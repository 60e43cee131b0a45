"""The web server underneath, with what it leaves open: who is let in and for how long, ending in an
order that loses no answer, and ending when something else is to be done."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE

from archipel.serve.accepting import Acceptor, begin
from archipel.serve.gate import Gate, Visit
from archipel.serve.handing_over import HandingOver, Neighbours
from archipel.serve.listening import most_connections
from archipel.serve.metrics import Metrics
from archipel.serve.protocols import HttpProtocol, SocketProtocol
from archipel.serve.settings import Settings

_TICKS_PER_SECOND = 10

#: How long the last answers may take when the server ends.
_GRACE_SECONDS = 10


class WebServer(uvicorn.Server):
    """Ends by calling `drain` between the last new connection and the end of the old ones."""

    def __init__(
        self,
        config: uvicorn.Config,
        drain: Callable[[], Awaitable[None]],
        gate: Gate,
        metrics: Metrics,
        neighbours: Neighbours | None,
    ) -> None:
        super().__init__(config)
        self._drain = drain
        self.gate = gate
        self._metrics = metrics
        self._neighbours = neighbours
        self._handing_over: HandingOver | None = None
        self._beginning: set[asyncio.Task[None]] = set()
        self.when_started: Callable[[], None] = lambda: None
        #: Asked about once a second; the server ends when it says so.
        self.ends_when: Callable[[], bool] = lambda: False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept on the sockets, which have to be there already."""
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        sort = None
        if self._neighbours is not None:
            self._handing_over = HandingOver(
                self._neighbours, self.gate, self._begin, self._metrics
            )
            sort = self._handing_over.sort
        acceptors = [
            Acceptor(listener, self.gate, self._protocol, sort) for listener in sockets or ()
        ]
        self.servers = acceptors  # type: ignore[assignment]
        self.started = True
        self.when_started()

    def _protocol(self, visit: Visit) -> asyncio.Protocol:
        return HttpProtocol(self.config, self.server_state, self.lifespan.state, visit)

    def _begin(self, connection: socket.socket, visit: Visit) -> None:
        task = asyncio.get_running_loop().create_task(begin(connection, visit, self._protocol))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def on_tick(self, counter: int) -> bool:
        self.gate.sweep()
        if self._handing_over is not None:
            self._handing_over.tick()
        if counter % _TICKS_PER_SECOND == 0 and self.ends_when():
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self.servers:
            acceptor.close()
            await acceptor.wait_closed()
        if self._handing_over is not None:
            self._handing_over.close()
            await asyncio.gather(*self._beginning)
        # What takes longer is cut off: it was not acknowledged, so nobody was told a falsehood.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._drain(), _GRACE_SECONDS)
        await super().shutdown(sockets)


def make_server(
    application: ASGIApp,
    settings: Settings,
    drain: Callable[[], Awaitable[None]],
    metrics: Metrics | None = None,
    neighbours: Neighbours | None = None,
) -> WebServer:
    """A server for an application; listening sockets are handed to its `serve`. Those who accept on
    the same sockets are its ``neighbours``."""
    metrics = metrics or Metrics()
    config = uvicorn.Config(
        application,
        # The application itself looks at forwarded addresses, and writes the log.
        proxy_headers=False,
        access_log=False,
        log_config=None,
        log_level=None,
        server_header=False,
        lifespan="on",
        loop="auto",  # uvloop, where it is installed
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=settings.largest_message,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.silence_seconds - settings.ping_seconds,
        ws_per_message_deflate=False,
        timeout_keep_alive=int(settings.idle_seconds),
        timeout_graceful_shutdown=_GRACE_SECONDS,
        h11_max_incomplete_event_size=16 * 1024,
        interface="asgi3",
    )
    gate = Gate(settings, most_connections(settings.most_connections), metrics)
    return WebServer(config, drain, gate, metrics, neighbours)
