"""WebSocket frames: encoding, decoding, and the bounded send buffer of one socket."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from struct import Struct
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from archipel.serve.api import messages
from archipel.serve.api.http_errors import DECODING_ERRORS, Denied, malformed
from archipel.tables import SharedMessage
from archipel.tables.commands import RequestId

if TYPE_CHECKING:
    from archipel.serve.rate_limits import FrameBudget

#: First byte of an unfragmented text frame (RFC 6455, 5.2).
_WHOLE_TEXT = 0x81
#: Frame headers for the three sizes of the length field.
_SMALL, _MIDDLING, _LARGE = (Struct(form).pack for form in (">BB", ">BBH", ">BBQ"))

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[messages.FromBrowser] = msgspec.json.Decoder(messages.FromBrowser)


class _Identified(msgspec.Struct):
    id: RequestId | None = None


_ID_DECODER = msgspec.json.Decoder(_Identified)


def encode(message: messages.ToBrowser) -> bytes:
    """A message as a complete WebSocket text frame."""
    text = _ENCODER.encode(message)
    length = len(text)
    if length < 126:
        return _SMALL(_WHOLE_TEXT, length) + text
    if length < 1 << 16:
        return _MIDDLING(_WHOLE_TEXT, 126, length) + text
    return _LARGE(_WHOLE_TEXT, 127, length) + text


def encode_once(news: SharedMessage) -> bytes:
    """Encode once and share the bytes between all recipients."""
    if news.frame is None:
        news.frame = encode(news.message)
    return news.frame


def decode(text: str | None) -> messages.FromBrowser:
    """Decode a message; raises `Denied` with a description of the mistake."""
    if text is None:
        raise Denied(400, "malformed", "the message is binary: send JSON in a text frame")
    try:
        return _DECODER.decode(text)
    except DECODING_ERRORS as error:
        raise malformed(error, "message") from None


def request_id(text: str | None) -> str | None:
    """The id of a message that is otherwise malformed, for the error response."""
    if text is None:
        return None
    try:
        return _ID_DECODER.decode(text).id
    except DECODING_ERRORS:
        return None


class TooSlow(Exception):
    """The send buffer of a slow reader is full."""


class Wire(Protocol):
    """The transport of a WebSocket."""

    def begin(self, budget: FrameBudget, when_exceeded: Callable[[], None]) -> None:
        """Receive frames within a budget; beyond it call ``when_exceeded`` and receive no more."""

    def write_frame(self, frame: bytes) -> bool:
        """Send a frame; False if the buffer is full or the peer is gone."""

    async def until_writable(self) -> bool:
        """Wait for room in the buffer; False if the peer is gone."""

    async def receive(self) -> Any:
        """The next ASGI message: received text, or a disconnect."""

    def abort(self) -> None:
        """Drop the connection at once."""


class Outgoing:
    """A queue of frames, limited in number and bytes."""

    def __init__(self, wire: Wire, most_messages: int, most_bytes: int) -> None:
        self._wire = wire
        self._most_messages = most_messages
        self._most_bytes = most_bytes
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._not_empty = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()

    def put(self, frame: bytes) -> None:
        """Send a frame now or queue it; raises `TooSlow`."""
        if not self._frames and self._wire.write_frame(frame):
            return
        # An empty queue takes one frame of any size.
        if self._frames and (
            len(self._frames) >= self._most_messages or self._bytes + len(frame) > self._most_bytes
        ):
            raise TooSlow
        self._frames.append(frame)
        self._bytes += len(frame)
        self._not_empty.set()
        self._empty.clear()

    async def send_queued(self) -> None:
        """Send queued frames until the peer is gone."""
        while await self._wire.until_writable():
            while self._frames and self._wire.write_frame(self._frames[0]):
                self._bytes -= len(self._frames.popleft())
            if not self._frames:
                self._empty.set()
                self._not_empty.clear()
                await self._not_empty.wait()

    async def flushed(self) -> None:
        """Wait until the queue is empty."""
        await self._empty.wait()
