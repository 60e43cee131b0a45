"""A table in memory, and what is never kept: who listens, which bot thinks."""

from __future__ import annotations

import asyncio

import msgspec

from archipel.tables import shown
from archipel.tables.keys import Keys
from archipel.tables.presence import Presence
from archipel.tables.showing import show_presence, show_table, show_table_again
from archipel.tables.subscriptions import Known, News, Subscription
from archipel.tables.table import Table
from archipel.tables.telling import Teller


class _LastShown(msgspec.Struct, frozen=True, eq=False):
    """What was told of a table, and how often somebody had come or gone by then."""

    public: shown.Table
    table: Table
    changes: int


class Place:
    """Use it with its lock held, by way of `Hall.at`."""

    def __init__(self, table_id: str, log_page: int) -> None:
        self.id = table_id
        self.log_page = log_page
        self.lock = asyncio.Lock()
        self.users = 0
        self.loaded: Table | None = None
        #: For each request that was accepted, the number of the last event it brought.
        self.answers: dict[str, int] = {}
        self.keys: Keys
        #: Who holds what by them, as far as it was asked for.
        self.roles: tuple[Keys, dict[str, tuple[tuple[int, ...], bool]]] | None = None
        self.secret = b""
        #: The last write may or may not have been made: look before the next one.
        self.uncertain = False
        #: The number of an event that another worker told of.
        self.heard = 0
        #: Since when the clock is right: since the server was last away, once that is allowed for.
        self.clock_right_since: int | None = None
        #: How far its log is ahead of the clock.
        self.ahead = 0
        self.subscriptions: list[Subscription] = []
        self.bots: asyncio.Task[None] | None = None
        #: Something happened here, or somebody came, that a bot which waits may want to know.
        self.stirred = asyncio.Event()
        self.reasons: dict[int, shown.Why] = {}
        self.course: shown.Course | None = None
        self._last_shown: _LastShown | None = None

    def __repr__(self) -> str:  # The secret must not get into a log.
        return f"<place of table {self.id[:4]}>"

    @property
    def table(self) -> Table:
        assert self.loaded is not None
        return self.loaded

    @property
    def is_hurried(self) -> bool:
        """Whether nobody who plays here wants bots to wait, so that they can be followed."""
        players = [each for each in self.subscriptions if each.who.seats]
        return bool(players) and all(each.hurried for each in players)

    def now(self, table: Table) -> None:
        """How the table stands after further events."""
        known = 0 if self.loaded is None else self.loaded.n
        for logged in table.log.after(known):
            if logged.request is not None:
                self.answers[logged.request] = logged.n
        self.loaded = table

    def publish(self, after: int, presence: Presence, now: int) -> int:
        """Tell every subscriber what came after an event, each as they may know it, and no more
        than what is different from what they were told last.

        How many were too slow to be told.
        """
        if not self.subscriptions:
            return 0
        public, alike = self._public(presence, now)
        teller = Teller(self.table, public, after, self.log_page, alike)
        too_slow = 0
        for subscription in self.subscriptions.copy():
            if not teller.tell(subscription):
                too_slow += 1
        return too_slow

    def _public(self, presence: Presence, now: int) -> tuple[shown.Table, shown.Table | None]:
        """What all may know of the table; and what was told of it last, if nothing but who is to
        move is different since, as it mostly is."""
        table, last = self.table, self._last_shown
        public: shown.Table | None = None
        if last is not None and last.changes == presence.changes:
            public = show_table_again(last.public, last.table, table, presence)
        alike = None if public is None or last is None else last.public
        if public is None:
            public = show_table(table, presence, now)
        self._last_shown = _LastShown(public, table, presence.changes)
        return public, alike

    def publish_presence(self, presence: Presence, now: int) -> int:
        item = show_presence(self.table, presence, now)
        news = News(item)
        after: dict[Known, Known] = {}
        dropped = 0
        for subscription in list(self.subscriptions):
            known = subscription.known
            if known not in after:
                table = msgspec.structs.replace(
                    known.table, seats=item.seats, spectators=item.spectators
                )
                after[known] = Known(known.n, table, known.sight)
            subscription.known = after[known]
            dropped += not subscription.offer(news)
        return dropped

    def drop_those_who_lost_their_seat(self) -> None:
        for subscription in list(self.subscriptions):
            who = subscription.who
            if not who.key:
                continue
            has_nothing = not who.seats and not who.host and not self.keys.is_asking(who.key)
            if has_nothing or self.keys.roles(who.key) != (who.seats, who.host):
                subscription.end("seat_freed", "this seat is somebody else's now")
