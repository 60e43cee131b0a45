"""One computation for all who ask at about the same time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from archipel.serve.limits import Clock

Result = TypeVar("Result")


class Shared(Generic[Result]):
    """Whoever asks while the answer is being made, or soon after, gets that one."""

    def __init__(
        self,
        make: Callable[[], Awaitable[Result]],
        seconds: float,
        clock: Clock = time.monotonic,
    ) -> None:
        self._make = make
        self._seconds = seconds
        self._clock = clock
        self._making: asyncio.Future[Result] | None = None
        self._made_at = float("-inf")

    async def get(self) -> Result:
        """The answer, or the exception that came of making it; a failure is not kept."""
        making = self._making
        if making is None or (making.done() and not self._is_fresh(making)):
            making = self._making = asyncio.ensure_future(self._work())
        # Whoever asked first may go without spoiling it for the others.
        return await asyncio.shield(making)

    async def _work(self) -> Result:
        made = await self._make()
        self._made_at = self._clock()
        return made

    def _is_fresh(self, made: asyncio.Future[Result]) -> bool:
        failed = made.cancelled() or made.exception() is not None
        return not failed and self._clock() - self._made_at <= self._seconds
