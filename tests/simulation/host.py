"""A simulated server process: the real tables, registry, worker and connections."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

from archipel.serve.api.connection import Connection as ServerConnection
from archipel.serve.metrics import Metrics
from archipel.store.clock import SteadyClock
from archipel.store.errors import StoreError
from archipel.store.protocol import EventStore
from archipel.tables import Settings, TableService
from archipel.tables.bots.executor import BotAnswer, BotFailed, BotQuestion
from tests.serve.running import RELAXED
from tests.simulation.database import EPOCH, Database, Link, LinkedStore, SimulatedCluster
from tests.simulation.loop import Process, SimulatedLoop
from tests.simulation.network import Connection
from tests.simulation.sqlite import Disk, SimulatedSqliteStore
from tests.tables.people import Repeatable

LEASE = 1.5
#: Short times, so that a simulation of seconds meets all of them; one table in memory.
SETTINGS = Settings(
    away=1_500,
    bot_delay=20,
    bot_delay_for_undo=150,
    tick=250,
    gap=3_000,
    tables_in_memory=1,
    queue=24,
    log_page=30,
)


def choose(legal: Any, seed: int) -> int:
    """The move of every bot: the checker can compute it."""
    return int(legal[seed % len(legal)])


class SimulatedBots:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def start(self) -> None:
        pass

    async def choose(
        self, asked: BotQuestion, seconds: float, *, consider: bool = False
    ) -> BotAnswer:
        await asyncio.sleep(self._chance.uniform(0, 0.3))
        if self._chance.random() < 0.04:
            raise BotFailed("simulated")
        return BotAnswer(choose(asked.legal, asked.seed), asked.bot)

    async def stop(self) -> None:
        pass


class Host:
    """A server that can be started again after each end. ``storage`` survives."""

    def __init__(self, number: int, storage: Database | Disk, chance: random.Random) -> None:
        self.number = number
        self.chance = chance
        self.storage = storage
        self.loop: SimulatedLoop = storage.loop
        #: The error of the system's clock, and for how long the machine slept (milliseconds).
        self.clock_error = chance.choice((0, 0, 60_000, -45_000))
        self.slept = 0
        self.starts = 0
        self.is_serving = False
        self.sockets: list[Connection] = []
        self.link: Link | None = None
        self.process: Process
        self.service: TableService
        self._connections: dict[ServerConnection, None] = {}  # ordered, unlike a set

    def start(self) -> None:
        self.starts += 1
        self.is_serving = False
        self.process = self.loop.process(f"server {self.number}")
        self.process.on_crash = self._cut_sockets
        self._connections = {}
        self.process.run(self._serve(self.process))

    def passed(self) -> int:
        """Milliseconds since the machine was started, sleep included."""
        return int(self.loop.now * 1000) + self.slept

    def wall(self) -> int:
        return EPOCH + self.clock_error + self.passed()

    async def _serve(self, process: Process) -> None:
        given: dict[str, Any] = {}
        if isinstance(self.storage, Disk):
            clock = SteadyClock(self.wall, self.passed)
            store: Any = SimulatedSqliteStore(self.storage, clock)
            given = {"clock": clock, "watchful": True}
        else:
            self.link = Link(process, self.storage, self.chance)
            store = LinkedStore(self.link)
            name = f"server-{self.number}"
            cluster = SimulatedCluster(self.link, name, LEASE, self.passed)
            while True:
                try:
                    await cluster.join()
                    break
                except StoreError:
                    await asyncio.sleep(0.2)
            given = {"cluster": cluster}
        self.service = TableService(
            cast(EventStore, store),
            settings=SETTINGS,
            randomness=Repeatable(f"{self.chance.random()}"),
            bot_executor=SimulatedBots(self.chance),
            bots_of=lambda game: ("random", "greedy"),
            **given,
        )
        while True:
            try:
                await self.service.start()
                break
            except StoreError:  # a supervisor would start the process again
                await asyncio.sleep(0.2)
        nobody_waits = SimpleNamespace(wait=lambda address, amount=1.0: 0.0)
        self._application: Any = SimpleNamespace(
            service=self.service,
            settings=RELAXED,
            metrics=Metrics(),
            messages=nobody_waits,
            frames=nobody_waits,
            profiles=None,
        )
        self._store = store
        self.is_serving = True

    async def stop(self) -> None:
        """Shut down in order, as `Application` does."""
        self.is_serving = False
        for connection in list(self._connections):
            connection.stop(1012)
        while self._connections:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await self.service.stop()
        await self._store.close()

    def accept(self, socket: Connection, table_id: str) -> None:
        self.sockets.append(socket)
        self.process.run(
            self._run(ServerConnection(socket.server_end(table_id), "", self._application))
        )

    async def _run(self, connection: ServerConnection) -> None:
        connections = self._connections
        connections[connection] = None
        try:
            await connection.run()
        except Exception as error:
            self.loop.errors.append(f"a connection ended: {error!r}")
        finally:
            connections.pop(connection, None)

    def _cut_sockets(self) -> None:
        self.is_serving = False
        for socket in self.sockets:
            socket.cut()
        self.sockets.clear()

    def request(
        self, client: Process, work: Callable[[TableService], Awaitable[Any]]
    ) -> asyncio.Future[Any]:
        """An HTTP request from a client process."""
        answered = self.loop.create_future()

        def answer(result: Any, error: Exception | None) -> None:
            if not answered.done():
                if error is None:
                    answered.set_result(result)
                else:
                    answered.set_exception(error)

        def delay() -> float:
            return self.chance.uniform(0.001, 0.03)

        async def handle() -> None:
            result, error = None, None
            try:
                result = await work(self.service)
            except Exception as raised:
                error = raised
            there = client.context.copy()
            self.loop.call_later(delay(), answer, result, error, context=there)

        def arrive() -> None:
            if self.is_serving:
                self.process.run(handle())

        self.loop.call_later(delay(), arrive, context=self.process.context.copy())
        return answered
