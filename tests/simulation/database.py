"""A simulated PostgreSQL server, and the store, cluster and bus of a worker that is linked to it.

The statements are those of `archipel.store.postgresql` in Python: each is atomic, and durable when
it has run. What is lost, late or repeated is on the way there and back.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar, cast

from archipel.store.clock import SharedClock
from archipel.store.errors import LeaseLost, NoSuchTable, StoreError, StoreFailed
from archipel.store.postgresql.bus import BEAT, NEWS, PRESENCE
from archipel.store.postgresql.cluster import Cluster, Lease, WorkerPresence
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import Appended, Outlook
from tests.simulation.loop import Process, SimulatedLoop
from tests.support.memory_store import MemoryStore

Result = TypeVar("Result")

EPOCH = 1_700_000_000_000
#: Seconds after which a caller notices that its connection is dead.
_PATIENCE = 1.5
#: Seconds after which a connection repeats what did not arrive.
_RETRANSMISSION = 0.25


def at_once(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine that never waits."""
    try:
        work.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    raise AssertionError("it waited")


class Database:
    """The data, which survives every crash."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self.loop = loop
        self.process = loop.process("database")
        self.tables = MemoryStore(clock=self.now)
        self.workers: dict[str, float] = {}
        self.keepers: dict[str, str] = {}
        self.presence: dict[tuple[str, str], bytes] = {}
        self.listeners: list[BusConnection] = []
        self.is_up = True
        #: Called with the bodies of each append, and the worker that appends as the holder of the
        #: lease, if any.
        self.on_append: Callable[[Sequence[bytes], str | None], None] = lambda bodies, keeper: None

    def now(self) -> int:
        return EPOCH + int(self.loop.now * 1000)

    def is_alive(self, worker: str) -> bool:
        return self.workers.get(worker, 0) > self.now()

    def last_n(self, table_id: str) -> int:
        with suppress(NoSuchTable):
            return at_once(self.tables.last(table_id))
        return 0

    def notify(self, channel: str, payload: str) -> None:
        for listener in self.listeners:
            listener.deliver(channel, payload)

    def crash(self) -> None:
        """Close all connections; what was committed stays."""
        self.is_up = False
        self.presence.clear()
        for listener in list(self.listeners):
            listener.break_off()

    def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        request_id: str | None,
        keeper: str | None,
        given: Mapping[str, Any],
    ) -> Appended:
        self.on_append(events, keeper)
        is_kept = keeper is None or (self.keepers.get(table_id) == keeper and self.is_alive(keeper))
        if not is_kept and self.last_n(table_id) == expected_n:
            raise LeaseLost(table_id)
        answer = at_once(self.tables.append(table_id, expected_n, events, request_id, **given))
        if not answer.repeated:
            self.notify(NEWS, f"{table_id} {answer.last_n}")
        return answer


class Link:
    """The way of one worker to the database."""

    def __init__(self, process: Process, database: Database, chance: random.Random) -> None:
        self.process = process
        self.database = database
        self.chance = chance
        self.is_cut = False
        #: How much slower than usual, and how many of ten calls get lost.
        self.slowness = 1.0
        self.losses = 0.0

    def delay(self) -> float:
        return self.chance.uniform(0.0002, 0.004) * self.slowness

    async def call(self, work: Callable[[], Result]) -> Result:
        """Run a statement at the database; raises `StoreFailed` if its outcome is unknown."""
        loop = self.process.loop
        answered = loop.create_future()
        here, there = self.process.context.copy(), self.database.process.context.copy()

        def fail(why: str) -> None:
            if not answered.done():
                answered.set_exception(StoreFailed(why))

        def reply(result: Any, error: StoreError | None) -> None:
            if answered.done():
                return
            if error is None:
                answered.set_result(result)
            else:
                answered.set_exception(error)

        def arrive() -> None:
            if self.is_cut or not self.database.is_up or self.chance.random() < self.losses / 2:
                loop.call_later(_PATIENCE, fail, "the connection is lost", context=here)
                return
            result, error = None, None
            try:
                result = work()
            except StoreError as refused:
                error = refused
            if self.chance.random() < self.losses / 2:
                loop.call_later(_PATIENCE, fail, "the answer is lost", context=here)
            else:
                loop.call_later(self.delay(), back, result, error, context=here)

        def back(result: Any, error: StoreError | None) -> None:
            if self.is_cut:
                loop.call_later(_PATIENCE, fail, "the connection is lost", context=here)
            else:
                reply(result, error)

        loop.call_later(self.delay(), arrive, context=there)
        return cast(Result, await answered)


class LinkedStore:
    """The `EventStore` of a worker."""

    address = "simulated"

    def __init__(self, link: Link) -> None:
        self._link = link

    async def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        request_id: str | None = None,
        *,
        keeper: str | None = None,
        **given: Any,
    ) -> Appended:
        bodies = tuple(events)
        return await self._link.call(
            lambda: self._link.database.append(
                table_id, expected_n, bodies, request_id, keeper, given
            )
        )

    async def close(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._link.database.tables, name)

        async def call(*given: Any, **named: Any) -> Any:
            return await self._link.call(lambda: at_once(method(*given, **named)))

        return call


class BusConnection:
    """A connection that listens, as `Bus` uses it."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._callbacks: dict[str, Callable[..., None]] = {}
        self._on_end: Callable[[object], None] = lambda connection: None
        self._last = 0.0
        self._is_open = True
        link.database.listeners.append(self)

    def add_termination_listener(self, callback: Callable[[object], None]) -> None:
        self._on_end = callback

    async def add_listener(self, channel: str, callback: Callable[..., None]) -> None:
        await self._link.call(lambda: None)
        self._callbacks[channel] = callback

    async def execute(self, statement: str) -> None:
        await self._link.call(lambda: None)

    def terminate(self) -> None:
        self._is_open = False
        if self in self._link.database.listeners:
            self._link.database.listeners.remove(self)

    def deliver(self, channel: str, payload: str) -> None:
        if not self._link.process.is_dead:
            self._send(self._link.delay(), channel, payload)

    def _send(self, delay: float, channel: str, payload: str) -> None:
        # In order, as a connection delivers them.
        loop = self._link.process.loop
        self._last = max(self._last, loop.now + delay)
        context = self._link.process.context.copy()
        loop.call_at(self._last, self._arrive, channel, payload, context=context)

    def _arrive(self, channel: str, payload: str) -> None:
        if not self._is_open:
            return
        if self._link.is_cut:  # a connection that survives a short partition loses nothing
            self._send(_RETRANSMISSION, channel, payload)
        elif channel in self._callbacks:
            self._callbacks[channel](None, 0, channel, payload)

    def break_off(self) -> None:
        """The server closes the connection."""
        self.terminate()
        loop = self._link.process.loop
        context = self._link.process.context.copy()
        loop.call_later(self._link.delay(), self._on_end, self, context=context)


async def listen(link: Link) -> BusConnection:
    """`archipel.store.postgresql.connections.connect` of the simulation."""
    await link.call(lambda: None)
    return BusConnection(link)


class SimulatedCluster(Cluster):
    """`Cluster` with its statements run by a `Database`."""

    def __init__(self, link: Link, name: str, lease: float, passed: Callable[[], int]) -> None:
        self._linked = LinkedStore(link)
        super().__init__(cast(PostgresqlStore, self._linked), name, lease=lease)
        self.clock = SharedClock(passed)
        self._link = link
        self._database = link.database

    async def _set_clock(self, work: Callable[[], Result]) -> Result:
        sent = self.clock.passed()
        result, now = await self._link.call(lambda: (work(), self._database.now()))
        self.clock.set(now, sent, self.clock.passed())
        return result

    def _extend(self) -> None:
        self._database.workers[self.id] = self._database.now() + self.lease * 1000

    async def join(self) -> None:
        self.id = uuid.UUID(int=self._link.chance.getrandbits(128)).hex
        await self._set_clock(self._extend)

    async def renew(self) -> bool:
        self.bus.beat(self.id)

        def work() -> bool:
            self._database.notify(BEAT, self.id)
            if not self._database.is_alive(self.id):
                return False
            self._extend()
            return True

        return await self._set_clock(work)

    async def leave(self) -> None:
        def work() -> None:
            until = self._database.workers.get(self.id, 0)
            self._database.workers[self.id] = min(until, self._database.now())

        await self._link.call(work)

    async def workers(self) -> list[str]:
        known = self._database.workers
        return await self._link.call(lambda: sorted(filter(self._database.is_alive, known)))

    async def tidy(self) -> None:
        await self._link.call(lambda: None)

    async def acquire(self, tables: Sequence[str]) -> list[Lease]:
        wanted = sorted(tables)

        def work() -> list[Lease]:
            database, taken = self._database, []
            for table_id in wanted:
                holder = database.keepers.get(table_id)
                if not database.is_alive(self.id) or not database.last_n(table_id):
                    continue
                if holder not in (None, self.id) and database.is_alive(holder):
                    continue
                before = None
                if holder is not None and holder != self.id:
                    before = int(database.workers.get(holder, 0))
                database.keepers[table_id] = self.id
                taken.append(Lease(table_id, before))
            return taken

        return await self._link.call(work)

    async def release(self, tables: Sequence[str]) -> None:
        given = list(tables)

        def work() -> None:
            for table_id in given:
                if self._database.keepers.get(table_id) == self.id:
                    del self._database.keepers[table_id]

        await self._link.call(work)

    async def unleased(self, limit: int = 200) -> list[str]:
        def work() -> list[str]:
            standings = at_once(self._database.tables.awake())
            holder = self._database.keepers.get
            return [
                each.table_id
                for each in standings
                if not self._database.is_alive(holder(each.table_id, ""))
            ][:limit]

        return await self._link.call(work)

    async def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        *,
        private: Mapping[str, bytes] | None = None,
        outlook: Outlook | None = None,
    ) -> Appended:
        given: dict[str, Any] = {"private": private, "outlook": outlook, "keeper": self.id}
        return await self._linked.append(table_id, expected_n, events, **given)

    async def last_numbers(self, tables: Sequence[str]) -> dict[str, int]:
        given = list(tables)
        return await self._link.call(
            lambda: {each: n for each in given if (n := self._database.last_n(each))}
        )

    async def publish_presence(self, table_id: str, body: bytes) -> None:
        def work() -> None:
            self._database.presence[table_id, self.id] = body
            self._database.notify(PRESENCE, f"{table_id} {self.id}")

        await self._link.call(work)

    async def presence(self, table_id: str) -> list[WorkerPresence]:
        def work() -> list[WorkerPresence]:
            found = []
            for (table, worker), body in self._database.presence.items():
                if table == table_id and worker != self.id:
                    alive = self._database.is_alive(worker)
                    gone_at = None if alive else int(self._database.workers.get(worker, 0))
                    found.append(WorkerPresence(body, gone_at))
            return found

        return await self._link.call(work)
