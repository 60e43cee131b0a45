"""One of several workers on the same database: heartbeats, leases, presence, news of the others."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from archipel.store.errors import StoreError
from archipel.store.fingerprint import fingerprint
from archipel.tables.cluster.presence import RemotePresence
from archipel.tables.problems import STORE_TROUBLE, Refusal
from archipel.tables.registry import TableRegistry, log

if TYPE_CHECKING:
    from archipel.store.postgresql.cluster import Cluster, Lease

_TIDY_SECONDS = 600.0
_RETRY_SECONDS = 0.25
_LEAVE_SECONDS = 1.0
_PRESENCE_RETRY_SECONDS = 0.5
Spawn = Callable[[Coroutine[Any, Any, None]], object]


class Worker:
    """The heartbeats of this worker, and its part of the work. ``keeps``: it takes leases."""

    def __init__(self, registry: TableRegistry, cluster: Cluster, *, keeps: bool) -> None:
        self._registry = registry
        self._cluster = cluster
        self._leases = Leases(registry, cluster) if keeps else None
        self._presence_sync = PresenceSync(registry, cluster, self._spawn)
        self._tasks: set[asyncio.Task[None]] = set()
        self._workers: set[str] = set()
        self._tidied_at = 0.0
        cluster.bus.on_news = self._on_news
        cluster.bus.on_open = self._on_open

    async def start(self) -> None:
        await self._cluster.bus.start()
        supervise = self._registry.supervise
        supervise(self._spawn(self._beat_forever()), "the heartbeats of this worker")
        if self._leases is not None:
            supervise(self._spawn(self._leases.take_wanted()), "the leases of this worker")

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._cluster.bus.stop()
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(_LEAVE_SECONDS):
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

    def _on_open(self) -> None:
        self._spawn(self._refresh_all())

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
                if refusal.code not in STORE_TROUBLE:
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

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class Leases:
    """The worker with the lease of a table runs its bots and clocks, nobody else.

    The worker where a table becomes active takes the lease; a table whose holder is gone is taken
    by the first worker that notices.
    """

    def __init__(self, registry: TableRegistry, cluster: Cluster) -> None:
        self._registry = registry
        self._cluster = cluster
        self._wanted: set[str] = set()
        self._changed = asyncio.Event()
        #: Tables leased to other workers, and when we learnt that.
        self._others: dict[str, float] = {}
        registry.want_lease = self._want

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

    async def take_wanted(self) -> None:
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
            log.warning("table %s could not be resumed: %s", fingerprint(lease.table_id), refusal)
            if refusal.code == "stale" or refusal.code in STORE_TROUBLE:
                await self._retry([lease.table_id])
        except Exception:
            log.exception("table %s could not be resumed", fingerprint(lease.table_id))

    async def _resume(self, lease: Lease) -> None:
        async with self._registry.lock(lease.table_id, fresh=True) as live:
            await self._registry.allow_for_gap(live, lease.before)
            await self._registry.apply_due_events(live)
            self._registry.schedule(live)

    async def _retry(self, tables: list[str]) -> None:
        await asyncio.sleep(_RETRY_SECONDS)
        self._request(tables)


class PresenceSync:
    """Announces who is connected here, and fetches who is connected through other workers."""

    def __init__(self, registry: TableRegistry, cluster: Cluster, spawn: Spawn) -> None:
        self._registry = registry
        self._cluster = cluster
        self._spawn = spawn
        #: The latest presence of tables that is not announced yet; one task announces it.
        self._pending: dict[str, RemotePresence] = {}
        self._announcing = False
        registry.announce_presence = self._announce
        registry.fetch_presence = self._fetch
        cluster.bus.on_presence = self._on_presence

    def announce_all(self) -> None:
        """Announce all tables, under a new worker id or after the database lost them."""
        for table_id, presence in self._registry.presence.items():
            if presence.connections:
                self._announce(table_id)

    async def fetch_all(self) -> None:
        """Fetch and publish the presence at all tables with subscribers."""
        for live in list(self._registry.live_tables.values()):
            if live.subscriptions:
                await self._fetch_and_publish(live.id)

    def _announce(self, table_id: str) -> None:
        self._pending[table_id] = self._registry.presence_of(table_id).here
        if not self._announcing:
            self._announcing = True
            self._spawn(self._announce_pending())

    async def _announce_pending(self) -> None:
        try:
            while self._pending:
                table_id, here = next(iter(self._pending.items()))
                try:
                    await self._cluster.publish_presence(table_id, msgspec.json.encode(here))
                except StoreError as error:
                    log.warning("presence could not be announced: %s", error)
                    await asyncio.sleep(_PRESENCE_RETRY_SECONDS)
                    continue
                if self._pending.get(table_id) is here:
                    del self._pending[table_id]
        finally:
            self._announcing = False

    def _on_presence(self, table_id: str, worker: str) -> None:
        if table_id in self._registry.live_tables and worker != self._cluster.id:
            self._spawn(self._fetch_and_publish(table_id))

    async def _fetch_and_publish(self, table_id: str) -> None:
        while True:
            with suppress(StoreError):
                await self._read(table_id)
                self._registry.publish_presence(table_id)
                return
            await asyncio.sleep(_PRESENCE_RETRY_SECONDS)

    async def _fetch(self, table_id: str) -> None:
        try:
            await self._read(table_id)
        except StoreError:
            self._spawn(self._fetch_and_publish(table_id))

    async def _read(self, table_id: str) -> None:
        seats: set[int] = set()
        spectators = 0
        left_at: dict[int, int] = {}
        for neighbour in await self._cluster.presence(table_id):
            there = msgspec.json.decode(neighbour.body, type=RemotePresence)
            left = dict(there.left_at)
            if neighbour.gone_at is None:
                seats.update(there.seats)
                spectators += there.spectators
            else:
                left |= dict.fromkeys(there.seats, neighbour.gone_at)
            for seat, at in left.items():
                left_at[seat] = max(at, left_at.get(seat, at))
        self._registry.presence_of(table_id).learn(frozenset(seats), spectators, left_at)
