"""HTTP and WebSocket on one connection, with what the web server leaves open: deadlines for a peer
that does not send, and giving up on one that does not read."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.http11 import Request

from archipel.serve.gate import Phase, Visit

#: Where a socket's scope keeps the function that drops its connection at once.
ABORT = "archipel.abort"
#: Where it keeps the socket itself, to be written to without a detour.
WIRE = "archipel.wire"

#: How many messages of a socket may wait for their turn.
_READ_AHEAD = 8


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that can be dropped even when its peer has stopped reading.

    An orderly close waits until everything sent has been read, which may be never.
    """

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], visit: Visit
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._visit = visit

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._visit.enters(Phase.SOCKET)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._visit.leave()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[ABORT] = self.transport.abort
            extensions[WIRE] = self

    def send_receive_event_to_app(self) -> None:
        # To stop reading after every message and to begin again costs two calls of the system. A
        # few may wait, none is larger than the limit; of who sends more than that no more is read.
        if self.queue.qsize() >= _READ_AHEAD or self.read_paused:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so that it is left as it is
        try:
            super().send_receive_event_to_app()
        finally:
            self.read_paused = False

    def write_frame(self, frame: bytes) -> bool:
        if not self.writable.is_set() or not self.handshake_complete or self._is_ending:
            return False
        self.transport.write(frame)
        return True

    async def until_writable(self) -> bool:
        await self.writable.wait()
        return not self._is_ending

    @property
    def _is_ending(self) -> bool:
        return self.disconnected or self.close_sent or self.transport.is_closing()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


class HttpProtocol(H11Protocol):
    """HTTP that tells its visit what it waits for."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], visit: Visit
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._visit = visit
        self.ws_protocol_class = partial(SocketProtocol, visit=visit)  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._visit.cut_off = transport.abort

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._visit.leave()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._visit.enters(self._phase())

    def on_response_complete(self) -> None:
        # First: what came in meanwhile may be a whole request, whose time begins now.
        unread = self.conn.their_state is h11.SEND_BODY
        if not unread:
            self._visit.enters(Phase.IDLE)
        super().on_response_complete()
        if unread or self.transport.get_protocol() is not self:
            return
        phase = self._phase()
        if phase is not Phase.HEAD or self.conn.trailing_data[0]:
            self._visit.enters(phase)

    def _phase(self) -> Phase:
        state = self.conn.their_state
        if state is h11.IDLE:
            return Phase.HEAD
        return Phase.BODY if state is h11.SEND_BODY else Phase.ANSWER
