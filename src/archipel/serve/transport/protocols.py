"""uvicorn's HTTP and WebSocket protocols, with deadlines and a fast path for small messages."""

import asyncio
from collections import deque
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import OPEN

from archipel.serve.admission_control import Admission, Phase

#: ASGI extension: the protocol itself, to send frames directly and to drop the connection.
WIRE = "archipel.wire"

#: How many received messages of a socket may be queued.
_READ_AHEAD = 8

# WebSocket framing (RFC 6455, 5.2).
_WHOLE_TEXT = 0x81
_FIRST_CONTROL = 0x88
_MASKED = 0x80
_LONGER = 126


def _length_of(data: bytes, at: int = 0) -> tuple[int, int]:
    """The sizes of the header and of the whole frame that begins at ``at``.

    The whole size exceeds ``data`` if the frame is incomplete or not small."""
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
    """Whether the data consists of complete frames: unfragmented texts and control frames."""
    at = 0
    while at < len(data):
        if data[at] != _WHOLE_TEXT and data[at] < _FIRST_CONTROL:
            return False
        _, length = _length_of(data, at)
        at += length
    return at == len(data)


class _Inbox(asyncio.Queue[Any]):
    """A queue with a single reader; faster than asyncio's, as every message goes through it."""

    def __init__(self) -> None:
        super().__init__()
        self._messages: deque[Any] = deque()
        self._loop = asyncio.get_running_loop()  # looked up once: each lookup is a system call
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
    """A WebSocket that can be dropped even if its peer has stopped reading.

    An orderly close would wait until the peer has read everything.
    """

    def __init__(self, *, admission: Admission, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.queue = _Inbox()
        self._admission = admission
        self._largest = self.config.ws_max_size
        #: Whether the next bytes begin a new frame and a new message.
        self._in_step = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._admission.enters(Phase.SOCKET)

    def data_received(self, data: bytes) -> None:
        # Fast path: one small message in one frame. The library handles everything else, and all
        # data after the first incomplete frame.
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
        self._admission.leave()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WIRE] = self

    def send_receive_event_to_app(self) -> None:
        # Pausing and resuming after every message costs two system calls. So a few messages, each
        # limited in size, may be queued before reading pauses.
        if self.queue.qsize() >= _READ_AHEAD or self.read_paused:
            super().send_receive_event_to_app()
            return
        self.read_paused = True  # so that the library does not pause reading
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
        return not (self.disconnected or self.close_sent or self.transport.is_closing())

    def abort(self) -> None:
        self.transport.abort()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.abort()


class HttpProtocol(H11Protocol):
    """HTTP that reports its phase to admission control."""

    def __init__(self, *, admission: Admission, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._admission = admission
        self.ws_protocol_class = partial(SocketProtocol, admission=admission)  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._admission.cut_off = transport.abort

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._admission.leave()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._admission.enters(self._phase())

    def on_response_complete(self) -> None:
        # Before the call below, which may start on a request that has already arrived.
        unread = self.conn.their_state is h11.SEND_BODY
        if not unread:
            self._admission.enters(Phase.IDLE)
        super().on_response_complete()
        if unread or self.transport.get_protocol() is not self:
            return
        phase = self._phase()
        if phase is not Phase.HEAD or self.conn.trailing_data[0]:
            self._admission.enters(phase)

    def _phase(self) -> Phase:
        state = self.conn.their_state
        if state is h11.IDLE:
            return Phase.HEAD
        return Phase.BODY if state is h11.SEND_BODY else Phase.ANSWER
