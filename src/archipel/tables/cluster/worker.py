"""One of several workers on the same database: heartbeats, and news of what the others append."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from archipel.store.errors import StoreError
from archipel.store.postgresql.cluster import Cluster
from archipel.tables.cluster.leases import Leases
from archipel.tables.cluster.presence_sync import PresenceSync
from archipel.tables.problems import Refusal
from archipel.tables.registry import TableRegistry, log

_TIDY_SECONDS = 600.0
_RETRY_SECONDS = 0.25


class Worker:
    """The heartbeats of this worker, and its part of the work. ``keeps``: it takes leases."""

    def __init__(self, registry: TableRegistry, cluster: Cluster, *, keeps: bool) -> None:
        self._registry = registry
        self._cluster = cluster
        self._leases = Leases(registry, cluster, self._spawn) if keeps else None
        self._presence_sync = PresenceSync(registry, cluster, self._spawn)
        self._tasks: set[asyncio.Task[None]] = set()
        self._workers: set[str] = set()
        self._tidied_at = 0.0
        cluster.bus.on_news = self._on_news
        cluster.bus.on_open = lambda: self._spawn(self._refresh_all())

    async def start(self) -> None:
        await self._cluster.bus.start()
        self._spawn(self._beat_forever())
        if self._leases is not None:
            self._leases.start()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._cluster.bus.stop()
        with suppress(StoreError):
            await self._cluster.leave()

    # ---- heartbeats -----------------------------------------------------------------------------

    async def _beat_forever(self) -> None:
        renewed_at = time.monotonic()
        while True:
            try:
                await self._beat()
                renewed_at = time.monotonic()
            except StoreError as error:
                log.warning("the heartbeat of this worker failed: %s", error)
                expired = time.monotonic() - renewed_at > self._cluster.lease
                if self._leases is not None and expired:
                    self._leases.lose_all()
            except Exception:
                log.exception("a heartbeat failed")
            await asyncio.sleep(self._cluster.lease / 3)

    async def _beat(self) -> None:
        if not await self._cluster.renew():
            log.warning("this worker was taken for gone: it enters again")
            if self._leases is not None:
                self._leases.lose_all()
            await self._cluster.join()
            self._presence_sync.announce_all()
        workers = set(await self._cluster.workers())
        if self._workers - workers:
            await self._presence_sync.fetch_all()
        self._workers = workers
        if self._leases is not None:
            await self._leases.balance(len(workers))
        if time.monotonic() - self._tidied_at > _TIDY_SECONDS:
            self._tidied_at = time.monotonic()
            await self._cluster.tidy()

    # ---- events appended by other workers -------------------------------------------------------

    def _on_news(self, table_id: str, n: int) -> None:
        live = self._registry.live_tables.get(table_id)
        if live is not None and live.loaded is not None:
            if n <= live.loaded.n:
                return  # often our own events
            live.announced_n = max(live.announced_n, n)
        if table_id in self._registry.leased or (live is not None and live.subscriptions):
            self._spawn(self._refresh(table_id))

    async def _refresh(self, table_id: str) -> None:
        """Lock the table, which reads and publishes the new events; retries until it succeeds."""
        while True:
            try:
                async with self._registry.lock(table_id):
                    return
            except Refusal as refusal:
                if refusal.code != "unavailable":
                    return
            await asyncio.sleep(_RETRY_SECONDS)

    async def _refresh_all(self) -> None:
        """Catch up after a time in which news may have been lost."""
        try:
            lasts = await self._cluster.last_numbers(list(self._registry.live_tables))
        except StoreError as error:
            log.warning("missed events could not be looked up: %s", error)
            for live in self._registry.live_tables.values():
                live.uncertain = True
            return
        for table_id, n in lasts.items():
            known = self._registry.live_tables.get(table_id)
            if known is not None and known.loaded is not None and n > known.loaded.n:
                known.announced_n = n
                await self._refresh(table_id)
        self._presence_sync.announce_all()
        await self._presence_sync.fetch_all()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
