"""The entry point of this package: all that a server or a script does with tables."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from archipel.analysis.evaluation_settings import evaluations_of
from archipel.bots import roster_of
from archipel.rules.all_games import games
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.store.clock import Clock, SteadyClock
from archipel.store.errors import InvalidRequest, NoSuchTable, StoreError
from archipel.store.protocol import EventStore
from archipel.tables import daily, duplicates
from archipel.tables.bots.executor import BotExecutor
from archipel.tables.bots.players import bots_for
from archipel.tables.bots.turns import BotTurns
from archipel.tables.cluster.worker import Worker
from archipel.tables.commands import Command, Join, NewTable, PlayOn, Rematch
from archipel.tables.decisions import decide
from archipel.tables.decisions.context import check_fresh, check_names
from archipel.tables.keys import Randomness, hash_of, new_token, roles
from archipel.tables.live_table import LiveTable
from archipel.tables.log import events
from archipel.tables.log.records import record_of
from archipel.tables.log.table_state import Participant
from archipel.tables.maintenance import Maintenance
from archipel.tables.problems import Refusal, TableRefused, refuse, refuse_if
from archipel.tables.publishing import payloads
from archipel.tables.publishing.finished_games import (
    Explanations,
    check_open,
    corrections_for,
    show_course,
    show_draws,
    show_line,
    show_seen_line,
)
from archipel.tables.publishing.publisher import LastSent, Subscription
from archipel.tables.publishing.views import (
    PositionViews,
    is_past_of,
    seen_of_the_past,
    show_page,
    table_line,
)
from archipel.tables.registration import (
    ResponseCache,
    create_continuation,
    create_table,
    join_table,
)
from archipel.tables.registry import TableRegistry
from archipel.tables.settings import DAY, Settings

if TYPE_CHECKING:
    from archipel.store.postgresql.cluster import Cluster

#: Time limit for accepted work at shutdown.
_FINISH_SECONDS = 1.5

_REQUEST_ID = re.compile(r"[!-~]{1,64}")


class TableService:
    """All tables of a store. Make one per process and `start` it on the event loop.

    ``randomness`` makes secrets, tokens and seeds.  ``bot_executor`` runs the bots, by default in
    processes of their own.
    ``watchful``: time without a tick counts as time the process was suspended (the default without
    a ``clock``).  ``cluster``: the other workers on the same store; with ``keeps`` this worker also
    runs bots and clocks.  Every method that refuses raises `TableRefused`.
    """

    def __init__(
        self,
        store: EventStore,
        *,
        clock: Clock | None = None,
        randomness: Randomness = secrets.token_bytes,
        settings: Settings | None = None,
        bot_executor: BotExecutor | None = None,
        bots_of: Callable[[str], tuple[str, ...]] = bots_for,
        watchful: bool | None = None,
        cluster: Cluster | None = None,
        keeps: bool = True,
    ) -> None:
        if cluster is not None:
            # All workers use the clock of the database; the next holder of a lease detects gaps.
            clock, watchful = clock or cluster.clock, False
        self._registry = TableRegistry(
            store,
            clock or SteadyClock(),
            randomness,
            settings or Settings(),
            bots_of,
            watchful=clock is None if watchful is None else watchful,
            cluster=cluster,
        )
        self._live_tables = self._registry.live_tables
        if bot_executor is None:
            # Imported where it is used: a browser has no processes.
            from archipel.tables.bots.pool import BotPool

            bot_executor = BotPool()
        self._executor = bot_executor
        self._bots = BotTurns(self._registry, self._executor)
        limits = self._registry.settings
        self._explanations = Explanations(
            self._executor, limits.reason_time / 1000, limits.reasons_waiting
        )
        self._maintenance = Maintenance(self._registry)
        self._worker = None if cluster is None else Worker(self._registry, cluster, keeps=keeps)
        self._registry.deal_done = lambda origin: self._registry.start(
            duplicates.settle(self._registry, origin)
        )
        self._responses = ResponseCache(self._registry.clock, limits)

    # ---- life -----------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start maintenance and bots; tables with running bots and clocks resume in background."""
        self._registry.started_at = self._registry.clock()
        self._registry.suspension.start()
        if self._worker is not None:
            await self._worker.start()
        self._maintenance.start()
        self._registry.overload.start()
        self._executor.start()

    async def stop(self) -> None:
        """Refuse new work, finish accepted work, end all subscriptions. The store stays open."""
        self._registry.stopping = True
        self._registry.overload.stop()
        await self._maintenance.stop()
        await self._bots.stop()
        await self._executor.stop()
        with suppress(TimeoutError):  # the rest was not acknowledged
            async with asyncio.timeout(_FINISH_SECONDS):
                await self._registry.all_finished()
        if self._worker is not None:
            await self._worker.stop()
        for live in list(self._live_tables.values()):
            for subscription in list(live.subscriptions):
                subscription.end("stopping", "the server stops: come back in a moment")

    @property
    def failure(self) -> str:
        """Why this process cannot go on; empty while it can."""
        return self._registry.failure

    @property
    def clock(self) -> Clock:
        """The clock of the tables; all workers on one database share it."""
        return self._registry.clock

    async def tick(self) -> None:
        """Expire clocks and archive idle tables now; this also happens periodically."""
        await self._maintenance.tick()

    def statistics(self) -> dict[str, int]:
        """Counters and gauges for monitoring, always under the same names."""
        registry, tables = self._registry, self._live_tables.values()
        return {
            "in_memory": len(tables),
            "late_milliseconds": int(registry.overload.late),
            "bytes_in_memory": sum(live.size for live in tables),
            "subscriptions": sum(len(live.subscriptions) for live in tables),
            "connections": sum(presence.connections for presence in registry.presence.values()),
            "clocks_running": len(registry.deadlines),
            "bots_thinking": sum(live.bots is not None for live in tables),
            **registry.counts,
        }

    # ---- changing a table -----------------------------------------------------------------------

    async def create(self, new: NewTable, language: str = "en") -> payloads.Seated:
        """Create a table; its maker hosts it."""
        registry = self._registry
        with self._refusing(language):
            check_names((new.my_name, *new.names), registry.settings.refused_names)
            return await self._responses.once(
                "", new, lambda: registry.run_to_completion(create_table(registry, new))
            )

    async def join(self, table_id: str, request: Join, language: str = "en") -> payloads.Seated:
        """Sit down, before the game or in an open seat during it."""
        registry = self._registry
        with self._refusing(language), _unknown_if_unread():
            check_names((request.name,), registry.settings.refused_names)
            return await self._responses.once(
                table_id,
                request,
                lambda: registry.run_to_completion(join_table(registry, table_id, request)),
            )

    async def identify(self, table_id: str, token: str | None, language: str = "en") -> Participant:
        """The participant who holds a token; without one, a spectator."""
        key = "" if token is None else hash_of(token)
        who = Participant(table_id, language=language, key=key)
        async with self._at(who, fresh=True) as (_, who):
            return who

    async def identify_holder(
        self, table_id: str, holder: str, language: str = "en"
    ) -> Participant:
        """As `identify`, for somebody known to hold a token with this hash."""
        async with self._at(Participant(table_id, language=language, key=holder), fresh=True) as (
            _,
            who,
        ):
            return who

    async def replace_secrets(self, table_id: str, holder: str, language: str = "en") -> str:
        """Make the token of a holder useless at a table; returns the new holder, whose token nobody
        knows. Whoever is connected with the old one is out at once."""
        registry = self._registry

        async def attempt(live: LiveTable) -> str:
            seats, host = roles(live.keys, holder)
            if not seats and not host:
                return holder
            token = new_token(registry.randomness)
            replaced = events.SecretsReplaced(list(seats), host)
            await registry.commit(live, registry.follow(live, [replaced]), token=token)
            return hash_of(token)

        async def replace_them() -> str:
            async with registry.lock(table_id, fresh=True) as live:
                return await registry.retry_if_overtaken(live, lambda: attempt(live))

        with self._refusing(language):
            return await registry.run_to_completion(replace_them())

    async def take_vacation(self, table_id: str, holder: str, until: int) -> None:
        """Stop the clock by days of a holder until a time (Unix milliseconds), or let it run on."""
        registry = self._registry

        async def attempt(live: LiveTable) -> None:
            table = live.table
            seats, _ = roles(live.keys, holder)
            seat = table.clock_runs_for
            on_vacation = seat in seats and table.clock.kind == "days"
            if seat is not None and on_vacation and table.seats[seat].vacation != until:
                taken = events.VacationTaken(seat, until)
                await registry.commit(live, registry.follow(live, [taken]))

        async def take() -> None:
            async with registry.lock(table_id, fresh=True) as live:
                await registry.retry_if_overtaken(live, lambda: attempt(live))

        with self._refusing("en"):
            await registry.run_to_completion(take())

    async def refresh_turn(self, table_id: str) -> None:
        """Write again whose turn it is, for a table that an older version wrote."""
        async with self._at(Participant(table_id)) as (live, _):
            if live.table.clock.kind == "days":
                outlook = self._registry.outlook(live.table, live.table, live.keys)
                if outlook.turn is not None:
                    turn = dataclasses.replace(outlook.turn, notices=())
                    outlook = dataclasses.replace(outlook, turn=turn)
                await self._registry.store.set_outlook(live.id, outlook)

    def ask_for_vacations(self, vacation_of: Callable[[str, str], Awaitable[int]]) -> None:
        """Ask this, with a table and a holder, until when somebody is on vacation (0: not)."""
        self._registry.vacation_of = vacation_of

    async def command(
        self, who: Participant, command: Command, *, patient: bool = False
    ) -> payloads.Accepted:
        """Execute a command once: a repeat with the same id gets the first answer.

        On return the events are stored and published.  ``patient``: the caller never cancels this
        call, so it needs no task of its own.
        """
        with self._refusing(who.language), _unknown_if_unread():
            refuse_if(not _REQUEST_ID.fullmatch(command.id), "bad_request")
            if self._registry.overload.sheds_commands:
                self._shed(who, command)
            work = self._command(who, command)
            return await self._registry.run_to_completion(work, patient=patient)

    def _shed(self, who: Participant, command: Command) -> None:
        """Refuse a command because of overload, unless it may be a repeat of one that was done."""
        live = self._live_tables.get(who.table)
        if live is None or live.loaded is None or live.uncertain:
            return
        if f"{who.key[:16]}:{command.id}" not in live.answers:
            # Another worker may have stored it.
            raise refuse("overloaded" if self._worker is None else "unknown")

    async def _command(self, who: Participant, command: Command) -> payloads.Accepted:
        async with self._registry.lock(who.table) as live:
            return await self._registry.retry_if_overtaken(
                live, lambda: self._attempt(live, who, command)
            )

    async def _attempt(
        self, live: LiveTable, who: Participant, command: Command
    ) -> payloads.Accepted:
        who = live.identify(who)
        # Ids are per person, so that nobody gets the answer to another's request.
        request = f"{who.key[:16]}:{command.id}"
        answered = live.answers.get(request)
        if answered is not None:
            event = live.table.log[answered - 1].event
            elsewhere = None
            if isinstance(event, events.Rematched | events.PlayedOn):
                elsewhere = event.table
            return payloads.Accepted(answered, elsewhere, repeated=True)
        await self._registry.apply_due_events(live)
        if isinstance(command, Rematch | PlayOn):
            return await create_continuation(self._registry, live, who, request, command)
        context = self._registry.context(live, request)
        decision = decide(live.table, command, who, context)
        return payloads.Accepted(await self._registry.commit(live, decision, secret=context.secret))

    async def take_over(self, file: bytes, language: str = "en") -> str:
        """Store the table of a player's device to continue here; returns its id."""
        from archipel.tables.arrivals import take_over  # devices need no such code

        with self._refusing(language):
            return await self._registry.run_to_completion(take_over(self._registry, file))

    async def delete(self, table_id: str, language: str = "en") -> None:
        """Delete a table or a club for good; whoever is connected is disconnected."""
        with self._refusing(language):
            try:
                await self._registry.store.delete(table_id)
            except (NoSuchTable, InvalidRequest) as error:
                raise refuse("no_table") from error
            except StoreError as error:
                raise refuse("unavailable") from error
            self._registry.deadlines.pop(table_id, None)
            live = self._live_tables.pop(table_id, None)
            if live is None:
                return
            if live.bots is not None:
                live.bots.cancel()
            for subscription in list(live.subscriptions):
                subscription.end("deleted", "the host of the server deleted this table")

    # ---- looking at a table ---------------------------------------------------------------------

    async def subscribe(
        self,
        who: Participant,
        after: int = 0,
        *,
        at: float | None = None,
        seat: int | None = None,
        hurried: bool = False,
    ) -> Subscription:
        """The current table, the log after event ``after``, then every update.

        ``at`` is the time of the last known log line; if it does not match, a backup was restored
        and the whole log is sent.  A participant with several seats sees what all see, or what
        ``seat`` sees.  ``hurried``: bots need not slow down for them.
        """
        async with self._at(who, fresh=True) as (live, who):
            observer = _observer(who, seat)
            table = live.table
            if not is_past_of(table, observer, after, at):
                after = 0
            limits = self._registry.settings
            page = show_page(table, observer, after=after, limit=limits.log_page)
            subscription = Subscription(
                who, observer, limits.queue, live.subscriptions.remove, hurried=hurried
            )
            position = PositionViews(table).view(observer)
            subscription.sent = LastSent(table.n, self._registry.show(table), position)
            subscription.welcome = payloads.Welcome(
                table=subscription.sent.table,
                seat=who.seat,
                host=who.host,
                position=None if position is None else replace(position, seat=observer),
                log=page.log,
                log_from=page.log_from,
                whole=after == 0 or page.log_from != after,
                server_time=self._registry.clock() / 1000,
                n=table.n,
            )
            live.subscriptions.append(subscription)
            live.activity.set()
            return subscription

    def arrived(self, who: Participant) -> None:
        """Count a connection of a participant. Call `departed` when it closes."""
        self._registry.presence_of(who.table).arrived(who)
        self._registry.announce_presence(who.table)
        self._registry.publish_presence(who.table)

    def departed(self, who: Participant) -> None:
        presence = self._registry.presence_of(who.table)
        now = self._registry.clock()
        presence.departed(who, now)
        if live := self._live_tables.get(who.table):
            live.used_at = now
        self._registry.announce_presence(who.table)
        self._registry.publish_presence(who.table)
        if not presence.connections and who.table not in self._live_tables:
            del self._registry.presence[who.table]

    async def table(self, table_id: str, language: str = "en") -> payloads.Table:
        """What everybody may know of a table, without its position."""
        async with self._at(Participant(table_id, language=language)) as (live, _):
            return self._registry.show(live.table)

    async def standing(
        self, table_id: str, holder: str, language: str = "en"
    ) -> tuple[payloads.Table, tuple[int, ...], int | None]:
        """A table, the seats of a holder there, and when the time of the seat to move runs out
        (Unix milliseconds)."""
        who = Participant(table_id, language=language, key=holder)
        async with self._at(who, spare=True) as (live, who):
            flag_at = live.table.flag_at
            until = None if flag_at is None else flag_at - live.ahead
            return self._registry.show(live.table), who.seats, until

    async def position(
        self,
        who: Participant,
        *,
        n: int | None = None,
        seat: int | None = None,
        revealed: bool = False,
    ) -> payloads.Position | None:
        """The position after event ``n`` as somebody may see it; None before the game began.

        ``revealed``: with everything hidden, once the game is over.
        """
        async with self._at(who, spare=True) as (live, who):
            table, observer = live.table, _observer(who, seat)
            refuse_if(n is not None and n > table.n, "no_such_event", n=n)
            refuse_if(revealed and table.secret is None, "hidden")
            return PositionViews(table, n, revealed=revealed).position(observer)

    async def drawing(
        self, table_id: str, *, n: int | None = None, language: str = "en"
    ) -> tuple[payloads.Table, str, int]:
        """A table, the drawing of its position after event ``n`` as everybody may see it (empty
        before the game began) and the number of its last event."""
        async with self._at(Participant(table_id, language=language), spare=True) as (live, _):
            table = live.table
            refuse_if(n is not None and n > table.n, "no_such_event", n=n)
            state = table.state if n is None else table.state_at(n)
            shown = self._registry.show(table)
            if state is None or table.halted_at is not None:
                return shown, "", table.n
            seen = seen_of_the_past(table, state, None)
            if n is not None and n < (table.ended_n or table.n + 1):
                shown = replace(shown, result=None, stage="playing")
            return shown, table.definition.drawing(seen, language), table.n

    async def log(
        self, who: Participant, after: int = 0, *, seat: int | None = None
    ) -> list[payloads.LogEntry]:
        """The log after event ``after``, as somebody may know it."""
        async with self._at(who, spare=True) as (live, who):
            return show_page(live.table, _observer(who, seat), after=after).log

    async def log_page(
        self, who: Participant, before: int, *, seat: int | None = None
    ) -> payloads.LogSlice:
        """The page of the log just before an event, as somebody may know it."""
        async with self._at(who, spare=True) as (live, who):
            limit = self._registry.settings.log_page
            return show_page(live.table, _observer(who, seat), before=before, limit=limit)

    async def seen(
        self, who: Participant, n: int, *, seat: int | None = None, hint: bool = False
    ) -> payloads.Seen:
        """The view of a seat as bytes for the engine: for a ``hint``, or for its odds alone.

        Event ``n`` must have the current position.
        """
        async with self._at(who, spare=True) as (live, who):
            table, observer = live.table, _observer(who, seat)
            if observer is None:
                raise refuse("not_seated")
            refuse_if(table.to_move is None, "not_playing")
            check_fresh(table, n)
            # In a puzzle the odds would give away as much as a hint.
            refuse_if(not table.hints and (hint or table.progress is not None), "no_hints")
            view = to_bytes(seen_of_the_past(table, table.state, observer))
            evaluation = evaluations_of(roster_of(table.game)).decision
            return payloads.Seen(
                n,
                observer,
                len(table.seats),
                list(table.definition.goals),
                base64.b64encode(view).decode("ascii"),
                evaluation.horizon,
                corrections_for(table.game, len(table.seats)),
            )

    async def lines(
        self, who: Participant, n: int, lines: Sequence[Sequence[int]], *, seat: int | None = None
    ) -> list[list[payloads.Label]]:
        """Labels for lines of actions of the seat to move after event ``n``, for a hint.

        The lines are played in a world sampled from the seat's view, so they tell nothing hidden.
        """
        async with self._at(who, spare=True) as (live, who):
            table, observer = live.table, _observer(who, seat)
            refuse_if(observer is None or observer != table.to_move, "not_your_turn")
            check_fresh(table, n)
            refuse_if(not table.hints, "no_hints")
            return [show_seen_line(table, table.to_move, actions) for actions in lines]

    async def plan(self, who: Participant, *, seat: int | None = None) -> payloads.PlannedMoves:
        """The decisions that a seat can plan at a table by days, and its plan."""
        async with self._at(who, spare=True) as (live, who):
            table, observer = live.table, _observer(who, seat)
            if observer is None:
                raise refuse("not_seated")
            plans = table.definition.plans if table.clock.kind == "days" else {}
            return payloads.PlannedMoves(
                {name: decision.heading for name, decision in plans.items()},
                {name: list(decision.answers) for name, decision in plans.items()},
                dict(table.seats[observer].plan),
            )

    # ---- finished games -------------------------------------------------------------------------

    async def why(self, who: Participant, n: int, *, seat: int | None = None) -> payloads.Why:
        """Why a bot played the move of event ``n``: after the game as the bot saw it, before its
        end as far as the player who asks can see."""
        async with self._at(who, spare=True) as (live, who):
            observer = _observer(who, seat)
        with self._refusing(who.language):
            return await self._explanations.of(live, n, observer)

    async def course(self, table_id: str, language: str = "en") -> payloads.Course:
        """Every position of a finished game, for analysis."""
        async with self._at(Participant(table_id, language=language), spare=True) as (live, _):
            check_open(live.table)
            if live.course is None:
                live.course = await asyncio.to_thread(show_course, live.table)
            return live.course

    async def draws(self, table_id: str, language: str = "en") -> payloads.Draws:
        """The deal and the outcomes of a finished game, for the page to recompute."""
        async with self._at(Participant(table_id, language=language)) as (live, _):
            check_open(live.table)
            return show_draws(live.table)

    async def line(
        self, table_id: str, n: int, actions: Sequence[int], language: str = "en"
    ) -> list[payloads.Label]:
        """Labels for a line of actions from the position before event ``n``."""
        async with self._at(Participant(table_id, language=language), spare=True) as (live, _):
            check_open(live.table)
            return show_line(live.table, n, actions)

    async def record(self, table_id: str, language: str = "en") -> str:
        """The record of a finished game."""
        async with self._at(Participant(table_id, language=language), spare=True) as (live, _):
            table = live.table
            refuse_if(table.start is None, "not_playing")
            refuse_if(table.halted_at is not None, "older_rules")
            over = table.progress is not None and table.stage == "over"
            refuse_if(table.secret is None and not over, "not_over")
            if live.record is None or live.record[0] is not table:
                live.record = (table, str(record_of(table)))
            return live.record[1]

    # ---- duplicate play -------------------------------------------------------------------------

    async def duplicates(
        self, table_id: str, token: str | None, language: str = "en"
    ) -> payloads.Duplicates:
        """All tables that play the deal of a table, compared seat by seat."""
        with self._refusing(language):
            key = "" if token is None else hash_of(token)
            return await self._registry.run_to_completion(
                duplicates.results(self._registry, table_id, key)
            )

    async def all_duplicates(self, origin: str, language: str = "en") -> payloads.Duplicates:
        """As `duplicates`, with the links of all tables: do not show them to everybody."""
        with self._refusing(language):
            return await self._registry.run_to_completion(
                duplicates.all_results(self._registry, origin)
            )

    def daily_deals(self) -> dict[str, str]:
        """The origins of today's deals by game; empty if there are none."""
        if not self._registry.settings.daily:
            return {}
        day = self._registry.clock() // DAY
        ids = {game.name: daily.id_of(day, game.name) for game in games()}
        return {game: table for game, table in ids.items() if daily.game_of(table)}

    async def tables(self, limit: int = 100) -> list[payloads.TableLine]:
        """The public tables, latest activity first, without loading any; raises `StoreError`."""
        return [table_line(standing) for standing in await self._registry.store.listed(limit)]

    @asynccontextmanager
    async def _at(
        self, who: Participant, *, fresh: bool = False, spare: bool = False
    ) -> AsyncIterator[tuple[LiveTable, Participant]]:
        """Lock the table of a participant; yields it and the participant with their seats.

        ``spare``: what nobody needs to play, refused first during overload.
        """
        with self._refusing(who.language):
            refuse_if(spare and self._registry.overload.sheds_reads, "overloaded")
            async with self._registry.lock(who.table, fresh=fresh) as live:
                yield live, live.identify(who)

    @contextmanager
    def _refusing(self, language: str) -> Iterator[None]:
        """Count refusals, and translate them to the language of the caller."""
        try:
            yield
        except Refusal as refusal:
            self._registry.counts["refused"] += 1
            raise TableRefused(refusal.say(language)) from refusal


@contextmanager
def _unknown_if_unread() -> Iterator[None]:
    """If the log cannot be read nobody knows whether it has an earlier attempt of the request."""
    try:
        yield
    except Refusal as refusal:
        if refusal.code == "unavailable":
            raise refuse("unknown") from refusal
        raise


def _observer(who: Participant, wanted: int | None) -> int | None:
    """The seat whose view somebody gets; None: a spectator's."""
    if wanted is None:
        return who.seat
    refuse_if(wanted not in who.seats, "not_yours")
    return wanted
