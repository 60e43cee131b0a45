"""A table in memory, with its subscribers, bot task and caches, which are not in its log."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from archipel.store.fingerprint import fingerprint
from archipel.tables.cluster.presence import PresenceTracker
from archipel.tables.keys import Keys, roles
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import refuse
from archipel.tables.publishing import payloads
from archipel.tables.publishing.publisher import LastSent, Publisher, SharedMessage, Subscription
from archipel.tables.publishing.views import show_presence, show_table, show_table_again

#: Bytes of a table without events, and of an event without its position.
_EMPTY_SIZE, _EVENT_SIZE = 20_000, 2_600


class LiveTable:
    """Use it while holding its lock (`TableRegistry.lock`)."""

    def __init__(self, table_id: str, log_page: int) -> None:
        self.id = table_id
        self.log_page = log_page
        self.lock = asyncio.Lock()
        self.users = 0
        #: When it was locked last, or its last connection left.
        self.used_at = 0
        self.loaded: TableState | None = None
        #: The number of the last event of each accepted request.
        self.answers: dict[str, int] = {}
        self.keys: Keys
        self.secret = b""
        #: A write failed and may or may not be stored: read the log before the next write.
        self.uncertain = False
        #: The newest event number that another worker has announced.
        self.announced_n = 0
        #: When the server last became available, once the clock has been corrected for the gap.
        self.clock_right_since: int | None = None
        #: How far the log is ahead of the clock (milliseconds).
        self.ahead = 0
        self.subscriptions: list[Subscription] = []
        self.bots: asyncio.Task[None] | None = None
        #: Set when an event or a subscriber arrives; wakes a bot that holds its move back.
        self.activity = asyncio.Event()
        self.reasons: dict[tuple[int, int | None], payloads.Why] = {}
        self.course: payloads.Course | None = None
        #: The record of the finished game, and the table that it is of.
        self.record: tuple[TableState, str] | None = None
        #: The payload that was published last, of which table, and the presence changes by then.
        self._published: tuple[payloads.Table, TableState, int] | None = None

    def __repr__(self) -> str:  # Keeps the secret out of logs.
        return f"<live table {fingerprint(self.id)}>"

    @property
    def table(self) -> TableState:
        assert self.loaded is not None
        return self.loaded

    @property
    def is_hurried(self) -> bool:
        """Whether no player here wants bots to slow down."""
        players = [each for each in self.subscriptions if each.who.seats]
        return bool(players) and all(each.hurried for each in players)

    @property
    def size(self) -> int:
        """An estimate of its bytes in memory: mostly a packed position per event."""
        table = self.loaded
        if table is None:
            return _EMPTY_SIZE
        position = 0 if table.packed is None else table.packed.size
        return _EMPTY_SIZE + table.n * (_EVENT_SIZE + position)

    def advance(self, table: TableState) -> None:
        """Replace the table by its state after further events."""
        known = 0 if self.loaded is None else self.loaded.n
        for logged in table.log.after(known):
            if logged.request is not None:
                self.answers[logged.request] = logged.n
        self.loaded = table

    def identify(self, who: Participant) -> Participant:
        """The participant with the seats they hold now; refused if the token opens nothing."""
        if not who.key:
            return who
        seats, host = roles(self.keys, who.key)
        if not seats and not host and not self.keys.is_asking(who.key):
            raise refuse("not_seated")
        if who.seats == seats and who.host == host:
            return who
        return Participant(who.table, seats, host, who.language, who.key)

    # ---- publishing -----------------------------------------------------------------------------

    def publish(self, after: int, presence: PresenceTracker, now: int) -> int:
        """Send every subscriber the differences since event ``after``, as they may see them.

        Returns how many were dropped because they were too slow.
        """
        if not self.subscriptions:
            return 0
        table, last, public = self.table, self._published, None
        if last is not None and last[2] == presence.changes:
            public = show_table_again(last[0], last[1], table, presence)
        if public is None:
            public = show_table(table, presence, now)
        self._published = (public, table, presence.changes)
        publisher = Publisher(table, public, after, self.log_page)
        return sum(not publisher.send(each) for each in self.subscriptions.copy())

    def publish_presence(self, presence: PresenceTracker, now: int) -> int:
        """Send who is present; returns how many subscribers were dropped."""
        item = show_presence(self.table, presence, now)
        message = SharedMessage(item)
        after: dict[LastSent, LastSent] = {}
        for subscription in self.subscriptions:
            sent = subscription.sent
            if sent not in after:
                table = replace(sent.table, seats=item.seats, spectators=item.spectators)
                after[sent] = replace(sent, table=table)
            subscription.sent = after[sent]
        return sum(not each.offer(message) for each in self.subscriptions.copy())

    def drop_those_who_lost_their_seat(self) -> None:
        for subscription in list(self.subscriptions):
            who = subscription.who
            if not who.key:
                continue
            has_nothing = not who.seats and not who.host and not self.keys.is_asking(who.key)
            if has_nothing or roles(self.keys, who.key) != (who.seats, who.host):
                subscription.end("seat_freed", "this seat is somebody else's now")
