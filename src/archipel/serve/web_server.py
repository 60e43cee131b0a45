"""The web server underneath, with what it leaves open: giving up on a peer that does not read,
ending in an order that loses no answer, and ending when something else is to be done."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from archipel.serve.settings import Settings

#: Where a socket's scope keeps the function that drops its connection at once.
ABORT = "archipel.abort"

_TICKS_PER_SECOND = 10

#: How long the last answers may take when the server ends.
_GRACE_SECONDS = 10


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that can be dropped even when its peer has stopped reading.

    An orderly close waits until everything sent has been read, which may be never.
    """

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[ABORT] = self.transport.abort

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


class WebServer(uvicorn.Server):
    """Ends by calling `drain` between the last new connection and the end of the old ones."""

    def __init__(self, config: uvicorn.Config, drain: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._drain = drain
        self.when_started: Callable[[], None] = lambda: None
        #: Asked about once a second; the server ends when it says so.
        self.ends_when: Callable[[], bool] = lambda: False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.when_started()

    async def on_tick(self, counter: int) -> bool:
        if counter % _TICKS_PER_SECOND == 0 and self.ends_when():
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        # What takes longer is cut off: it was not acknowledged, so nobody was told a falsehood.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._drain(), _GRACE_SECONDS)
        await super().shutdown(sockets)


def make_server(
    application: ASGIApp, settings: Settings, drain: Callable[[], Awaitable[None]]
) -> WebServer:
    """A server for an application; listening sockets are handed to its `serve`."""
    config = uvicorn.Config(
        application,
        # The application itself looks at forwarded addresses, and writes the log.
        proxy_headers=False,
        access_log=False,
        log_config=None,
        log_level=None,
        server_header=False,
        lifespan="on",
        loop="asyncio",
        http="h11",
        ws=SocketProtocol,
        ws_max_size=settings.largest_message,
        ws_ping_interval=settings.ping_seconds,
        ws_ping_timeout=settings.silence_seconds - settings.ping_seconds,
        ws_per_message_deflate=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        h11_max_incomplete_event_size=16 * 1024,
        interface="asgi3",
    )
    return WebServer(config, drain)
