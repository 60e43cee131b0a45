"""The tables of a server, as everything outside this package sees them."""

from __future__ import annotations

import asyncio
import base64
import re
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

from archipel.rules.kit.machine_record import to_bytes
from archipel.store import EventStore
from archipel.store.clock import Clock, SteadyClock
from archipel.store.postgresql.company import Company
from archipel.tables import commands, events, shown
from archipel.tables.answers import Answers
from archipel.tables.bot_players import Choose, bots_for
from archipel.tables.bot_pool import BotPool
from archipel.tables.bot_turns import BotTurns
from archipel.tables.caretaker import Caretaker
from archipel.tables.course import check_open, corrections_for, show_course, show_line
from archipel.tables.decisions import decide
from archipel.tables.decisions.checks import check_fresh
from archipel.tables.door import create_table, join_table, play_on_together, play_once_more
from archipel.tables.hall import Hall
from archipel.tables.keys import Randomness, hash_of
from archipel.tables.looking_back import seen_of_the_past
from archipel.tables.outlook import table_line
from archipel.tables.place import Place
from archipel.tables.problems import Problem, Refusal, TableRefused, refuse
from archipel.tables.reasons import Reasons
from archipel.tables.records import record_of
from archipel.tables.settings import Settings
from archipel.tables.showing import is_past_of, show_log, show_page
from archipel.tables.sights import Showing
from archipel.tables.subscriptions import Known, Subscription
from archipel.tables.table import Who
from archipel.tables.thinking import Thinking, ThinkingInThreads
from archipel.tables.worker import Worker

_REQUEST_ID = re.compile(r"[!-~]{1,64}")


class TableService:
    """All tables of a store. Make one per process and `start` it on the event loop.

    ``randomness`` makes secrets, tokens and seeds.  Bots think in processes of their own, or as
    ``thinking`` lets them; a function ``choose`` that is given instead runs in ``executor`` (by
    default threads of its own).  ``watchful``: a long time without a tick counts as no time at all,
    as it does without a ``clock`` of one's own.  ``company``: others may work on the same store;
    with ``keeps`` bots and clocks are looked after here, too, and not by others alone.  Every
    method that refuses raises `TableRefused`.
    """

    def __init__(
        self,
        store: EventStore,
        *,
        clock: Clock | None = None,
        randomness: Randomness = secrets.token_bytes,
        executor: Executor | None = None,
        settings: Settings | None = None,
        choose: Choose | None = None,
        thinking: Thinking | None = None,
        bots_of: Callable[[str], tuple[str, ...]] = bots_for,
        watchful: bool | None = None,
        company: Company | None = None,
        keeps: bool = True,
    ) -> None:
        if company is not None:
            # One clock for all, and gaps are noticed by whoever takes over.
            clock, watchful = clock or company.clock, False
        self._hall = Hall(
            store,
            clock or SteadyClock(),
            randomness,
            settings or Settings(),
            bots_of,
            watchful=clock is None if watchful is None else watchful,
            company=company,
        )
        self._places = self._hall.places
        self._own_executor = None
        if choose is not None:
            if executor is None:
                executor = self._own_executor = ThreadPoolExecutor(2, "archipel-bot")
            thinking = ThinkingInThreads(choose, executor)
        self._thinking: Thinking = thinking or BotPool()
        self._bots = BotTurns(self._hall, self._thinking)
        limits = self._hall.settings
        self._reasons = Reasons(self._thinking, limits.reason_time / 1000, limits.reasons_waiting)
        self._caretaker = Caretaker(self._hall)
        self._worker = None if company is None else Worker(self._hall, company, keeps=keeps)
        self._answers = Answers(self._hall.clock, self._hall.settings)

    # ---- life -----------------------------------------------------------------------------------

    async def start(self) -> None:
        """Resume the bots and clocks of all tables, beside everything else."""
        self._hall.started_at = self._hall.clock()
        self._hall.watch.start()
        if self._worker is not None:
            await self._worker.start()
        self._caretaker.start()
        self._thinking.start()

    async def stop(self) -> None:
        """Take no more, finish what was accepted, end all subscriptions. The store stays open."""
        self._hall.stopping = True
        await self._caretaker.stop()
        await self._bots.stop()
        await self._thinking.stop()
        await self._hall.all_finished()
        if self._worker is not None:
            await self._worker.stop()
        for place in list(self._places.values()):
            for subscription in list(place.subscriptions):
                subscription.end("stopping", "the server stops: come back in a moment")
        if self._own_executor is not None:
            self._own_executor.shutdown(wait=False, cancel_futures=True)

    async def tick(self) -> None:
        """Let clocks run out and archive idle tables, as of now. It is done by itself, too."""
        await self._caretaker.tick()

    def statistics(self) -> dict[str, int]:
        """Numbers for whoever runs the server; the same names every time."""
        hall, places = self._hall, self._places.values()
        return {
            "in_memory": len(self._places),
            "subscriptions": sum(len(place.subscriptions) for place in places),
            "connections": sum(presence.connections for presence in hall.presence.values()),
            "clocks_running": len(hall.deadlines),
            "bots_thinking": sum(place.bots is not None for place in places),
            **hall.counts,
        }

    async def backup(self, path: Path) -> None:
        """A copy of everything as of one moment, while running; raises `StoreError`."""
        await self._hall.store.backup(path)

    # ---- coming to a table ----------------------------------------------------------------------

    async def create(self, wish: commands.NewTable, language: str = "en") -> shown.Seated:
        """Set up a table; its maker hosts it. At once begun if they wish so."""
        with self._refusing(language):
            return await self._answers.once(
                "", wish, lambda: self._hall.finish(create_table(self._hall, wish))
            )

    async def join(self, table_id: str, wish: commands.Join, language: str = "en") -> shown.Seated:
        """Sit down, before the game or in an open seat during it."""
        with self._refusing(language):
            return await self._answers.once(
                table_id, wish, lambda: self._hall.finish(join_table(self._hall, table_id, wish))
            )

    async def identify(self, table_id: str, token: str | None, language: str = "en") -> Who:
        """Who somebody with this token is; without one, a spectator."""
        key = "" if token is None else hash_of(token)
        with self._refusing(language):
            async with self._hall.at(table_id, fresh=True) as place:
                return self._hall.known(place, Who(table_id, language=language, key=key))

    async def command(
        self,
        who: Who,
        command: commands.Command,
        request_id: str,
        *,
        seat: int | None = None,
        patient: bool = False,
    ) -> shown.Accepted:
        """Do what somebody asks for, once: a repeated id gets the first answer again.

        ``seat`` says for whom, at a table on one device.  When this returns, it is kept for good
        and has been published.  ``patient``: whoever calls this waits to its end and never cancels
        it, so that no task of its own is needed for half an acceptance not to be.
        """
        with self._refusing(who.language):
            if not _REQUEST_ID.fullmatch(request_id):
                raise refuse("bad_request")
            work = self._command(who, command, request_id, seat)
            if not patient:
                return await self._hall.finish(work)
            with self._hall.under_way(work):
                return await work

    async def _command(
        self, who: Who, command: commands.Command, request_id: str, seat: int | None
    ) -> shown.Accepted:
        async with self._hall.at(who.table) as place:
            if self._hall.company is None:  # nobody can have gone on without us
                return await self._attempt(place, who, command, request_id, seat)
            return await self._hall.latest(
                place, lambda: self._attempt(place, who, command, request_id, seat)
            )

    async def _attempt(
        self, place: Place, who: Who, command: commands.Command, request_id: str, seat: int | None
    ) -> shown.Accepted:
        who = self._hall.known(place, who)
        # An id is one person's: another's like it must not be answered with theirs.
        request = f"{who.key[:16]}:{request_id}"
        answered = place.answers.get(request)
        if answered is not None:
            event = place.table.log[answered - 1].event
            elsewhere = None
            if isinstance(event, events.Rematched | events.PlayedOn):
                elsewhere = event.table
            return shown.Accepted(answered, elsewhere, repeated=True)
        table = place.table
        if table.clock.kind != "none" or table.draw is not None:
            await self._hall.do_what_is_due(place)
        if isinstance(command, commands.Rematch):
            return await play_once_more(self._hall, place, who, request, command.seal)
        if isinstance(command, commands.PlayOn):
            return await play_on_together(self._hall, place, who, request, command)
        moment = self._hall.moment(place, request)
        decided = decide(place.table, command, who, moment, seat=seat)
        if isinstance(decided, Problem):
            raise TableRefused(decided)
        n = await self._hall.accept(place, decided, request=request, secret=moment.secret)
        return shown.Accepted(n)

    # ---- looking at a table ---------------------------------------------------------------------

    async def subscribe(
        self,
        who: Who,
        after: int = 0,
        *,
        at: float | None = None,
        seat: int | None = None,
        hurried: bool = False,
    ) -> Subscription:
        """Everything as of now and the log after event ``after``, then every update.

        The whole log, if ``at`` is not when the last line before it was written: then a backup was
        restored since. Somebody with several seats sees what all see, or what ``seat`` sees.
        ``hurried``: bots need not wait for them to follow.
        """
        with self._refusing(who.language):
            async with self._hall.at(who.table, fresh=True) as place:
                who = self._hall.known(place, who)
                eyes = _eyes(who, seat)
                table = place.table
                if not is_past_of(table, after, at):
                    after = 0
                page = show_page(table, eyes, after=after, limit=self._hall.settings.log_page)
                subscription = Subscription(
                    who, eyes, self._hall.settings.queue, place.subscriptions.remove
                )
                subscription.hurried = hurried
                sight = Showing(table).sight(eyes)
                subscription.known = Known(table.n, self._hall.shown(table), sight)
                subscription.welcome = shown.Welcome(
                    table=subscription.known.table,
                    seat=who.seat,
                    host=who.host,
                    position=None if sight is None else sight.whole(eyes),
                    log=page.log,
                    log_from=page.log_from,
                    whole=after == 0 or page.log_from != after,
                    server_time=self._hall.clock() / 1000,
                    n=table.n,
                )
                place.subscriptions.append(subscription)
                place.stirred.set()
                return subscription

    def arrived(self, who: Who) -> None:
        """A connection of theirs opened. Call `departed` when it closes."""
        self._hall.presence_of(who.table).arrived(who)
        self._hall.tell_presence(who.table)
        self._hall.presence_changed(who.table)

    def departed(self, who: Who) -> None:
        presence = self._hall.presence_of(who.table)
        presence.departed(who, self._hall.clock())
        self._hall.tell_presence(who.table)
        self._hall.presence_changed(who.table)
        if not presence.connections and who.table not in self._places:
            del self._hall.presence[who.table]

    async def table(self, table_id: str, language: str = "en") -> shown.Table:
        """All that everyone may know of a table beside the position."""
        with self._refusing(language):
            async with self._hall.at(table_id) as place:
                return self._hall.shown(place.table)

    async def position(
        self,
        who: Who,
        *,
        n: int | None = None,
        seat: int | None = None,
        revealed: bool = False,
    ) -> shown.Position | None:
        """The position after event n as somebody may see it; None before the game began.

        ``revealed``: with everything hidden, once the game is over.
        """
        with self._refusing(who.language):
            async with self._hall.at(who.table) as place:
                table = place.table
                eyes = _eyes(self._hall.known(place, who), seat)
                if n is not None and n > table.n:
                    raise refuse("no_such_event", n=n)
                if revealed and table.secret is None:
                    raise refuse("hidden")
                return Showing(table, n, revealed=revealed).position(eyes)

    async def log(
        self, who: Who, after: int = 0, *, seat: int | None = None
    ) -> list[shown.LogEntry]:
        """What happened after an event, as somebody may know it."""
        with self._refusing(who.language):
            async with self._hall.at(who.table) as place:
                eyes = _eyes(self._hall.known(place, who), seat)
                return show_log(place.table, eyes, after)

    async def log_page(self, who: Who, before: int, *, seat: int | None = None) -> shown.LogPage:
        """What the events just before one brought, as somebody may know it."""
        with self._refusing(who.language):
            async with self._hall.at(who.table) as place:
                eyes = _eyes(self._hall.known(place, who), seat)
                limit = self._hall.settings.log_page
                return show_page(place.table, eyes, before=before, limit=limit)

    async def seen(
        self, who: Who, n: int, *, seat: int | None = None, hint: bool = False
    ) -> shown.Seen:
        """What a seat sees in the position after event n, which must be that of now, as the engine
        takes it: to find a ``hint``, or for the seat's chances alone."""
        with self._refusing(who.language):
            async with self._hall.at(who.table) as place:
                table = place.table
                eyes = _eyes(self._hall.known(place, who), seat)
                if eyes is None:
                    raise refuse("not_seated")
                if table.to_move is None:
                    raise refuse("not_playing")
                check_fresh(table, n)
                # Chances would help with a puzzle as much as a hint: it is to be solved alone.
                if not table.hints and (hint or table.progress is not None):
                    raise refuse("no_hints")
                view = to_bytes(seen_of_the_past(table, table.state, eyes))
                return shown.Seen(
                    n,
                    eyes,
                    len(table.seats),
                    list(table.definition.hopes),
                    base64.b64encode(view).decode("ascii"),
                    corrections_for(table.game, len(table.seats)),
                )

    async def why(self, who: Who, n: int) -> shown.Why:
        """Why a bot played the action of event n, once the game is over."""
        with self._refusing(who.language):
            async with self._hall.at(who.table) as place:
                self._hall.known(place, who)
            return await self._reasons.of(place, n)

    async def course(self, table_id: str, language: str = "en") -> shown.Course:
        """Every position of a game that is over, to be analysed by whoever wants to."""
        with self._refusing(language):
            async with self._hall.at(table_id) as place:
                check_open(place.table)
                if place.course is None:
                    # A table does not change: others may have their turn meanwhile.
                    place.course = await asyncio.to_thread(show_course, place.table)
                return place.course

    async def line(
        self, table_id: str, n: int, actions: Sequence[int], language: str = "en"
    ) -> list[shown.Label]:
        """What could have been played where event n was, in words, once the game is over."""
        with self._refusing(language):
            async with self._hall.at(table_id) as place:
                check_open(place.table)
                return show_line(place.table, n, actions)

    async def record(self, table_id: str, language: str = "en") -> str:
        """The record of the game, once it is over."""
        with self._refusing(language):
            async with self._hall.at(table_id) as place:
                if place.table.start is None:
                    raise refuse("not_playing")
                if place.table.halted_at is not None:
                    raise refuse("older_rules")
                over = place.table.progress is not None and place.table.stage == "over"
                if place.table.secret is None and not over:
                    raise refuse("not_over")
                return str(record_of(place.table))

    async def tables(self, limit: int = 100) -> list[shown.TableLine]:
        """The public tables that are not closed, latest activity first; raises `StoreError`.

        No table is loaded for it.
        """
        return [table_line(standing) for standing in await self._hall.store.listed(limit)]

    def _refusing(self, language: str) -> _Refusing:
        return _Refusing(language, self._hall.counts)


class _Refusing:
    """Puts refusals in words on their way out."""

    def __init__(self, language: str, counts: dict[str, int]) -> None:
        self._language = language
        self._counts = counts

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, Refusal | TableRefused):
            self._counts["refused"] += 1
        if isinstance(error, Refusal):
            raise TableRefused(error.say(self._language)) from error


def _eyes(who: Who, wanted: int | None) -> int | None:
    """Through which seat somebody looks; None: as a spectator does."""
    if wanted is None:
        return who.seat
    if wanted not in who.seats:
        raise refuse("not_yours")
    return wanted
