"""Turns to think: no more than so many at once, and fair between tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class FairTurns:
    """Of the tables that wait, the one goes first whose bots have thought least.

    What a table has had is forgotten as the others catch up: one that was silent for an hour has no
    claim on an hour.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._clock = clock
        self._running = 0
        #: What everybody who waits has had at least.
        self._common = 0.0
        #: What tables have had beyond that.
        self._had: dict[str, float] = {}
        #: In the order in which they came.
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    @property
    def running(self) -> int:
        return self._running

    @property
    def waiting(self) -> int:
        return sum(not future.done() for _, future in self._waiting)

    @asynccontextmanager
    async def turn(self, table: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it."""
        await self._wait(table)
        begun = self._clock()
        try:
            yield
        finally:
            self._had[table] = self._had_by(table) + self._clock() - begun
            self._running -= 1
            self._let_next_in()

    async def _wait(self, table: str) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((table, future))
        self._let_next_in()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():  # it had its turn already
                self._running -= 1
                self._let_next_in()
            raise

    def _let_next_in(self) -> None:
        self._waiting = [(table, future) for table, future in self._waiting if not future.done()]
        while self._running < self.most and self._waiting:
            # Of equals the first that came: `min` takes it.
            first = min(self._waiting, key=lambda waiting: self._had_by(waiting[0]))
            self._waiting.remove(first)
            table, future = first
            self._running += 1
            self._common = self._had_by(table)
            future.set_result(None)
        self._had = {table: had for table, had in self._had.items() if had > self._common}

    def _had_by(self, table: str) -> float:
        return max(self._common, self._had.get(table, 0.0))
