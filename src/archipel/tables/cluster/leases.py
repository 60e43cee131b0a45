"""Leases on tables: the worker with the lease runs the bots and clocks of a table, nobody else.

The worker where a table becomes active takes the lease; a table whose holder is gone is taken by
the first worker that notices.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

from archipel.store.postgresql.cluster import Cluster, Lease
from archipel.tables.problems import Refusal
from archipel.tables.registry import TableRegistry, log

_RETRY_SECONDS = 0.25


class Leases:
    def __init__(
        self,
        registry: TableRegistry,
        cluster: Cluster,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._registry = registry
        self._cluster = cluster
        self._spawn = spawn
        self._wanted: set[str] = set()
        self._changed = asyncio.Event()
        #: Tables leased to other workers, and when we learnt that.
        self._others: dict[str, float] = {}
        registry.want_lease = self._want

    def start(self) -> None:
        self._spawn(self._take_wanted())

    def lose_all(self) -> None:
        """Give up all leases at once, and stop the bots."""
        self._registry.leased.clear()
        self._registry.deadlines.clear()
        for live in self._registry.live_tables.values():
            if live.bots is not None:
                live.bots.cancel()
                live.bots = None

    async def balance(self, workers: int) -> None:
        """Take our share of the tables without a holder, and release idle ones."""
        orphans = await self._cluster.unleased(self._registry.settings.taken_at_once)
        share = -(-len(orphans) // max(1, workers))
        if orphans:
            self._request(random.sample(orphans, share))
        idle = [
            table_id
            for table_id in self._registry.leased
            if table_id not in self._registry.live_tables
            and table_id not in self._registry.deadlines
        ]
        if idle:
            self._registry.leased.difference_update(idle)
            await self._cluster.release(idle)

    def _want(self, table_id: str) -> None:
        learnt = self._others.get(table_id)
        if learnt is None or time.monotonic() - learnt >= self._cluster.lease:
            self._request([table_id])

    def _request(self, tables: list[str]) -> None:
        self._wanted.update(tables)
        self._changed.set()

    async def _take_wanted(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            wanted, self._wanted = sorted(self._wanted), set()
            try:
                taken = await self._cluster.acquire(wanted)
            except Exception as error:
                log.warning("no lease could be taken: %s", error)
                await self._retry(wanted)
                continue
            now = time.monotonic()
            self._others = {
                table_id: learnt
                for table_id, learnt in self._others.items()
                if now - learnt < self._cluster.lease
            }
            self._others.update(dict.fromkeys(set(wanted) - {each.table_id for each in taken}, now))
            for each in taken:
                await self._take(each)

    async def _take(self, lease: Lease) -> None:
        self._registry.leased.add(lease.table_id)
        try:
            await self._registry.run_to_completion(self._resume(lease))
        except Refusal as refusal:
            # The lease of an unreadable table is kept, so that nobody retries over and over.
            log.warning("table %s could not be resumed: %s", lease.table_id[:4], refusal)
            if refusal.code in ("unavailable", "stale"):
                await self._retry([lease.table_id])
        except Exception:
            log.exception("table %s could not be resumed", lease.table_id[:4])

    async def _resume(self, lease: Lease) -> None:
        async with self._registry.lock(lease.table_id, fresh=True) as live:
            await self._registry.allow_for_gap(live, lease.before)
            await self._registry.apply_due_events(live)
            self._registry.schedule(live)

    async def _retry(self, tables: list[str]) -> None:
        await asyncio.sleep(_RETRY_SECONDS)
        self._request(tables)
