"""The tables in memory: loaded when needed, and changed only by events that are stored.

The order for every command is: check, append and commit, publish, acknowledge.  A refusal or a
failure of the store changes nothing that anybody can see.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import random
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from archipel.store.clock import Clock
from archipel.store.errors import (
    Conflict,
    InvalidRequest,
    LeaseLost,
    NoSuchTable,
    StoreBusy,
    StoreClosed,
    StoreError,
    TableArchived,
    TableExists,
    Unavailable,
)
from archipel.store.fingerprint import fingerprint
from archipel.store.protocol import Appended, EventStore, Outlook
from archipel.tables.cluster.presence import PresenceTracker
from archipel.tables.decisions import with_consequences
from archipel.tables.decisions.context import Context, Decision, Events, follow
from archipel.tables.decisions.participation import due
from archipel.tables.decisions.playing import planned_at, play_planned
from archipel.tables.keys import Keys, Randomness, hash_of
from archipel.tables.live_table import LiveTable
from archipel.tables.log import events
from archipel.tables.log.events import Entry, UnreadableLog
from archipel.tables.log.fair_chance import SECRET_BYTES
from archipel.tables.log.fold import fold_all, is_nearly_out
from archipel.tables.log.table_state import TableState
from archipel.tables.maintenance import SuspensionDetector
from archipel.tables.overload import Overload
from archipel.tables.problems import STORE_TROUBLE, Refusal, refuse
from archipel.tables.publishing import payloads
from archipel.tables.publishing.views import outlook_of, show_table
from archipel.tables.settings import Settings
from archipel.tables.turns import turn_of

if TYPE_CHECKING:
    from archipel.store.postgresql.cluster import Cluster

log = logging.getLogger("archipel.tables")

Result = TypeVar("Result")

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
PAGE = 1000
#: How many events are folded before other tasks get a turn.
FOLDED_AT_ONCE = 50
#: How often an attempt that another worker overtook is retried, and the growing pause in between.
ATTEMPTS = 20
BACKOFF_SECONDS = 0.005
#: The events that can change the keys or the secret of a table.
CHANGING_KEYS: frozenset[type[events.Event]] = frozenset(
    {
        events.PersonSeated,
        events.SeatFreed,
        events.BotSeated,
        events.SetUpChanged,
        events.SeatAsked,
        events.CloseAsked,
        events.ProposalAnswered,
        events.DrawBegun,
        events.SecretsReplaced,
        events.Ended,
        events.Closed,
    }
)


async def _never() -> int:
    return 0


class TableRegistry:
    """All tables of a store. Every method that refuses raises `Refusal`."""

    def __init__(
        self,
        store: EventStore,
        clock: Clock,
        randomness: Randomness,
        settings: Settings,
        bots_of: Callable[[str], tuple[str, ...]],
        *,
        watchful: bool = False,
        cluster: Cluster | None = None,
    ) -> None:
        self.store = store
        #: The other workers on the same store; None if this process is the only one.
        self.cluster = cluster
        #: The tables whose bots and clocks this worker runs, where there is a cluster.
        self.leased: set[str] = set()
        self.clock = clock
        self.randomness = randomness
        self.settings = settings
        self.bots_of = cache(bots_of)
        self.live_tables: OrderedDict[str, LiveTable] = OrderedDict()
        self.presence: dict[str, PresenceTracker] = {}
        #: When the clock of a table runs out, including tables that are not in memory.
        self.deadlines: dict[str, int] = {}
        #: `LiveTable.clock_right_since`, including tables that are not in memory.
        self._clocks_right: dict[str, int] = {}
        self.started_at = clock()
        self.suspension = SuspensionDetector(clock, settings.gap if watchful else None)
        self.stopping = False
        #: Why this process cannot go on, such as the end of a task that never ends; usually empty.
        self.failure = ""
        self.counts = dict.fromkeys(
            ("accepted", "refused", "failed", "bot_failures", "dropped", "archived"), 0
        )
        #: Called when a bot is to move.
        self.wake_bots: Callable[[LiveTable], None] = lambda live: None
        #: Called with the origin when a table that plays its deal is over or closed.
        self.deal_done: Callable[[str], None] = lambda table_id: None
        #: Hooks of a cluster: a table needs a lease; presence changed here; fetch it from others.
        self.want_lease: Callable[[str], None] = lambda table_id: None
        self.announce_presence: Callable[[str], None] = lambda table_id: None
        self.fetch_presence: Callable[[str], Awaitable[None]] = lambda table_id: asyncio.sleep(0)
        #: Until when the holder of a seat at a table is on vacation; 0: never.
        self.vacation_of: Callable[[str, str], Awaitable[int]] = lambda table_id, holder: _never()
        self._tasks: set[asyncio.Task[Any]] = set()
        #: How many commands of patient callers are in progress; the event is set when none is.
        self._in_progress = 0
        self.overload = Overload(settings, lambda: self._in_progress + len(self._tasks))
        self._none_in_progress = asyncio.Event()

    # ---- tables in memory -----------------------------------------------------------------------

    @asynccontextmanager
    async def lock(self, table_id: str, *, fresh: bool = False) -> AsyncIterator[LiveTable]:
        """Lock and load a table; ``fresh``: also read what other workers appended just now."""
        live = self.live_tables.get(table_id)
        if live is None:
            if not _TABLE_ID.fullmatch(table_id):
                raise refuse("no_table")
            live = self.live_tables[table_id] = LiveTable(table_id, self.settings.log_page)
        self.live_tables.move_to_end(table_id)
        live.used_at = self.clock()
        live.users += 1
        try:
            async with live.lock:
                await self._make_current(live, fresh)
                yield live
        finally:
            live.users -= 1
            if live.loaded is None and not live.users:
                self.live_tables.pop(live.id, None)
            self.evict()

    async def _make_current(self, live: LiveTable, fresh: bool) -> None:
        self.suspension.check()
        is_behind = live.loaded is None or live.uncertain or live.announced_n > live.loaded.n
        if is_behind or (fresh and self.cluster is not None):
            await self._catch_up(live)
        elif self.cluster is None and live.clock_right_since != self.suspension.awake_since:
            await self._allow_for_suspension(live)

    async def _catch_up(self, live: LiveTable) -> None:
        """Read the events that the store has beyond the loaded ones, and publish them."""
        first_time = live.loaded is None
        known = 0 if live.loaded is None else live.loaded.n
        # A doubt that arises during the read is not settled by it.
        doubted, live.uncertain = live.uncertain, False
        try:
            entries, table = await self._read_on(live, known)
            doubted = False
        finally:
            live.uncertain = live.uncertain or doubted
        live.advance(table)
        if first_time:
            live.ahead = max(0, table.at - self.clock())
            await self.fetch_presence(live.id)
        elif entries:
            self._publish(live, [entry.event for entry in entries], known)
        if self.cluster is None:
            await self._allow_for_suspension(live)
        self.schedule(live)

    async def _read_on(self, live: LiveTable, known: int) -> tuple[list[Entry], TableState]:
        """The entries after event ``known`` and the table after them; reads the keys if needed."""
        try:
            entries: list[Entry] = []
            while page := await self.store.read(live.id, known + len(entries), PAGE):
                entries += [events.decode(event.n, event.body) for event in page]
                if len(page) < PAGE:
                    break
            if live.loaded is None and not entries:
                raise refuse("no_table")
            # Folds a long log in pieces, so that other tasks get their turn.
            table = fold_all(entries[:FOLDED_AT_ONCE], live.loaded)
            for at in range(FOLDED_AT_ONCE, len(entries), FOLDED_AT_ONCE):
                await asyncio.sleep(0)
                table = fold_all(entries[at : at + FOLDED_AT_ONCE], table)
            if live.loaded is None or any(type(entry.event) in CHANGING_KEYS for entry in entries):
                await self._read_keys(live, table)
        except NoSuchTable as error:
            raise refuse("no_table") from error
        except UnreadableLog as error:
            log.warning("table %s cannot be read: %s", fingerprint(live.id), error)
            raise refuse("unreadable", why=error) from error
        except (Unavailable, InvalidRequest) as error:
            raise refuse("unavailable") from error
        return entries, table

    async def _read_keys(self, live: LiveTable, table: TableState) -> None:
        secret = await self.store.get_private(live.id, "secret")
        keys = await self.store.get_private(live.id, "keys")
        if keys is None or (secret is None and table.commitment):
            raise UnreadableLog("its private data is missing")
        live.secret, live.keys = secret or b"", msgspec.json.decode(keys, type=Keys)

    async def retry_if_overtaken(
        self, live: LiveTable, attempt: Callable[[], Awaitable[Result]]
    ) -> Result:
        """Run an attempt, again if it was refused because other workers appended events meanwhile.

        The pauses are jittered, so that competing workers do not stay in step.
        """
        if self.cluster is None:
            return await attempt()
        for attempts in range(ATTEMPTS):
            if attempts:
                await asyncio.sleep(random.uniform(0, attempts * BACKOFF_SECONDS))
            known = live.table.n
            try:
                return await attempt()
            except Refusal as refusal:
                if refusal.code == "stopping" or refusal.code in STORE_TROUBLE:
                    raise
                await self._catch_up(live)
                if live.table.n == known:
                    raise
        raise refuse("stale")

    def evict(self) -> None:
        """Drop the least recently used tables that need not be in memory."""
        surplus = len(self.live_tables) - self.settings.tables_in_memory
        if surplus > 0:
            unneeded = (live.id for live in self.live_tables.values() if not self.is_needed(live))
            for table_id in list(islice(unneeded, surplus)):
                del self.live_tables[table_id]
                self.presence.pop(table_id, None)

    def evict_unused(self) -> None:
        """Drop tables that nobody has used for some time, and beyond the memory for them the least
        recently used."""
        now, room = self.clock(), self.settings.memory
        for live in reversed(list(self.live_tables.values())):
            if self.is_needed(live):
                continue
            room -= live.size
            if room < 0 or not 0 <= now - live.used_at < self.settings.unused:
                del self.live_tables[live.id]
                self.presence.pop(live.id, None)

    def is_needed(self, live: LiveTable) -> bool:
        presence, table = self.presence.get(live.id), live.loaded
        if live.users or live.subscriptions or live.bots or (presence and presence.connections):
            return True
        return table is not None and table.clock.kind == "live" and table.clock_runs_for is not None

    # ---- clocks across gaps ---------------------------------------------------------------------

    async def _allow_for_suspension(self, live: LiveTable) -> None:
        """Stop live clocks for the time in which this server was down or suspended.

        A clock by days runs on, but not to its end.
        """
        awake_since, table = self.suspension.awake_since, live.table
        known = live.clock_right_since
        if known is None:
            known = self._clocks_right.get(live.id)
        was_before = table.at < awake_since + live.ahead or (live.ahead and known is None)
        if known != awake_since and table.clock_runs_for is not None and was_before:
            spent = 0
            if known is not None and self.suspension.away_from is not None:
                spent = max(0, self.suspension.away_from + live.ahead - table.at)
            await self._restart_clock(live, spent)
        live.clock_right_since = awake_since
        if live.table.clock_runs_for is not None:
            self._clocks_right[live.id] = awake_since

    async def allow_for_gap(self, live: LiveTable, leased_until: int | None) -> None:
        """Stop clocks likewise in a cluster in which no worker held the lease since a time."""
        table = live.table
        since = max(table.at, 0 if leased_until is None else leased_until + live.ahead)
        if table.clock_runs_for is None or self.now_at(live) - since <= self.settings.gap:
            return
        await self._restart_clock(live, since - table.at, with_lease=True)

    async def _restart_clock(self, live: LiveTable, spent: int, with_lease: bool = False) -> None:
        now = self.now_at(live)
        if live.table.clock.kind == "live" or is_nearly_out(live.table, now):
            restarted = self.follow(live, [events.ClocksRestarted(spent)])
            await self.commit(live, restarted, with_lease=with_lease)

    # ---- writing --------------------------------------------------------------------------------

    async def create(
        self,
        decision: Decision,
        keys: Keys,
        context: Context,
        response: Mapping[str, bytes] | None = None,
    ) -> None:
        """Store a new table, or nothing of it; ``response`` is stored with it.

        Raises `TableExists`.
        """
        table, table_id = decision.after, decision.after.id
        # For tools that inspect a store.
        header = msgspec.json.encode({"game": table.game, "public": table.created.public})
        bodies = [events.encode(entry) for entry in decision.entries]
        private = {"keys": msgspec.json.encode(keys)}
        if table.commitment:
            private["secret"] = context.secret
        try:
            await self.store.create_table(table_id, header, private=private)
            await self.store.append(
                table_id, 0, bodies, private=response, outlook=self.outlook(table, None, keys)
            )
        except TableExists:
            raise
        except StoreError as error:
            self.counts["failed"] += 1
            log.warning("a new table was not stored: %s", error)
            await self.delete(table_id)
            raise refuse("unavailable") from error
        self.counts["accepted"] += 1
        async with self.lock(table_id):
            pass  # loading it starts its bots and its clock

    async def delete(self, table_id: str) -> None:
        """Delete a table that nobody knows of yet."""
        self.live_tables.pop(table_id, None)
        with suppress(StoreError):
            await self.store.delete(table_id)

    def follow(self, live: LiveTable, decided: Events, request: str | None = None) -> Decision:
        """Exactly these events, as of now."""
        return follow(live.table, decided, max(self.now_at(live), live.table.at), request)

    async def commit(
        self,
        live: LiveTable,
        decision: Decision,
        *,
        token: str | None = None,
        secret: bytes = b"",
        response: Mapping[str, bytes] | None = None,
        with_lease: bool = False,
    ) -> int:
        """Append the entries of a decision about ``live.table``, then publish them.

        ``token`` is that of the person who sits down, ``secret`` the one that a draw fixes,
        ``response`` is stored with the events.  ``with_lease``: only while this worker holds the
        lease of the table.  Returns the number of the last event.
        """
        entries, after = decision
        decided = [entry.event for entry in entries]
        before, keys, fixed = live.table.n, live.keys, False
        private = dict(response) if response else {}
        if not CHANGING_KEYS.isdisjoint(map(type, decided)):
            keys = keys.after(decided, None if token is None else hash_of(token))
            if keys != live.keys:
                private["keys"] = msgspec.json.encode(keys)
            fixed = any(isinstance(event, events.DrawBegun) for event in decided)
            if fixed:
                private["secret"] = secret
        try:
            outlook = self.outlook(after, live.loaded, keys)
            appended = await self._append(live.id, before, decision, private, outlook, with_lease)
        except BaseException as error:
            live.uncertain = True
            if isinstance(error, Unavailable):
                self.counts["failed"] += 1
                log.warning("table %s: an event was not stored: %s", fingerprint(live.id), error)
                certain = isinstance(error, StoreBusy | StoreClosed)
                raise refuse("not_stored" if certain else "unknown") from error
            if isinstance(error, LeaseLost):
                self.leased.discard(live.id)
            if isinstance(error, Conflict | LeaseLost):
                raise refuse("stale") from error
            raise
        if appended.repeated:  # another worker stored the same request before
            await self._catch_up(live)
            if self.cluster is not None:
                raise refuse("stale")  # the retry finds the stored answer
            return appended.last_n
        live.advance(after)
        live.keys = keys
        if fixed:
            live.secret = secret
        self.counts["accepted"] += 1
        self._publish(live, decided, before)
        self.schedule(live)
        if after.origin and any(isinstance(e, events.Ended | events.Closed) for e in decided):
            self.deal_done(after.origin)
        return after.n

    async def _append(
        self,
        table_id: str,
        before: int,
        decision: Decision,
        private: Mapping[str, bytes],
        outlook: Outlook,
        with_lease: bool,
    ) -> Appended:
        bodies = [events.encode(entry) for entry in decision.entries]
        if with_lease and self.cluster is not None:
            return await self.cluster.append(
                table_id, before, bodies, private=private, outlook=outlook
            )
        request, append = decision.entries[-1].request, self.store.append
        given: dict[str, Any] = {"private": private or None, "outlook": outlook}
        try:
            return await append(table_id, before, bodies, request, **given)
        except TableArchived:
            await self.store.unarchive(table_id)
            return await append(table_id, before, bodies, request, **given)

    def outlook(self, table: TableState, before: TableState | None, keys: Keys) -> Outlook:
        """The outlook of a table after events; ``before`` is the table before them."""
        outlook = outlook_of(table)
        if table.clock.kind != "days":
            return outlook
        turn = turn_of(table, before, keys, self.settings.notice_delay)
        return dataclasses.replace(outlook, turn=turn)

    def _publish(self, live: LiveTable, decided: Sequence[events.Event], after: int) -> None:
        """Publish the events after number ``after``; drops subscribers who lost their seat."""
        now = self.clock()
        presence = self.presence_of(live.id)
        if not CHANGING_KEYS.isdisjoint(map(type, decided)):
            for event in decided:
                if isinstance(event, events.SeatFreed | events.BotSeated | events.PersonSeated):
                    presence.change_holder(event.seat, now)
                    self.announce_presence(live.id)
            live.drop_those_who_lost_their_seat()
        self.counts["dropped"] += live.publish(after, presence, now + live.ahead)
        live.activity.set()

    def schedule(self, live: LiveTable) -> None:
        """Set the deadline of the clock and wake the bots for the current position."""
        table = live.table
        due_at = table.draw.at + self.settings.draw if table.draw else table.flag_at
        planned = planned_at(table, self.settings)
        if due_at is not None and planned is not None:
            due_at = min(due_at, planned)
        waits = table.bot_to_move is not None and table.n < self.settings.events
        if not self.holds_lease(live):
            if waits or due_at is not None:
                self.want_lease(live.id)
            due_at, waits = None, False
        if due_at is None:
            self.deadlines.pop(live.id, None)
            self._clocks_right.pop(live.id, None)
        else:
            self.deadlines[live.id] = due_at - live.ahead
        if live.bots is None and waits and not self.stopping:
            self.wake_bots(live)

    def holds_lease(self, live: LiveTable) -> bool:
        """Whether this worker runs the bots and the clock of a table."""
        return self.cluster is None or live.id in self.leased

    async def apply_due_events(self, live: LiveTable) -> None:
        """Append what the time demands: a bot for a seat whose time has run out, a planned move."""
        if live.table.flag_at is None and live.table.draw is None:
            return
        if not self.holds_lease(live):
            return
        await self._allow_for_vacation(live)
        context = self.context(live)
        decided = due(live.table, context) or play_planned(live.table, context)
        if decided:
            decision = with_consequences(live.table, decided, context)
            await self.commit(live, decision, with_lease=True)

    async def _allow_for_vacation(self, live: LiveTable) -> None:
        """Stop a clock by days that has run out for the vacation of its person."""
        table = live.table
        seat, flag_at = table.clock_runs_for, table.flag_at
        if table.clock.kind == "days" and seat is not None and flag_at is not None:
            holder = live.keys.seats[seat]
            if holder is not None and flag_at <= self.now_at(live):
                until = await self.vacation_of(live.id, holder)
                if until > max(table.seats[seat].vacation, table.at):
                    taken = self.follow(live, [events.VacationTaken(seat, until)])
                    await self.commit(live, taken, with_lease=True)

    async def run_to_completion(
        self, work: Coroutine[Any, Any, Result], *, patient: bool = False
    ) -> Result:
        """Run to completion even if the caller is cancelled; ``patient`` callers never are."""
        if self.stopping:
            work.close()
            raise refuse("stopping")
        if patient:
            self._in_progress += 1
            try:
                return await work
            finally:
                self._in_progress -= 1
                if not self._in_progress:
                    self._none_in_progress.set()
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._note_end)
        return await asyncio.shield(task)

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Run in the background; a failure is logged."""
        if self.stopping:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._note_end)

    def _note_end(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        # If the caller was cancelled, nobody else hears of it. A refusal is an ordinary outcome.
        if isinstance(error, Exception) and not isinstance(error, Refusal | TableExists):
            log.debug("work at a table failed", exc_info=error)

    def supervise(self, task: asyncio.Task[None], name: str) -> None:
        """Note as a `failure` if a task ends that has to run as long as the process."""

        def note_end(ended: asyncio.Task[None]) -> None:
            if not ended.cancelled():
                self.failure = f"{name} ended"
                log.critical(self.failure, exc_info=ended.exception())

        task.add_done_callback(note_end)

    async def all_finished(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while self._in_progress:
            self._none_in_progress.clear()
            await self._none_in_progress.wait()

    # ---- context and presence -------------------------------------------------------------------

    def context(self, live: LiveTable, request: str | None = None) -> Context:
        table = live.table
        away = self.presence_of(live.id).away_since(table)
        return Context(
            now=max(self.now_at(live), table.at),
            secret=live.secret if table.commitment else self.randomness(SECRET_BYTES),
            bots=self.bots_of(table.game),
            away_since={seat: at + live.ahead for seat, at in away.items()} if away else {},
            settings=self.settings,
            request=request,
        )

    def context_of_new_table(self, game: str) -> Context:
        secret = self.randomness(SECRET_BYTES)
        return Context(self.clock(), secret, self.bots_of(game), settings=self.settings)

    def now_at(self, live: LiveTable) -> int:
        """The time of a table: the clock, or later if its log is ahead of a corrected clock."""
        return self.clock() + live.ahead

    def show(self, table: TableState) -> payloads.Table:
        now = self.now_at(self.live_tables[table.id])
        return show_table(table, self.presence_of(table.id), now)

    def presence_of(self, table_id: str) -> PresenceTracker:
        presence = self.presence.get(table_id)
        if presence is None:
            live = self.live_tables.get(table_id)
            last = 0
            if live is not None and live.loaded is not None:
                last = live.table.at - live.ahead
            presence = self.presence[table_id] = PresenceTracker(max(self.started_at, last))
        return presence

    def publish_presence(self, table_id: str) -> None:
        live = self.live_tables.get(table_id)
        if live is not None and live.loaded is not None:
            presence = self.presence_of(table_id)
            self.counts["dropped"] += live.publish_presence(presence, self.now_at(live))
