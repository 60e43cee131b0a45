"""Workers on one database, each with its own connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from archipel.store.postgresql.cluster import Cluster
from archipel.store.postgresql.store import PostgresqlStore
from archipel.tables import Settings, TableService
from tests.tables.people import BOTS, QUICK, FunctionBots, choose_seeded

#: Seconds without a heartbeat after which a worker counts as gone.
LEASE = 0.6


class Worker:
    """A worker; `die` leaves everything as a killed process would."""

    def __init__(self, store: PostgresqlStore, cluster: Cluster, service: TableService) -> None:
        self.store = store
        self.cluster = cluster
        self.service = service
        self.dead = False

    @classmethod
    async def begin(
        cls,
        address: str,
        settings: Settings = QUICK,
        *,
        keeps: bool = True,
        lease: float = LEASE,
        **given: Any,
    ) -> Worker:
        store = await PostgresqlStore.open(address, connections=4)
        cluster = Cluster(store, "worker", lease=lease)
        await cluster.join()
        service = TableService(
            store,
            settings=settings,
            cluster=cluster,
            keeps=keeps,
            **{"bot_executor": FunctionBots(choose_seeded), "bots_of": lambda game: BOTS, **given},
        )
        await service.start()
        return cls(store, cluster, service)

    @property
    def leased(self) -> set[str]:
        return self.service._registry.leased

    async def die(self) -> None:
        self.dead = True
        worker = self.service._worker
        assert worker is not None
        self.service._registry.stopping = True
        for task in [*worker._tasks, *self.service._maintenance._tasks, *self.service._bots._tasks]:
            task.cancel()
        await self.cluster.bus.stop()
        await self.store.close()

    async def end(self) -> None:
        if not self.dead:
            await self.service.stop()
            await self.store.close()


@asynccontextmanager
async def two_workers(
    address: str, settings: Settings = QUICK, **given: Any
) -> AsyncIterator[tuple[Worker, Worker]]:
    one = await Worker.begin(address, settings, **given)
    other = await Worker.begin(address, settings, **given)
    try:
        yield one, other
    finally:
        await one.end()
        await other.end()


async def until(is_so: Callable[[], bool] | Callable[[], Awaitable[bool]]) -> None:
    """Wait until a condition holds; fails after a while."""
    async with asyncio.timeout(120):
        while True:
            found = is_so()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(0.01)
