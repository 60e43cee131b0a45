"""The tables in memory: loaded when needed, changed only by what the store has kept.

For every command the order is: check, append and commit, publish, acknowledge.  A refusal or a
failure of the store changes nothing that anybody can see.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from archipel.store import (
    Conflict,
    EventStore,
    InvalidRequest,
    NoSuchTable,
    NotKept,
    Outlook,
    Standing,
    StoreError,
    TableArchived,
    TableExists,
    Unavailable,
)
from archipel.store.clock import Clock
from archipel.store.postgresql.company import Company
from archipel.tables import events, shown
from archipel.tables.decisions import Decided, Moment, with_consequences
from archipel.tables.decisions.staying import due
from archipel.tables.events import Entry, UnreadableLog
from archipel.tables.fair_chance import SECRET_BYTES
from archipel.tables.fold import fold_all, is_nearly_out
from archipel.tables.keys import Keys, Randomness, decode_keys, hash_of
from archipel.tables.outlook import outlook_of
from archipel.tables.place import Place
from archipel.tables.presence import Presence
from archipel.tables.problems import Refusal, TableRefused, refuse
from archipel.tables.settings import Settings
from archipel.tables.showing import show_table
from archipel.tables.table import Table, Who, made
from archipel.tables.visit import Visit
from archipel.tables.watch import Watch

log = logging.getLogger("archipel.tables")

Result = TypeVar("Result")

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
PAGE = 1000
FOLDED_AT_ONCE = 50
#: How often something is tried that others came before, and how much longer one waits each time.
ATTEMPTS = 20
PATIENCE_SECONDS = 0.005
#: After these the keys or the secret of a table may be others.
CHANGING_KEYS: frozenset[type[events.Event]] = frozenset(
    {
        events.Seated,
        events.SeatFreed,
        events.BotSeated,
        events.SeatAsked,
        events.CloseAsked,
        events.ProposalAnswered,
        events.DrawBegun,
        events.Ended,
        events.Closed,
    }
)


class Header(msgspec.Struct, frozen=True):
    """What a table was made as, kept beside its log for whoever looks into a store."""

    game: str
    public: bool


class _UnderWay:
    """What is being worked on, and when that is nothing."""

    def __init__(self) -> None:
        self.count = 0
        self.none = asyncio.Event()

    def __enter__(self) -> None:
        self.count += 1

    def __exit__(self, *why: object) -> None:
        self.count -= 1
        if not self.count:
            self.none.set()


class Hall:
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
        company: Company | None = None,
    ) -> None:
        self.store = store
        #: The other workers on the same store, where there may be some.
        self.company = company
        #: The tables whose bots and clocks we look after, where others could.
        self.kept: set[str] = set()
        self.clock = clock
        self.randomness = randomness
        self.settings = settings
        self.bots_of = bots_of
        self.places: OrderedDict[str, Place] = OrderedDict()
        self.presence: dict[str, Presence] = {}
        #: When the clock of a table runs out, also of tables that are not in memory.
        self.deadlines: dict[str, int] = {}
        #: Since when the running clocks of tables are right, also of those not in memory.
        self._clocks_right: dict[str, int] = {}
        self.started_at = clock()
        self.watch = Watch(clock, settings.gap if watchful else None)
        self.stopping = False
        self.counts = dict.fromkeys(
            ("accepted", "refused", "failed", "bot_failures", "dropped", "archived"), 0
        )
        #: Called when a bot is to move.
        self.wake_bots: Callable[[Place], None] = lambda place: None
        #: Called when a table is awake that we do not keep, when somebody came or left, and to
        #: learn who is there by way of others.
        self.want_to_keep: Callable[[str], None] = lambda table_id: None
        self.tell_presence: Callable[[str], None] = lambda table_id: None
        self.learn_presence: Callable[[str], Awaitable[None]] = _nothing_to_learn
        self._commands: set[asyncio.Task[Any]] = set()
        self._under_way = _UnderWay()

    # ---- tables in memory -----------------------------------------------------------------------

    def at(self, table_id: str, *, fresh: bool = False) -> Visit:
        """A table, loaded and ours alone, as ``async with`` gives it; ``fresh``: also with what
        others did just now."""
        return Visit(self, table_id, fresh=fresh)

    def enter(self, table_id: str) -> Place:
        """The place of a table, which stays until it is left."""
        place = self.places.get(table_id)
        if place is None:
            if not _TABLE_ID.fullmatch(table_id):
                raise refuse("no_table")
            place = self.places[table_id] = Place(table_id, self.settings.log_page)
        self.places.move_to_end(table_id)
        place.users += 1
        return place

    def is_current(self, place: Place, fresh: bool) -> bool:
        """Whether a table can be used as it is."""
        self.watch.look()
        if place.loaded is None or place.uncertain or place.heard > place.loaded.n:
            return False
        if self.company is not None:
            return not fresh
        return place.clock_right_since == self.watch.awake_since

    async def make_current(self, place: Place, fresh: bool) -> None:
        if place.loaded is None or place.uncertain or place.heard > place.loaded.n:
            await self._catch_up(place)
        elif self.company is not None:
            if fresh:
                await self._catch_up(place)
        elif place.clock_right_since != self.watch.awake_since:
            await self._allow_for_gap(place)

    def leave(self, place: Place) -> None:
        place.users -= 1
        if place.loaded is None and not place.users:
            self.places.pop(place.id, None)
        if len(self.places) > self.settings.tables_in_memory:
            self.evict()

    async def _catch_up(self, place: Place) -> None:
        """Read what the store has beyond what is known here, and publish it."""
        first_time = place.loaded is None
        known = 0 if place.loaded is None else place.loaded.n
        # Whatever comes to be doubted from now on is not settled by what is read here.
        doubted, place.uncertain = place.uncertain, False
        try:
            entries, table = await self._read_on(place, known)
            doubted = False
        finally:
            place.uncertain = place.uncertain or doubted
        place.now(table)
        if first_time:
            place.ahead = max(0, table.at - self.clock())
            await self.learn_presence(place.id)
        elif entries:
            self._tell(place, [entry.event for entry in entries], known)
            place.stirred.set()
        if self.company is None:
            await self._allow_for_gap(place)
        self.look_ahead(place)

    async def _read_on(self, place: Place, known: int) -> tuple[list[Entry], Table]:
        """What came after an event, and the table as it is then; its keys are read along."""
        try:
            entries = [entry async for entry in self._entries(place.id, known)]
            if place.loaded is None and not entries:
                raise refuse("no_table")
            table = await self._folded(entries, place.loaded)
            if place.loaded is None or any(type(entry.event) in CHANGING_KEYS for entry in entries):
                await self._read_keys(place, table)
        except NoSuchTable as error:
            raise refuse("no_table") from error
        except UnreadableLog as error:
            log.warning("table %s cannot be read: %s", place.id[:4], error)
            raise refuse("unreadable", why=error) from error
        except (Unavailable, InvalidRequest) as error:
            raise refuse("unavailable") from error
        return entries, table

    async def _read_keys(self, place: Place, table: Table) -> None:
        secret = await self.store.get_private(place.id, "secret")
        keys = await self.store.get_private(place.id, "keys")
        if keys is None or (secret is None and table.commitment):
            raise UnreadableLog("its private data is missing")
        place.secret, place.keys = secret or b"", decode_keys(keys)

    async def latest(self, place: Place, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """Try something; where it was refused for what others have gone past meanwhile, again."""
        if self.company is None:
            return await attempt()
        for attempts in range(ATTEMPTS):
            # Not in step with whoever is as eager.
            if attempts:
                await asyncio.sleep(random.uniform(0, attempts * PATIENCE_SECONDS))
            known = place.table.n
            try:
                return await attempt()
            except (Refusal, TableRefused) as refusal:
                code = refusal.code if isinstance(refusal, Refusal) else refusal.problem.code
                if code in ("unavailable", "stopping"):
                    raise
                await self._catch_up(place)
                if place.table.n == known:
                    raise
        raise refuse("stale")

    async def _folded(self, entries: Sequence[Entry], known: Table | None) -> Table:
        """The table after these entries; a long log lets others have their turn in between."""
        table = fold_all(entries[:FOLDED_AT_ONCE], known)
        for at in range(FOLDED_AT_ONCE, len(entries), FOLDED_AT_ONCE):
            await asyncio.sleep(0)
            table = fold_all(entries[at : at + FOLDED_AT_ONCE], table)
        return table

    async def _entries(self, table_id: str, after: int) -> AsyncIterator[Entry]:
        while page := await self.store.read(table_id, after, PAGE):
            for event in page:
                yield events.decode(event.n, event.body)
            if len(page) < PAGE:
                return
            after = page[-1].n

    async def _allow_for_gap(self, place: Place) -> None:
        """Nobody's live clock runs while there is no server, nor one that sleeps; a clock by days
        does, but not to its end."""
        awake_since, table = self.watch.awake_since, place.table
        known = place.clock_right_since
        if known is None:
            known = self._clocks_right.get(place.id)
        was_before = table.at < awake_since + place.ahead or (place.ahead and known is None)
        if known != awake_since and table.clock_runs_for is not None and was_before:
            spent = 0
            if known is not None and self.watch.away_from is not None:
                spent = max(0, self.watch.away_from + place.ahead - table.at)
            if table.clock.kind == "live" or is_nearly_out(table, self.now_at(place)):
                await self.accept(place, [events.ClocksRestarted(spent)])
        place.clock_right_since = awake_since
        if place.table.clock_runs_for is not None:
            self._clocks_right[place.id] = awake_since

    async def forgive_gap(self, place: Place, kept_until: int | None) -> None:
        """As above, where many look after tables: nobody did since ``kept_until``, or since the
        last event."""
        table, now = place.table, self.now_at(place)
        since = max(table.at, 0 if kept_until is None else kept_until + place.ahead)
        if table.clock_runs_for is None or now - since <= self.settings.gap:
            return
        if table.clock.kind == "live" or is_nearly_out(table, now):
            restarted = events.ClocksRestarted(since - table.at)
            await self.accept(place, [restarted], as_keeper=True)

    def evict(self) -> None:
        """Forget the tables that were used longest ago, if nobody needs them in memory."""
        surplus = len(self.places) - self.settings.tables_in_memory
        if surplus <= 0:
            return
        for place in list(self.places.values()):
            if surplus <= 0:
                break
            if not self.is_needed(place):
                del self.places[place.id]
                self.presence.pop(place.id, None)
                surplus -= 1

    def is_needed(self, place: Place) -> bool:
        presence = self.presence.get(place.id)
        return bool(
            place.users
            or place.subscriptions
            or place.bots
            or (presence is not None and presence.connections)
            or (place.loaded is not None and _has_live_clock(place.loaded))
        )

    async def awake_tables(self) -> AsyncIterator[Standing]:
        """Those where something will happen by itself."""
        after = ""
        while page := await self.store.awake(after, PAGE):
            for standing in page:
                yield standing
            after = page[-1].table_id

    async def correct_outlook(self, place: Place, known: Outlook) -> None:
        """Of a table that was kept before there were outlooks."""
        found = outlook_of(place.table)
        if found != known:
            await self.store.set_outlook(place.id, found)

    # ---- accepting ------------------------------------------------------------------------------

    async def make(
        self,
        table_id: str,
        opened: list[events.Event],
        keys: Keys,
        moment: Moment,
        answer: Mapping[str, bytes] | None = None,
    ) -> None:
        """Keep a new table, or nothing of it; ``answer`` is kept when it is whole.

        Raises `TableExists`.
        """
        table = fold_all(Entry(moment.now, event) for event in opened)
        header = msgspec.json.encode(Header(table.game, table.public))
        bodies = [events.encode(Entry(moment.now, event)) for event in opened]
        private = {"keys": keys.encode()}
        if table.commitment:
            private["secret"] = moment.secret
        try:
            await self.store.create_table(table_id, header, private=private)
            await self.store.append(table_id, 0, bodies, private=answer, outlook=outlook_of(table))
        except TableExists:
            raise
        except StoreError as error:
            self.counts["failed"] += 1
            log.warning("a new table was not kept: %s", error)
            await self.unmake(table_id)
            raise refuse("unavailable") from error
        self.counts["accepted"] += 1
        async with self.at(table_id):
            pass  # its bots and its clock begin

    async def unmake(self, table_id: str) -> None:
        """Take back a table that nobody has heard of."""
        self.places.pop(table_id, None)
        with suppress(StoreError):
            await self.store.delete(table_id)

    async def accept(
        self,
        place: Place,
        decided: Sequence[events.Event],
        *,
        request: str | None = None,
        token: str | None = None,
        secret: bytes = b"",
        answer: Mapping[str, bytes] | None = None,
        as_keeper: bool = False,
    ) -> int:
        """Append and commit, then publish; the number of the last event.

        ``token`` is that of whoever sits down by these events, ``secret`` the one that is fixed
        where they begin a draw, ``answer`` what is to be kept along.  ``as_keeper``: only if we are
        the ones who keep the table.
        """
        entries, after = self._folded_once(place, decided, request)
        before, keys, fixed = place.table.n, place.keys, False
        private = dict(answer) if answer else {}
        if not CHANGING_KEYS.isdisjoint(map(type, decided)):
            keys = _keys_after(keys, decided, None if token is None else hash_of(token))
            if keys != place.keys:
                private["keys"] = keys.encode()
            fixed = any(isinstance(event, events.DrawBegun) for event in decided)
            if fixed:
                private["secret"] = secret
        bodies = [events.encode(entry) for entry in entries]
        try:
            if as_keeper and self.company is not None:
                appended = await self.company.append(
                    place.id, before, bodies, private=private, outlook=outlook_of(after)
                )
            else:
                outlook = outlook_of(after)
                try:
                    appended = await self.store.append(
                        place.id, before, bodies, request, private=private or None, outlook=outlook
                    )
                except TableArchived:  # somebody came back to an old table
                    await self.store.unarchive(place.id)
                    appended = await self.store.append(
                        place.id, before, bodies, request, private=private or None, outlook=outlook
                    )
        except NotKept as error:
            self.kept.discard(place.id)
            place.uncertain = True
            raise refuse("stale") from error
        except Conflict as error:
            place.uncertain = True
            raise refuse("stale") from error
        except Unavailable as error:
            place.uncertain = True
            self.counts["failed"] += 1
            log.warning("table %s: an event was not kept: %s", place.id[:4], error)
            raise refuse("unavailable") from error
        except BaseException:
            place.uncertain = True
            raise
        if appended.repeated:  # written before we knew of it, by somebody else
            await self._catch_up(place)
            if self.company is not None:
                raise refuse("stale")  # tried once more, it finds the first answer (`latest`)
            return appended.last_n
        place.now(after)
        place.keys = keys
        if fixed:
            place.secret = secret
        self.counts["accepted"] += 1
        self._tell(place, decided, before)
        place.stirred.set()
        self.look_ahead(place)
        return after.n

    def _folded_once(
        self, place: Place, decided: Sequence[events.Event], request: str | None
    ) -> tuple[list[Entry], Table]:
        """What is written, and the table after it; as it was decided where that was for this very
        table and request."""
        if (
            isinstance(decided, Decided)
            and decided.before is place.table
            and decided.request == request
        ):
            return decided.entries, decided.after
        now = max(self.now_at(place), place.table.at)
        entries = [Entry(now, event, request) for event in decided]
        return entries, fold_all(entries, place.table)

    def _tell(self, place: Place, news: Sequence[events.Event], after: int) -> None:
        """Publish what came after an event; who lost a seat no longer hears what it sees."""
        now = self.clock()
        presence = self.presence_of(place.id)
        if not CHANGING_KEYS.isdisjoint(map(type, news)):
            for event in news:
                if isinstance(event, events.SeatFreed | events.BotSeated):
                    presence.lose_seat(event.seat, now)
                elif isinstance(event, events.Seated):
                    presence.sits_down(event.seat, now)
                else:
                    continue
                self.tell_presence(place.id)
            place.drop_those_who_lost_their_seat()
        self.counts["dropped"] += place.publish(after, presence, now + place.ahead)

    def look_ahead(self, place: Place) -> None:
        """Set the clock and wake the bots for the position that is on the table now."""
        table = place.table
        due_at = table.draw.at + self.settings.draw if table.draw else table.flag_at
        waits = table.bot_to_move is not None and table.n < self.settings.events
        if not self.keeps(place):
            if waits or due_at is not None:
                self.want_to_keep(place.id)
            due_at, waits = None, False
        if due_at is None:
            self.deadlines.pop(place.id, None)
            self._clocks_right.pop(place.id, None)
        else:
            self.deadlines[place.id] = due_at - place.ahead
        if place.bots is None and waits and not self.stopping:
            self.wake_bots(place)

    def keeps(self, place: Place) -> bool:
        """Whether it is we who look after the bots and the clock of a table."""
        return self.company is None or place.id in self.kept

    async def do_what_is_due(self, place: Place) -> None:
        """Let the clock run out, if it has."""
        if place.table.flag_at is None and place.table.draw is None:
            return
        if not self.keeps(place):
            return
        moment = self.moment(place)
        decided = due(place.table, moment)
        if decided:
            consequences = with_consequences(place.table, decided, moment)
            await self.accept(place, consequences, as_keeper=True)

    async def finish(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do it to its end, whoever loses patience: half an acceptance must not be."""
        if self.stopping:
            work.close()
            raise refuse("stopping")
        task = asyncio.get_running_loop().create_task(work)
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)
        return await asyncio.shield(task)

    def under_way(self, work: Coroutine[Any, Any, Result]) -> _UnderWay:
        """The same for who waits for it in any case, and is not to be cancelled meanwhile: within
        this block."""
        if self.stopping:
            work.close()
            raise refuse("stopping")
        return self._under_way

    async def all_finished(self) -> None:
        await asyncio.gather(*self._commands, return_exceptions=True)
        while self._under_way.count:
            self._under_way.none.clear()
            await self._under_way.none.wait()

    # ---- who, when ------------------------------------------------------------------------------

    def known(self, place: Place, who: Who) -> Who:
        """The same person with the seats they hold now; a token that opens nothing is refused."""
        if not who.key:
            return who
        if place.roles is None or place.roles[0] is not place.keys:
            place.roles = (place.keys, {})
        held = place.roles[1].get(who.key)
        if held is None:
            held = place.keys.roles(who.key)
            if held[0] or held[1]:  # strangers' are not remembered: there may be any number
                place.roles[1][who.key] = held
        seats, host = held
        if not seats and not host and not place.keys.is_asking(who.key):
            raise refuse("not_seated")
        if who.seats == seats and who.host == host:
            return who
        return Who(who.table, seats, host, who.language, who.key)

    def moment(self, place: Place, request: str | None = None) -> Moment:
        table = place.table
        away = self.presence_of(place.id).away_since(table)
        return made(
            Moment,
            now=max(self.now_at(place), table.at),
            secret=place.secret if table.commitment else self.randomness(SECRET_BYTES),
            bots=self.bots_of(table.game),
            away_since=_later(away, place.ahead) if away else {},
            settings=self.settings,
            request=request,
            foreseen={},
        )

    def now_at(self, place: Place) -> int:
        """The time of a table. It goes on where its log stops, also if that lies in the future
        because the system's clock was wrong for a while."""
        return self.clock() + place.ahead

    def first_moment(self, game: str, secret: bytes) -> Moment:
        """For a table that is being made."""
        return Moment(self.clock(), secret, self.bots_of(game), settings=self.settings)

    def shown(self, table: Table) -> shown.Table:
        now = self.now_at(self.places[table.id])
        return show_table(table, self.presence_of(table.id), now)

    def presence_of(self, table_id: str) -> Presence:
        presence = self.presence.get(table_id)
        if presence is None:
            place = self.places.get(table_id)
            last = 0
            if place is not None and place.loaded is not None:
                last = place.table.at - place.ahead
            presence = self.presence[table_id] = Presence(max(self.started_at, last))
        return presence

    def presence_changed(self, table_id: str) -> None:
        place = self.places.get(table_id)
        if place is not None and place.loaded is not None:
            presence = self.presence_of(table_id)
            self.counts["dropped"] += place.publish_presence(presence, self.now_at(place))


def _later(times: Mapping[int, int], ahead: int) -> dict[int, int]:
    return {seat: at + ahead for seat, at in times.items()}


async def _nothing_to_learn(table_id: str) -> None:
    """Where there is nobody else."""


def _keys_after(keys: Keys, decided: Sequence[events.Event], new: str | None) -> Keys:
    """Who holds what after these events; ``new`` is the hash of who came by them."""
    for event in decided:
        match event:
            case events.SeatFreed(seat=seat) | events.BotSeated(seat=seat):
                keys = keys.with_seat(seat, None)
            case events.Seated(seat=seat):
                keys = keys.with_seat(seat, new or keys.asking).with_asking(None)
            case events.SeatAsked():
                keys = keys.with_asking(new)
            case events.CloseAsked() | events.ProposalAnswered(agree=False):
                keys = keys.with_asking(None)
            case events.Ended() | events.Closed():
                keys = keys.with_asking(None)
    return keys


def _has_live_clock(table: Table) -> bool:
    return table.clock.kind == "live" and table.clock_runs_for is not None
