"""Periodic work on all tables: expiring clocks, resuming after a restart, archiving idle tables."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from archipel.store.clock import Clock
from archipel.store.errors import StoreError
from archipel.store.fingerprint import fingerprint
from archipel.store.protocol import Outlook, TableInfo
from archipel.tables.problems import STORE_TROUBLE, Refusal
from archipel.tables.publishing.views import outlook_of

if TYPE_CHECKING:
    from archipel.tables.registry import TableRegistry

log = logging.getLogger("archipel.tables")

_PAGE = 1000


class SuspensionDetector:
    """Detects time the process spent suspended, from gaps between heartbeats."""

    def __init__(self, clock: Clock, gap: int | None) -> None:
        """More than ``gap`` milliseconds between heartbeats is a suspension; None: never."""
        self._clock = clock
        self._gap = gap
        self._heartbeat_at: int | None = None
        #: The start of the process, or the end of the last suspension.
        self.awake_since = clock()
        #: When the last suspension began; None if there was none.
        self.away_from: int | None = None
        #: Whether a suspension was detected since this was last reset.
        self.is_new = False

    def start(self) -> None:
        self._heartbeat_at = self.awake_since = self._clock()

    def heartbeat(self) -> None:
        self.check()
        if self._heartbeat_at is not None:
            self._heartbeat_at = self._clock()

    def check(self) -> None:
        now, last = self._clock(), self._heartbeat_at
        if self._gap is None or last is None or now - last <= self._gap:
            return
        self.away_from, self.awake_since, self._heartbeat_at = last, now, now
        self.is_new = True


class Maintenance:
    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._tasks: list[asyncio.Task[None]] = []
        self._archived_at = 0

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        if self._registry.cluster is None:  # in a cluster the holder of the lease resumes a table
            self._tasks.append(loop.create_task(self._resume()))
        ticking = loop.create_task(self._tick_forever())
        self._registry.supervise(ticking, "the maintenance of the tables")
        self._tasks.append(ticking)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def tick(self) -> None:
        """Expire clocks and archive idle tables, as of now."""
        registry, suspension = self._registry, self._registry.suspension
        suspension.heartbeat()
        suspended, suspension.is_new = suspension.is_new, False
        now = registry.clock()
        for table_id, deadline in list(registry.deadlines.items()):
            if deadline <= now or suspended:
                await self._update(table_id)
        for live in [live for live in registry.live_tables.values() if live.uncertain]:
            await self._update(live.id)
        registry.evict_unused()
        if now - self._archived_at >= registry.settings.sweep:
            self._archived_at = now
            await self._archive_idle(now)

    async def _tick_forever(self) -> None:
        while True:
            await asyncio.sleep(self._registry.settings.tick / 1000)
            try:
                await self.tick()
            except Exception:
                log.exception("maintenance of the tables failed")

    async def _resume(self) -> None:
        """After a restart: load the tables where bots and clocks have to continue."""
        try:
            after = ""
            while page := await self._registry.store.awake(after, _PAGE):
                for standing in page:
                    await self._update(standing.table_id, standing.outlook)
                after = page[-1].table_id
        except StoreError as error:
            log.warning("not all tables could be resumed: %s", error)

    async def _update(self, table_id: str, known: Outlook | None = None) -> None:
        try:
            await self._registry.run_to_completion(self._bring_up_to_date(table_id, known))
        except Refusal as refusal:
            if refusal.code not in STORE_TROUBLE:
                # Do not retry at every tick: the next visitor of the table does.
                self._registry.deadlines.pop(table_id, None)
            log.warning("table %s could not be updated: %s", fingerprint(table_id), refusal)

    async def _bring_up_to_date(self, table_id: str, known: Outlook | None) -> None:
        async with self._registry.lock(table_id) as live:
            await self._registry.apply_due_events(live)
            found = outlook_of(live.table)
            if known is not None and found != known:  # an older version wrote it
                await self._registry.store.set_outlook(live.id, found)

    async def _archive_idle(self, now: int) -> None:
        """Archive tables without activity; they can still be opened."""
        before = (max(0, now - self._registry.settings.idle), "")
        try:
            while idle := await self._registry.store.tables(before=before, limit=_PAGE):
                for info in idle:
                    await self._archive(info)
                before = idle[-1].cursor
        except StoreError as error:
            log.warning("idle tables could not be archived: %s", error)

    async def _archive(self, info: TableInfo) -> None:
        if info.table_id in self._registry.deadlines:
            return  # its clock runs
        if info.last_n == 0:  # its creation was interrupted: it is empty
            await self._registry.store.delete(info.table_id)
            return
        live = self._registry.live_tables.get(info.table_id)
        if live is not None and self._registry.is_needed(live):
            return
        await self._registry.store.archive(info.table_id)
        self._registry.counts["archived"] += 1
