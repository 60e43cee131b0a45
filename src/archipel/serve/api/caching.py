"""Request coalescing: concurrent and repeated calls share one result for a short time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class CachedCall(Generic[Result]):
    """Calls ``make`` at most once in ``seconds``; concurrent callers share the result."""

    def __init__(
        self,
        make: Callable[[], Awaitable[Result]],
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make = make
        self._seconds = seconds
        self._clock = clock
        self._making: asyncio.Future[Result] | None = None
        self._made_at = float("-inf")

    async def get(self) -> Result:
        """The result, or the exception of ``make``; failures are not cached."""
        making = self._making
        if making is None or (making.done() and not self._is_fresh(making)):
            making = self._making = asyncio.ensure_future(self._work())
        # Shielded: cancelling one caller must not cancel the others.
        return await asyncio.shield(making)

    async def _work(self) -> Result:
        made = await self._make()
        self._made_at = self._clock()
        return made

    def _is_fresh(self, made: asyncio.Future[Result]) -> bool:
        failed = made.cancelled() or made.exception() is not None
        return not failed and self._clock() - self._made_at <= self._seconds
