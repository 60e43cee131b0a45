"""Runs a plan: people play at a table while servers, network and disk fail; then judges it."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from archipel.chaos.checker import violations
from archipel.chaos.history import Answer, Call, History
from archipel.chaos.player import UNDECIDED, Gone, Player
from archipel.store.postgresql import bus as bus_module
from archipel.store.protocol import Event
from archipel.tables import TableRefused, TableService, commands
from archipel.tables.bots.turns import question
from archipel.tables.cluster import worker as worker_module
from archipel.tables.log import events
from archipel.tables.log.fold import fold
from tests.simulation.database import Database, at_once, listen
from tests.simulation.host import Host, choose
from tests.simulation.loop import CURRENT, SimulatedLoop, Stuck
from tests.simulation.network import Connection, Sent
from tests.simulation.pages import Node, Page, Pages, the_node
from tests.simulation.plan import Fault, Plan
from tests.simulation.sqlite import Disk
from tests.tables.secret_cards import secret_cards_registered

GAME = "secret-cards"
#: Virtual seconds after the last fault in which everything must have come to rest.
_PATIENCE = 120.0


@dataclass
class Outcome:
    """``problems`` is empty if every promise was kept; ``trace`` identifies the run exactly."""

    plan: Plan
    problems: list[str] = field(default_factory=list)
    trace: str = ""
    steps: int = 0
    events: int = 0
    acknowledged: int = 0
    seconds: float = 0.0


def run(plan: Plan, node: Node | None = None) -> Outcome:
    """``node`` runs the pages of a plan with pages."""
    return World(plan, node).run()


def shrink(plan: Plan, fails: Callable[[Plan], bool] | None = None) -> Plan:
    """The smallest plan found that still fails."""
    fails = fails or (lambda smaller: bool(run(smaller).problems))
    while True:
        for smaller in plan.smaller():
            if fails(smaller):
                plan = smaller
                break
        else:
            return plan


class World:
    def __init__(self, plan: Plan, node: Node | None = None) -> None:
        self.plan = plan
        self.outcome = Outcome(plan)
        self.loop = SimulatedLoop(self._chance("scheduler"))
        self.history = History()
        self.table_id = ""
        self._network = self._chance("network")
        self._trace = sha256()
        self.storage: Database | Disk
        if plan.kind == "sqlite":
            self.storage = Disk(self.loop, self._chance("disk"))
        else:
            self.storage = Database(self.loop)
            self.storage.on_append = self._check_lease
        self.hosts = [
            Host(number, self.storage, self._chance(f"host {number}"))
            for number in range(plan.servers)
        ]
        self.players: list[Player | Page] = []
        self._pages: Pages | None = None
        if plan.pages:
            self._pages = Pages(self.loop, node or the_node(), plan.seed)
        self._playing: list[asyncio.Task[None]] = []

    def _chance(self, purpose: str) -> random.Random:
        return random.Random(f"{self.plan.seed}/{purpose}")

    def run(self) -> Outcome:
        with _simulated(self):
            random.seed(self.plan.seed)  # for the jitter of retries
            main = self.loop.create_task(self._main())
            try:
                self.loop.run_until_complete(main)
            except Stuck as stuck:
                self._problem("stuck", str(stuck))
            except Exception as failure:
                self._problem("failed", f"{failure!r}")
            finally:
                errors = list(self.loop.errors)
                self.loop.dispose()
        for error in errors:
            self._problem("unhandled", error)
        self.outcome.steps, self.outcome.seconds = self.loop.steps, self.loop.now
        self._trace.update(f"{self.loop.steps} {self.loop.now}".encode())
        self.outcome.trace = self._trace.hexdigest()[:16]
        return self.outcome

    def _problem(self, kind: str, text: str) -> None:
        self.outcome.problems.append(f"{kind}: {text}")

    # ---- the story ------------------------------------------------------------------------------

    async def _main(self) -> None:
        for host in self.hosts:
            host.start()
        if self.plan.crash_after is not None:
            self._crash_after(self.hosts[0], self.plan.crash_after)
        people = self.loop.process("people")
        await people.run(self._sit_down())
        self._playing = [people.run(player.run()) for player in self.players]
        last = 0.0
        for fault in self.plan.faults:
            last = max(last, fault.at + fault.seconds)
            self.loop.call_later(fault.at, self._strike, fault)
        await self._until(lambda: self._is_played_out(last), last + _PATIENCE, "nobody can play")
        for player in self.players:
            player.is_quiet = True
        await self._until(self._is_at_rest, _PATIENCE, "the table does not come to rest")
        for player in self.players:
            player.stop = True
        for task in self._playing:
            await task
        await people.run(self._look_again())
        await self._judge()

    async def _sit_down(self) -> None:
        seats = [commands.SeatWish()] * self.plan.people + [commands.SeatWish("random")]
        new = commands.NewTable(GAME, seats, "P0", request="new-table-" + "x" * 16)
        made = await self._ask(lambda service: service.create(new))
        self.table_id, tokens = made.table, [made.token]
        for number in range(1, self.plan.people):
            join = commands.Join(f"P{number}", request=f"join-{number}-" + "x" * 16)
            joined = await self._ask(partial(TableService.join, table_id=made.table, request=join))
            tokens.append(joined.token)

        async def begin(service: TableService) -> Any:
            who = await service.identify(made.table, made.token)
            return await service.command(who, commands.Begin("begin"))

        call = Call("p0", made.table, "begin", {"type": "begin"}, self.loop.now)
        self.history.calls.append(call)
        begun = await self._ask(begin)
        call.answers.append(Answer(self.loop.now, "done", begun.n))
        for number, token in enumerate([*tokens, None]):
            self.players.append(self._player(number, token))

    def _player(self, number: int, token: str | None) -> Player | Page:
        chance = self._chance(f"player {number}")

        async def connect() -> Connection:
            return await self._connect(chance)

        who = f"p{number}", self.table_id, token, connect
        given: Any = {
            "chance": chance,
            "history": self.history,
            "clock": self.loop.time,
            "pace": 0.15,
        }
        if self._pages is None:
            # Impatient players repeat at another server what is still being stored.
            patience = self._chance(f"patience {number}").choice((0.6, 6.0))
            return Player(*who, **given, patience=patience)
        seat = None if token is None else number
        return Page(self._pages, *who, **given, seat=seat)

    async def _ask(self, work: Callable[[TableService], Awaitable[Any]]) -> Any:
        """Ask any server, again until one answers."""
        for _ in range(400):
            host = self._network.choice(self.hosts)
            if host.is_serving:
                try:
                    async with asyncio.timeout(8):
                        return await host.request(CURRENT.get(), work)
                except TimeoutError:
                    pass
                except TableRefused as refused:
                    if refused.problem.code not in UNDECIDED:
                        raise
            await asyncio.sleep(0.1)
        raise AssertionError("no server answers")

    async def _connect(self, chance: random.Random) -> Connection:
        await asyncio.sleep(self._network.uniform(0.001, 0.02))
        host = chance.choice(self.hosts)
        if not host.is_serving or host.process.is_frozen:
            raise Gone
        socket = Connection(CURRENT.get(), host.process, self._network, self._check_sent)
        host.accept(socket, self.table_id)
        return socket

    # ---- faults ---------------------------------------------------------------------------------

    def _strike(self, fault: Fault) -> None:
        chance = random.Random(fault.detail)
        host, later = self.hosts[fault.target], self.loop.call_later
        storage = self.storage
        link = host.link
        match fault.kind:
            case "crash":
                # Between two callbacks, that is at some `await`, soon.
                host.process.callbacks_left = chance.randint(1, 400)
                later(fault.seconds + 0.5, self._restart, host)
            case "restart" if host.is_serving:
                host.process.run(host.stop())
                later(fault.seconds + 1.5, self._restart, host)
            case "freeze":
                host.process.freeze()
                later(fault.seconds, host.process.thaw)
            case "sleep":
                host.process.freeze()
                later(fault.seconds, self._wake, host, int(fault.seconds * 1000 + 20_000))
            case "slow disk" if isinstance(storage, Disk):
                storage.slowness = chance.choice((60.0, 500.0))
                later(fault.seconds, setattr, storage, "slowness", 1.0)
            case "slow disk" if link is not None:
                link.slowness = chance.choice((60.0, 500.0))
                later(fault.seconds, setattr, link, "slowness", 1.0)
            case "disk failure" if isinstance(storage, Disk):
                steps = ("begin", "insert", "commit", "after commit", "read")
                storage.failures.extend(chance.choices(steps, k=chance.randint(1, 4)))
                later(fault.seconds, storage.failures.clear)
            case "partition" if link is not None:
                link.is_cut = True
                later(fault.seconds, setattr, link, "is_cut", False)
            case "lossy database" if link is not None:
                link.losses = 0.4
                later(fault.seconds, setattr, link, "losses", 0.0)
            case "cut bus" if isinstance(storage, Database):
                for listener in list(storage.listeners):
                    listener.break_off()
            case "database crash" if isinstance(storage, Database):
                storage.crash()
                later(fault.seconds, setattr, storage, "is_up", True)
            case "cut sockets":
                for socket in host.sockets:
                    socket.cut()
            case "stick sockets":
                for socket in host.sockets:
                    if not socket.is_closed:
                        socket.stick()
            case "slow sockets":
                for socket in host.sockets:
                    socket.slowness = chance.choice((10.0, 50.0))
            case "set clock":
                host.clock_error = chance.choice((-3_600_000, -5_000, 5_000, 86_400_000))

    def _crash_after(self, host: Host, callbacks: int) -> None:
        """Crash a server once, and start it again."""
        end = host.process.on_crash

        def crash() -> None:
            end()
            self.loop.call_later(0.1, host.start)

        host.process.on_crash = crash
        host.process.callbacks_left = callbacks

    def _restart(self, host: Host) -> None:
        host.process.crash()  # whatever of it is left
        host.start()

    def _wake(self, host: Host, slept: int) -> None:
        host.slept += slept
        host.process.thaw()

    # ---- the end --------------------------------------------------------------------------------

    async def _until(self, is_so: Callable[[], bool], seconds: float, problem: str) -> None:
        end = self.loop.now + seconds
        while not is_so():
            for task in self._playing:
                if task.done():
                    task.result()
            assert self.loop.now < end, problem
            await asyncio.sleep(0.25)

    def _is_played_out(self, last: float) -> bool:
        if self.loop.now < last or not all(host.is_serving for host in self.hosts):
            return False
        people = self.players[:-1]
        done = all(p.calls >= self.plan.commands and not p.is_waiting for p in people)
        return done or (self.loop.now > last + 6 and not any(p.is_waiting for p in people))

    def _is_at_rest(self) -> bool:
        if not all(host.is_serving for host in self.hosts):
            return False
        log = self._log()
        table = None
        for event in log:
            table = fold(table, events.decode(event.n, event.body))
        assert table is not None
        self.outcome.events = table.n
        return table.bot_to_move is None and all(p.n == table.n for p in self.players)

    async def _look_again(self) -> None:
        n = self.storage.last_n(self.table_id)
        for player in self.players:
            async with asyncio.timeout(60):
                await player.catch_up(n)
            self.history.views.append(player.view)

    def _log(self) -> list[Event]:
        if isinstance(self.storage, Database):
            return at_once(self.storage.tables.read(self.table_id))
        query = "SELECT n, at, body FROM event WHERE table_id = ? ORDER BY n"
        rows = self.storage.connection.execute(query, (self.table_id,)).fetchall()
        return [Event(*row) for row in rows]

    async def _judge(self) -> None:
        log = self._log()
        for event in log:
            self._trace.update(event.body)
        found = violations(self.table_id, log, self.history)
        for violation in found:
            self._problem(violation.kind, violation.text)
        self.outcome.acknowledged = sum(call.done is not None for call in self.history.calls)
        self._check_bots(log)

    # ---- checks at every moment -----------------------------------------------------------------

    def _check_sent(self, message: Sent) -> None:
        """Nobody is told of an event before it is durable."""
        self._trace.update(f"{message.type} {message.n} {self.loop.now}".encode())
        if message.type in ("welcome", "update", "done"):
            durable = self.storage.last_n(self.table_id)
            if message.n > durable:
                self._problem(
                    "early", f"{message.type} {message.n} was sent when {durable} was durable"
                )

    def _check_lease(self, bodies: Sequence[bytes], keeper: str | None) -> None:
        """Bots move, and clocks run out, only under the lease."""
        if keeper is None and any(b'"by":"bot"' in body for body in bodies):
            self._problem("lease", "a bot moved without the lease of its table")

    def _check_bots(self, log: list[Event]) -> None:
        """Every move of a bot is its choice in that position."""
        table = None
        for event in log:
            entry = events.decode(event.n, event.body)
            moved = entry.event
            if table is not None and isinstance(moved, events.Played) and moved.by == "bot":
                asked = question(table, self._secret(), table.state, moved.bot, table.position_n)
                if moved.bot and moved.action != choose(asked.legal, asked.seed):
                    self._problem("bot", f"event {event.n} is not the bot's choice there")
            table = fold(table, entry)

    def _secret(self) -> bytes:
        if isinstance(self.storage, Database):
            return at_once(self.storage.tables.get_private(self.table_id, "secret")) or b""
        query = "SELECT value FROM private WHERE table_id = ? AND key = 'secret'"
        return bytes(self.storage.connection.execute(query, (self.table_id,)).fetchone()[0])


class _Complaints(logging.Handler):
    """Errors in the log are failures: no fault may lead to an unexpected exception."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._world = world

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        self._world._problem("logged", f"{record.getMessage()} {error!r}")


@contextmanager
def _simulated(world: World) -> Iterator[None]:
    """The game of the tests, and virtual time for the modules that read the process's clock."""
    clock = SimpleNamespace(
        monotonic=world.loop.time, perf_counter=world.loop.time, time=world.loop.time
    )

    async def connect(address: str) -> Any:
        here = CURRENT.get()
        host = next(host for host in world.hosts if host.process is here)
        assert host.link is not None
        return await listen(host.link)

    complaints = _Complaints(world)
    logger = logging.getLogger("archipel")
    level = logger.level
    logger.addHandler(complaints)
    logger.setLevel(logging.ERROR)
    try:
        with (
            secret_cards_registered(),
            patch.object(bus_module, "time", clock),
            patch.object(bus_module, "connect", connect),
            patch.object(worker_module, "time", clock),
            patch("archipel.serve.api.connection.time", clock),
            patch("archipel.serve.rate_limits.time", clock),
        ):
            yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(complaints)
