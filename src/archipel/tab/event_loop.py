"""Callbacks of an event loop run together.

Pyodide's loop passes each callback through a task of the browser, which costs more than most
callbacks themselves.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any, cast

#: After so many callbacks the browser's other tasks have their turn, such as messages of pages.
MOST_TOGETHER = 200


class _Together:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._alone = loop.call_soon
        self._ready: deque[asyncio.Handle] = deque()
        self._planned = False

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self._loop, context)
        self._ready.append(handle)
        self._plan()
        return handle

    def _plan(self) -> None:
        if not self._planned:
            self._planned = True
            self._alone(self._run)

    def _run(self) -> None:
        for _ in range(MOST_TOGETHER):
            if not self._ready:
                break
            handle = self._ready.popleft()
            if not handle.cancelled():
                handle._run()
        self._planned = False
        if self._ready:
            self._plan()


def run_callbacks_together(loop: asyncio.AbstractEventLoop) -> None:
    """Change a loop so that the callbacks of `call_soon` run together, in their order."""
    cast(Any, loop).call_soon = _Together(loop).call_soon
