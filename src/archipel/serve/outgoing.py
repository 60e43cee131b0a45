"""What is sent to one socket: at once where it can be, and what has to wait is bounded, so that a
slow reader costs nobody anything."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Protocol


class TooSlow(Exception):
    """More is waiting for this reader than it may keep us holding."""


class Wire(Protocol):
    """The socket underneath."""

    def write_frame(self, frame: bytes) -> bool:
        """Whether it was taken; not while what was sent before has not been read, nor when the
        peer is gone."""

    async def until_writable(self) -> bool:
        """Wait for room; False if there will never be any, since the peer is gone."""

    async def receive(self) -> Any:
        """The next message that came in, or that the peer is gone, as a web server tells it."""


class Outgoing:
    """Frames on their way, with a limit on the number and the bytes of those that wait."""

    def __init__(self, wire: Wire, most_messages: int, most_bytes: int) -> None:
        self._wire = wire
        self._most_messages = most_messages
        self._most_bytes = most_bytes
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._there_is_something = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()

    def put(self, frame: bytes) -> None:
        """Send a frame now or soon; raises `TooSlow`."""
        if not self._frames and self._wire.write_frame(frame):
            return
        # One large frame alone is always taken: it is ours, and nothing waits before it.
        if self._frames and (
            len(self._frames) >= self._most_messages or self._bytes + len(frame) > self._most_bytes
        ):
            raise TooSlow
        self._frames.append(frame)
        self._bytes += len(frame)
        self._there_is_something.set()
        self._empty.clear()

    async def send_what_waits(self) -> None:
        """Send what could not be sent at once, until the peer is gone."""
        while await self._wire.until_writable():
            while self._frames and self._wire.write_frame(self._frames[0]):
                self._bytes -= len(self._frames.popleft())
            if not self._frames:
                self._empty.set()
                self._there_is_something.clear()
                await self._there_is_something.wait()

    async def flushed(self) -> None:
        """Wait until everything was sent."""
        await self._empty.wait()
