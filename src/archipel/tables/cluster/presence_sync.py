"""Presence across workers: announces who is connected here, and fetches it from the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import msgspec

from archipel.store.errors import StoreError
from archipel.store.postgresql.cluster import Cluster
from archipel.tables.cluster.presence import RemotePresence
from archipel.tables.registry import TableRegistry, log

_RETRY_SECONDS = 0.5


class PresenceSync:
    def __init__(
        self,
        registry: TableRegistry,
        cluster: Cluster,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
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
                    await asyncio.sleep(_RETRY_SECONDS)
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
            await asyncio.sleep(_RETRY_SECONDS)

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
