"""A stream of updates to one subscriber, who may be slow but cannot make others wait."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from archipel.tables import shown
from archipel.tables.problems import TableRefused, refuse
from archipel.tables.sights import Sight
from archipel.tables.table import Who


class Dropped(Exception):
    """The stream has ended: ``slow``, ``seat_freed``, ``stopping`` or ``closed``.

    Whoever may still look subscribes again, after the last event they got.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class News:
    """What several may be told, and the bytes it is sent as, made by whoever sends it first."""

    __slots__ = ("frame", "message")

    def __init__(self, message: shown.Update | shown.Presence) -> None:
        self.message = message
        self.frame: bytes | None = None


class Known(msgspec.Struct, frozen=True, eq=False):
    """What somebody was told last: differences are from there. Those who were told the same at
    once have one in common."""

    n: int
    table: shown.Table
    sight: Sight | None


class Subscription:
    """What one seat or spectator gets to see, from ``welcome`` on. Iterate over it once, or have
    all of it handed to ``deliver``."""

    def __init__(
        self, who: Who, seat: int | None, limit: int, forget: Callable[[Subscription], None]
    ) -> None:
        self.who = who
        self.seat = seat
        #: Whether its reader has no need that bots wait.
        self.hurried = False
        self.welcome: shown.Welcome
        self.known: Known
        self._limit = limit
        self._forget = forget
        self._waiting: deque[News] = deque()
        self._deliver: Callable[[News], bool] | None = None
        self._changed = asyncio.Event()
        self._ended: Dropped | None = None

    def look_through(self, seat: int | None) -> None:
        """From the next update on, show what that seat sees, or what all see (None).

        For those who play several seats; raises `TableRefused` for somebody else's.
        """
        if seat is not None and seat not in self.who.seats:
            raise TableRefused(refuse("not_yours").say(self.who.language))
        self.seat = seat
        # Those eyes were shown nothing yet.
        self.known = msgspec.structs.replace(self.known, sight=None)

    def deliver_to(self, deliver: Callable[[News], bool]) -> None:
        """From now on hand everything over as it comes; ``deliver`` says whether there was room."""
        self._deliver = deliver
        while self._waiting and self._ended is None:
            self.offer(self._waiting.popleft())

    def offer(self, item: News) -> bool:
        """Put it in the queue; False if that was one too many and the subscriber is dropped."""
        if self._ended is not None:
            return True
        if self._deliver is not None:
            if not self._deliver(item):
                self.end("slow", "too much was waiting: come back for the rest")
                return False
            return True
        if len(self._waiting) >= self._limit:
            self.end("slow", f"{self._limit} updates were waiting: come back for the rest")
            return False
        self._waiting.append(item)
        self._changed.set()
        return True

    def end(self, code: str, reason: str) -> None:
        """No more updates; those that wait are not delivered either."""
        if self._ended is None:
            self._ended = Dropped(code, reason)
            self._waiting.clear()
            self._changed.set()
            self._forget(self)

    def close(self) -> None:
        """Called by the subscriber, who has seen enough."""
        self.end("closed", "closed by the subscriber")

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> shown.Update | shown.Presence:
        """The next update; raises `Dropped` at the end, or stops if closed by the subscriber."""
        while not self._waiting:
            if self._ended is not None:
                if self._ended.code == "closed":
                    raise StopAsyncIteration
                raise self._ended
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft().message
