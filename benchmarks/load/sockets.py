"""A minimal WebSocket client, fast enough not to slow down the measurement.

It accepts only what this server sends: unfragmented text frames and pings.
"""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import Callable
from contextlib import suppress

#: A mask of zeros is valid and needs no work. Masks protect proxies, and there are none here.
_NO_MASK = b"\0\0\0\0"
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10


class LightSocket(asyncio.Protocol):
    """Calls ``on_text`` with every text frame."""

    def __init__(self, path: str, on_text: Callable[[bytes], None]) -> None:
        self._path = path
        self._on_text = on_text
        self._transport: asyncio.Transport | None = None
        self._unread = b""
        loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()

    @classmethod
    async def connect(cls, port: int, path: str, on_text: Callable[[bytes], None]) -> LightSocket:
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(lambda: cls(path, on_text), "127.0.0.1", port)
        await socket._opened
        return socket

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = os.urandom(16).hex()[:22] + "=="
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        for waiting in (self._opened, self.closed):
            if not waiting.done():
                waiting.set_exception(error or ConnectionError("the server has closed the socket"))
        with suppress(ConnectionError):
            self.closed.exception()

    def data_received(self, data: bytes) -> None:
        unread = self._unread + data if self._unread else data
        at = 0
        if not self._opened.done():
            end = unread.find(b"\r\n\r\n")
            if end < 0:
                self._unread = unread
                return
            if not unread.startswith(b"HTTP/1.1 101"):
                self._opened.set_exception(ConnectionError(unread[:end].decode("latin-1")))
                return
            self._opened.set_result(None)
            at = end + 4
        while len(unread) >= at + 2:
            length, begin = unread[at + 1], at + 2
            if length == 126:
                begin += 2
                length = int.from_bytes(unread[at + 2 : begin], "big")
            elif length == 127:
                begin += 8
                length = int.from_bytes(unread[at + 2 : begin], "big")
            if len(unread) < begin + length:
                break
            self._handle(unread[at] & 15, unread[begin : begin + length])
            at = begin + length
        self._unread = unread[at:]

    def _handle(self, kind: int, content: bytes) -> None:
        if kind == _TEXT:
            self._on_text(content)
        elif kind == _PING:
            self._send(_PONG, content)

    def send(self, text: bytes) -> None:
        self._send(_TEXT, text)

    def _send(self, kind: int, content: bytes) -> None:
        assert self._transport is not None
        length = len(content)
        head = (
            struct.pack("!BB", 128 | kind, 128 | length)
            if length < 126
            else struct.pack("!BBH", 128 | kind, 128 | 126, length)
        )
        self._transport.write(head + _NO_MASK + content)

    def close(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._send(_CLOSE, b"\x03\xe8")
            self._transport.close()
