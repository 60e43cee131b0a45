"""Sends what happened at a table to its subscribers: to each the differences since the last update.

Differences are computed once and shared between subscribers with equal views and equal bases.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any, Protocol, TypeVar

from msgspec import UNSET, Struct, UnsetType, structs

from archipel.rules.scene import Scene
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import TableRefused, refuse
from archipel.tables.publishing import payloads
from archipel.tables.publishing.views import (
    PositionViews,
    forgotten_since,
    has_to_forget,
    is_same_for_all,
    show_page,
)

# ---- subscriptions ------------------------------------------------------------------------------


class SubscriptionEnded(Exception):
    """The stream has ended: ``slow``, ``seat_freed``, ``stopping``, ``deleted`` or ``closed``.

    Subscribers who still have access subscribe again, from the last event they got.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class SharedMessage:
    """A message for several subscribers, encoded once: the first sender sets ``frame``."""

    __slots__ = ("frame", "message")

    def __init__(self, message: payloads.Update | payloads.Presence) -> None:
        self.message = message
        self.frame: bytes | None = None


class LastSent(Struct, frozen=True, eq=False):
    """The last state sent to a subscriber: the base of the next difference. Equal by identity;
    subscribers in the same state share one."""

    n: int
    table: payloads.Table
    position: payloads.Position | None


class Subscription:
    """The stream of updates to one seat or spectator, starting with ``welcome``.

    Iterate over it, or have everything handed to a function (`deliver_to`).  A slow subscriber is
    dropped and delays nobody.
    """

    def __init__(
        self,
        who: Participant,
        seat: int | None,
        limit: int,
        forget: Callable[[Subscription], None],
        *,
        hurried: bool = False,
    ) -> None:
        self.who = who
        self.seat = seat
        #: Whether bots need not slow down for this subscriber.
        self.hurried = hurried
        self.welcome: payloads.Welcome
        self.sent: LastSent
        self._limit = limit
        self._forget = forget
        self._waiting: deque[SharedMessage] = deque()
        self._deliver: Callable[[SharedMessage], bool] | None = None
        self._changed = asyncio.Event()
        self._ended: SubscriptionEnded | None = None

    def look_through(self, seat: int | None) -> None:
        """From the next update on, show what that seat sees, or what all see (None).

        Raises `TableRefused` for a seat that is not theirs.
        """
        if seat is not None and seat not in self.who.seats:
            raise TableRefused(refuse("not_yours").say(self.who.language))
        self.seat = seat
        # The next update holds the whole position.
        self.sent = structs.replace(self.sent, position=None)

    def deliver_to(self, deliver: Callable[[SharedMessage], bool]) -> None:
        """Hand over every message as it comes; ``deliver`` returns False if the buffer is full."""
        self._deliver = deliver
        while self._waiting and self._ended is None:
            self.offer(self._waiting.popleft())

    def offer(self, item: SharedMessage) -> bool:
        """Deliver or queue a message; False if the subscriber was too slow and is dropped."""
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
        """End the stream; queued messages are discarded."""
        if self._ended is None:
            self._ended = SubscriptionEnded(code, reason)
            self._waiting.clear()
            self._changed.set()
            self._forget(self)

    def close(self) -> None:
        """End the stream, called by the subscriber."""
        self.end("closed", "closed by the subscriber")

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> payloads.Update | payloads.Presence:
        """The next message; raises `SubscriptionEnded`, or stops if the subscriber closed it."""
        while not self._waiting:
            if self._ended is not None:
                if self._ended.code == "closed":
                    raise StopAsyncIteration
                raise self._ended
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft().message


# ---- publishing ---------------------------------------------------------------------------------


class _Update(Struct, frozen=True, eq=False):
    """The new log lines for observers with equal views, and their state once it is sent.
    ``whole``: the log is sent anew."""

    sent: LastSent
    page: payloads.LogSlice
    whole: bool


class Publisher:
    """Publishes the events of a table after number ``after``."""

    def __init__(
        self, table: TableState, public: payloads.Table, after: int, log_page: int
    ) -> None:
        self._table = table
        self._public = public
        self._after = after
        self._log_page = log_page
        self._views = PositionViews(table)
        self._forgotten = forgotten_since(table, after)
        #: The new log lines, if all observers get equal ones.
        self._common_page: payloads.LogSlice | None = None
        self._by_seat: dict[int | None, _Update] = {}
        #: By the identity of the position, for observers with the common log lines.
        self._by_position: dict[int, _Update] = {}
        self._differences = Differences()
        #: The table payload that a subscriber was sent last, and the change since.
        self._known_table: payloads.Table = public
        self._known_change: payloads.TableChange | UnsetType = UNSET
        self._messages: dict[Hashable, SharedMessage] = {}

    def send(self, subscription: Subscription) -> bool:
        """Send a subscriber their differences; False if they were too slow."""
        seat, sent = subscription.seat, subscription.sent
        update = self._by_seat.get(seat)
        if update is None:
            update = self._by_seat[seat] = self._update_for(seat)
        # A whole position names its seat, so it is shared with fewer.
        key = (sent, update, seat) if sent.position is None else (sent, update)
        message = self._messages.get(key)
        if message is None:
            message = self._messages[key] = SharedMessage(self._message(sent, update, seat))
        subscription.sent = update.sent
        return subscription.offer(message)

    def _update_for(self, seat: int | None) -> _Update:
        whole = self._forgotten is not None and has_to_forget(self._table, self._forgotten, seat)
        page = None if whole else self._common_page
        if page is None:
            after = 0 if whole else self._after
            page = show_page(self._table, seat, after=after, limit=self._log_page)
            if not whole and is_same_for_all(self._table, after):
                self._common_page = page
        position = self._views.view(seat)
        update = self._by_position.get(id(position)) if page is self._common_page else None
        if update is None:
            update = _Update(LastSent(self._table.n, self._public, position), page, whole)
            if page is self._common_page:
                self._by_position[id(position)] = update
        return update

    def _message(self, sent: LastSent, update: _Update, seat: int | None) -> payloads.Update:
        position: payloads.Position | UnsetType = UNSET
        change: payloads.PositionChange | UnsetType = UNSET
        now = update.sent.position
        if now is not None:
            if sent.position is None:
                position = structs.replace(now, seat=seat)
            else:
                change = self._differences.position(sent.position, now)
        return payloads.Update(
            self._table.n,
            sent.n,
            update.page.log,
            update.page.log_from,
            self._table_change(sent.table),
            position,
            change,
            update.whole,
        )

    def _table_change(self, known: payloads.Table) -> payloads.TableChange | UnsetType:
        if known is not self._known_table:
            self._known_table, self._known_change = known, table_change(known, self._public)
        return self._known_change


# ---- differences --------------------------------------------------------------------------------


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_Identified)
T = TypeVar("T")
R = TypeVar("R")


class Differences:
    """Differences between positions; those of shared pieces and gauges are computed once."""

    def __init__(self) -> None:
        #: By the identities of two values; the values are kept alive, so that these stay unique.
        self._known: dict[tuple[int, int], tuple[Any, object, object]] = {}

    def position(
        self, known: payloads.Position, now: payloads.Position
    ) -> payloads.PositionChange | UnsetType:
        asked_by = now.take_back_asked_by
        different = (
            UNSET if known.to_move == now.to_move else now.to_move,
            UNSET if known.question == now.question else now.question,
            UNSET if known.scene is now.scene else self._scene(known.scene, now.scene),
            UNSET if known.result == now.result else now.result,
            UNSET if known.may_take_back is now.may_take_back else now.may_take_back,
            UNSET if known.take_back_asked_by == asked_by else asked_by,
        )
        return UNSET if different == _SAME_POSITION else payloads.PositionChange(*different)

    def _scene(self, before: Scene, after: Scene) -> payloads.SceneChange | UnsetType:
        pieces = self._once(list_change, before.pieces, after.pieces)
        cells = None if before.cells is after.cells else list_change(before.cells, after.cells)
        different = (
            payloads.CellChange(*cells) if cells and (cells[0] or cells[1]) else UNSET,
            payloads.PieceChange(*pieces) if pieces[0] or pieces[1] else UNSET,
            *self._once(_gauges_change, before.gauges, after.gauges),
            UNSET if before.choices == after.choices else after.choices,
            UNSET if before.paths == after.paths else after.paths,
        )
        return UNSET if different == _SAME_SCENE else payloads.SceneChange(*different)

    def _once(self, difference: Callable[[T, T], R], before: T, after: T) -> R:
        both = (id(before), id(after))
        known = self._known.get(both)
        if known is None:
            known = self._known[both] = difference(before, after), before, after
        found: R = known[0]
        return found


_TABLE_FIELDS = payloads.TableChange.__struct_fields__
_values = attrgetter(*_TABLE_FIELDS)
_SAME_POSITION = (UNSET,) * len(payloads.PositionChange.__struct_fields__)
_SAME_SCENE = (UNSET,) * len(payloads.SceneChange.__struct_fields__)


def table_change(known: payloads.Table, now: payloads.Table) -> payloads.TableChange | UnsetType:
    different = {
        name: value
        for name, old, value in zip(_TABLE_FIELDS, _values(known), _values(now), strict=True)
        if value is not old and value != old
    }
    return payloads.TableChange(**different) if different else UNSET


def _gauges_change(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[dict[str, Any] | UnsetType, list[str] | UnsetType]:
    """The gauges with new values, and the names of removed ones."""
    new = {
        name: value for name, value in after.items() if name not in before or before[name] != value
    }
    gone = [name for name in before if name not in after]
    return new or UNSET, gone or UNSET


def list_change(
    before: Sequence[Item], after: Sequence[Item]
) -> tuple[list[str], list[tuple[int, Item]]]:
    """Removed ids, then (index, item) insertions; a changed item counts as an insertion."""
    if before is after:
        return [], []
    if len(before) == len(after):
        # Almost all items are identical: find the others without a Python step for each.
        others = list(compress(count(), map(is_not, before, after)))
        for at in others:
            if before[at].id != after[at].id:
                break
        else:
            return [], [(at, after[at]) for at in others if before[at] != after[at]]
    # Items that are identical at the beginning and at the end stay; compare the others.
    fewest = min(len(before), len(after))
    first = next(compress(count(), map(is_not, before, after)), fewest)
    ends = compress(count(), map(is_not, reversed(before), reversed(after)))
    last = min(fewest - first, next(ends, fewest))
    old_ones = before[first : len(before) - last]
    known = {item.id: item for item in old_ones}
    put: list[tuple[int, Item]] = []
    kept: list[str] = []
    for at, item in enumerate(after[first : len(after) - last], first):
        old = known.pop(item.id, None)
        if old is item or old == item:
            kept.append(item.id)
        else:
            put.append((at, item))
    staying = set(kept)
    if [item.id for item in old_ones if item.id in staying] != kept:
        put = list(enumerate(after))  # the order changed: send all of them
    return list(known), put
