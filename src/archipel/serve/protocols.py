"""HTTP and WebSocket on one connection, with what the web server leaves open: deadlines for a peer
that does not send, and giving up on one that does not read."""

from __future__ import annotations

import asyncio
from collections import deque
from functools import partial
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.http11 import Request
from websockets.protocol import OPEN

from archipel.serve.gate import Phase, Visit

#: Where a socket's scope keeps the function that drops its connection at once.
ABORT = "archipel.abort"
#: Where it keeps the socket itself, to be written to without a detour.
WIRE = "archipel.wire"

#: How many messages of a socket may wait for their turn.
_READ_AHEAD = 8

# Of the frames of a socket (RFC 6455, 5.2).
_WHOLE_TEXT = 0x81
_FIRST_CONTROL = 0x88
_MASKED = 0x80
_LONGER = 126


def _length_of(data: bytes, at: int = 0) -> tuple[int, int]:
    """How many bytes before its content the frame has that begins here, and how many it has in
    all; more than any if that cannot be told yet, or its content is not small."""
    if len(data) < at + 4:
        return 0, len(data) + 1
    length = data[at + 1] & 0x7F
    if data[at + 1] < _MASKED or length > _LONGER:
        return 0, len(data) + 1
    if length == _LONGER:
        return 8, 8 + (data[at + 2] << 8 | data[at + 3])
    return 6, 6 + length


def _unmasked(content: bytes, mask: bytes) -> bytes:
    length = len(content)
    masks = int.from_bytes((mask * (length // 4 + 1))[:length], "little")
    return (int.from_bytes(content, "little") ^ masks).to_bytes(length, "little")


def _are_whole(data: bytes) -> bool:
    """Whether it ends where a frame ends, and all frames are whole texts or about the socket."""
    at = 0
    while at < len(data):
        if data[at] != _WHOLE_TEXT and data[at] < _FIRST_CONTROL:
            return False
        _, length = _length_of(data, at)
        at += length
    return at == len(data)


class _Inbox(asyncio.Queue[Any]):
    """What came in and waits for its turn, with one who reads it: a queue that does no more than
    that, since every message goes through it."""

    def __init__(self) -> None:
        super().__init__()
        self._messages: deque[Any] = deque()
        self._loop = asyncio.get_running_loop()  # to ask each time is a call of the system
        self._reader: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        return len(self._messages)

    def empty(self) -> bool:
        return not self._messages

    def put_nowait(self, item: Any) -> None:
        self._messages.append(item)
        reader = self._reader
        if reader is not None and not reader.done():
            reader.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._reader = self._loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._messages.popleft()


class SocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket that can be dropped even when its peer has stopped reading.

    An orderly close waits until everything sent has been read, which may be never.
    """

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any], visit: Visit
    ) -> None:
        super().__init__(config, server_state, app_state)
        self.queue = _Inbox()
        self._visit = visit
        self._largest = config.ws_max_size
        #: Whether the next thing to come is a frame that begins a message.
        self._in_step = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._visit.enters(Phase.SOCKET)

    def data_received(self, data: bytes) -> None:
        # Most of what comes is one small message in one frame, which is read here at once. Whatever
        # else comes is for the library, and from the first frame that is not whole on, everything.
        if not self.handshake_complete:
            super().data_received(data)
            return
        if self._in_step:
            before, length = _length_of(data)
            if (
                data[0] == _WHOLE_TEXT
                and length == len(data)
                and length - before <= self._largest
                and self.conn.state is OPEN
            ):
                content = _unmasked(data[before:], data[before - 4 : before])
                if self.close_sent:
                    return
                if self.queue.qsize() < _READ_AHEAD and not self.read_paused and content.isascii():
                    self.queue.put_nowait({"type": "websocket.receive", "text": content.decode()})
                    return
                self.curr_msg_data_type = "text"
                self.frames = [content]
                self.send_receive_event_to_app()
                return
            self._in_step = _are_whole(data)
        super().data_received(data)

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
        if self.disconnected or self.close_sent or not self.handshake_complete:
            return False
        transport = self.transport
        if transport.is_closing() or not self.writable.is_set():
            return False
        transport.write(frame)
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
