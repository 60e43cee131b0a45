"""uvicorn's HTTP and WebSocket protocols, with deadlines and a fast path for small messages."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import OPEN

from archipel.serve.admission_control import Admission, Phase
from archipel.serve.rate_limits import FrameBudget

#: ASGI extension: the protocol itself, to send frames directly and to drop the connection.
WIRE = "archipel.wire"

#: How many received messages of a socket may be queued.
_READ_AHEAD = 8
#: How many frames of a socket are parsed before other connections get their turn.
FRAMES_PER_SLICE = 16
#: The most frames of one message.
_MOST_FRAGMENTS = 64
#: Pause of a socket whose address has used up its budget.
_PAUSE_SECONDS = 0.25
#: Time in which a peer that sent too much may read why its socket is closed.
_LAST_SECONDS = 2.0

# WebSocket framing (RFC 6455, 5.2).
_WHOLE_TEXT = 0x81
_MASKED = 0x80
_LONGER = 126


def _length_of(data: bytes | bytearray, at: int = 0) -> tuple[int, int]:
    """The sizes of the header and of the whole frame that begins at ``at``.

    (0, 0) if the header is incomplete.
    """
    if len(data) < at + 2:
        return 0, 0
    length = data[at + 1] & 0x7F
    mask = 4 if data[at + 1] & _MASKED else 0
    more = 0 if length < _LONGER else 2 if length == _LONGER else 8
    header = 2 + more + mask
    if len(data) < at + header:
        return 0, 0
    if more:
        length = int.from_bytes(data[at + 2 : at + 2 + more], "big")
    return header, header + length


def _unmasked(content: bytes, mask: bytes) -> bytes:
    length = len(content)
    masks = int.from_bytes((mask * (length // 4 + 1))[:length], "little")
    return (int.from_bytes(content, "little") ^ masks).to_bytes(length, "little")


def _nothing() -> None:
    pass


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

    Received bytes wait here and are parsed frame by frame: a few per turn of the event loop, none
    while received messages wait for their answers or answers for the peer, and each charged to the
    budget of the socket and of its address.
    """

    def __init__(self, *, admission: Admission, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.queue = _Inbox()
        self._admission = admission
        self._largest = self.config.ws_max_size
        #: Received bytes from the beginning of a frame.
        self._unread = bytearray()
        self._next_slice: asyncio.Handle | None = None
        self._is_reading = True
        self._budget: FrameBudget | None = None
        self._when_exceeded = _nothing
        self._ended = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._admission.enters(Phase.SOCKET)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        self._stop_reading()  # a client must wait for the response, as `begin` does
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[WIRE] = self

    def begin(self, budget: FrameBudget, when_exceeded: Callable[[], None]) -> None:
        """Read frames within a budget; calls ``when_exceeded`` and reads no more beyond it."""
        self._budget, self._when_exceeded = budget, when_exceeded
        self._read_on()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_reading()
        super().connection_lost(exc)
        self._admission.leave()
        # Both have a frame of the library's parser, which refers to `conn` again.
        self.conn.parser.close()
        self.conn.parser_exc = None

    async def run_asgi(self) -> None:
        try:
            await super().run_asgi()
        finally:
            # Breaks the cycles of this protocol with the scope and with the application's callback:
            # collections are infrequent (`archipel.serve.garbage_collection`).
            del self.scope["extensions"][WIRE]
            self._when_exceeded = _nothing

    # ---- reading --------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if not self.handshake_complete:
            super().data_received(data)
            return
        if self._ended:
            return
        self._unread += data
        if self._next_slice is None:
            self._read_slice()

    def _read_slice(self) -> None:
        """Parse some of the received frames; the next turn of the event loop parses more."""
        self._next_slice = None
        unread, at = self._unread, 0
        for _ in range(FRAMES_PER_SLICE):
            header, size = _length_of(unread, at)
            # The library closes the socket because of a frame that is too large.
            is_large = size - header > self._largest
            if not header or (at + size > len(unread) and not is_large):
                break
            if not self._may_read() or not self._is_paid_for(size):
                break
            frame = bytes(unread[at:] if is_large else unread[at : at + size])
            at += len(frame)
            self._take(frame, header)
            if self.transport.is_closing():  # nothing counts after a close or a malformed frame
                self._end_reading()
                return
        else:
            if len(unread) > at:
                self._next_slice = self.loop.call_soon(self._read_slice)
        del unread[:at]
        if self._next_slice is None and self._may_read() and not self._ended:
            self._read_on()
        else:
            self._stop_reading()

    def _may_read(self) -> bool:
        """Whether neither received messages nor answers wait; none count after a close."""
        return self.close_sent or (self.queue.qsize() < _READ_AHEAD and self.writable.is_set())

    def _is_paid_for(self, size: int) -> bool:
        """Charge a frame; otherwise ends reading, or pauses it if its address has to wait."""
        wait = 0.0 if self._budget is None else self._budget.charge(size)
        if len(self.frames) >= _MOST_FRAGMENTS:
            wait = inf
        if not wait:
            return True
        if wait < inf:
            self._next_slice = self.loop.call_later(max(wait, _PAUSE_SECONDS), self._read_slice)
            return False
        self._end_reading()
        self.loop.call_later(_LAST_SECONDS, self.transport.abort)
        self._when_exceeded()
        return False

    def _take(self, frame: bytes, header: int) -> None:
        """Handle one frame. The library handles all but a whole small text, the usual one."""
        is_usual = frame[0] == _WHOLE_TEXT and frame[1] > _MASKED and not self.frames
        if is_usual and len(frame) - header <= self._largest and self.conn.state is OPEN:
            self.curr_msg_data_type = "text"
            self.frames = [_unmasked(frame[header:], frame[header - 4 : header])]
            self.send_receive_event_to_app()
        else:
            super().data_received(frame)

    def send_receive_event_to_app(self) -> None:
        content, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        if self.curr_msg_data_type == "bytes":
            self.queue.put_nowait({"type": "websocket.receive", "bytes": content})
            return
        try:
            text = content.decode()
        except UnicodeDecodeError:
            self.conn.send_close(1007)
            self.handle_parser_exception()
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.close_sent:
            self._go_on()  # to the close frame of the peer

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self.queue.empty():
            self._go_on()
        return message

    def resume_writing(self) -> None:
        super().resume_writing()
        self._go_on()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stop_reading()

    def _go_on(self) -> None:
        """Parse what waits, and read on."""
        if not self._is_reading and self._next_slice is None and not self._ended:
            self._next_slice = self.loop.call_soon(self._read_slice)

    def _stop_reading(self) -> None:
        if self._is_reading and not self.transport.is_closing():
            self._is_reading = False
            self.transport.pause_reading()

    def _read_on(self) -> None:
        if not self._is_reading and not self.transport.is_closing():
            self._is_reading = True
            self.transport.resume_reading()

    def _end_reading(self) -> None:
        self._ended = True
        self._unread.clear()
        if self._next_slice is not None:
            self._next_slice.cancel()
            self._next_slice = None

    # ---- writing --------------------------------------------------------------------------------

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
