"""Making and joining a table once, however often it is asked for: the answer holds the secret of a
seat, of which the log keeps a hash alone, so it is remembered here for a while."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from archipel.store.clock import Clock
from archipel.tables.commands import Join, NewTable
from archipel.tables.settings import Settings
from archipel.tables.shown import Seated


class Answers:
    """What was answered lately to requests with an id of their own."""

    def __init__(self, clock: Clock, settings: Settings) -> None:
        self._clock = clock
        self._settings = settings
        self._given: dict[bytes, tuple[int, asyncio.Task[Seated]]] = {}

    async def once(
        self, table_id: str, wish: NewTable | Join, work: Callable[[], Coroutine[Any, Any, Seated]]
    ) -> Seated:
        """Do the work, or wait for what the same wish with the same id came to.

        A wish that differs in anything is another one: an id alone opens nobody's seat.  What was
        refused may be tried again.
        """
        if not wish.request:
            return await work()
        self._forget()
        key = hashlib.sha256(f"{table_id}\0".encode() + msgspec.json.encode(wish)).digest()
        known = self._given.get(key)
        if known is None:
            task = asyncio.get_running_loop().create_task(work())
            self._given[key] = self._clock(), task
            task.add_done_callback(lambda done: self._drop_if_failed(key, done))
        else:
            _, task = known
        return await asyncio.shield(task)

    def _drop_if_failed(self, key: bytes, done: asyncio.Task[Seated]) -> None:
        if done.cancelled() or done.exception() is not None:
            self._given.pop(key, None)

    def _forget(self) -> None:
        """Those that are too old, and the oldest of too many; they stand in order."""
        oldest = self._clock() - self._settings.answers_kept_for
        for key, (at, _) in list(self._given.items()):
            if at >= oldest and len(self._given) < self._settings.answers_kept:
                break
            del self._given[key]
