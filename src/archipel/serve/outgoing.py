"""What waits to be sent to one socket: bounded, so that a slow reader costs nobody anything."""

from __future__ import annotations

import asyncio
from collections import deque


class TooSlow(Exception):
    """More is waiting for this reader than it may keep us holding."""


class Outgoing:
    """A queue of frames with a limit on their number and on their bytes."""

    def __init__(self, most_messages: int, most_bytes: int) -> None:
        self._most_messages = most_messages
        self._most_bytes = most_bytes
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._there_is_something = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()

    def put(self, frame: bytes) -> None:
        """Queue a frame; raises `TooSlow`."""
        # One large frame alone is always taken: it is ours, and nothing waits before it.
        if self._frames and (
            len(self._frames) >= self._most_messages or self._bytes + len(frame) > self._most_bytes
        ):
            raise TooSlow
        self._frames.append(frame)
        self._bytes += len(frame)
        self._there_is_something.set()
        self._empty.clear()

    async def next(self) -> bytes:
        """The next frame, which keeps its place until `sent` is called."""
        while not self._frames:
            self._there_is_something.clear()
            await self._there_is_something.wait()
        return self._frames[0]

    def sent(self) -> None:
        self._bytes -= len(self._frames.popleft())
        if not self._frames:
            self._empty.set()

    async def flushed(self) -> None:
        """Wait until everything was sent."""
        await self._empty.wait()
