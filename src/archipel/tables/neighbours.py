"""Who is at a table by way of other workers: told when it changes here, learnt when there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import msgspec

from archipel.store import StoreError
from archipel.store.postgresql.company import Company
from archipel.tables.hall import Hall, log
from archipel.tables.presence import Elsewhere

_PAUSE_SECONDS = 0.5


class Neighbours:
    def __init__(
        self,
        hall: Hall,
        company: Company,
        beside: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._hall = hall
        self._company = company
        self._beside = beside
        #: What is to be told of which tables; one task tells it.
        self._untold: dict[str, Elsewhere] = {}
        self._telling = False
        hall.tell_presence = self._tell
        hall.learn_presence = self._learn
        company.bus.on_presence = self._on_presence

    def tell_all(self) -> None:
        """Under a new id, or to a database that has lost it."""
        for table_id, presence in self._hall.presence.items():
            if presence.connections:
                self._tell(table_id)

    async def learn_all(self) -> None:
        """Of all tables where somebody wants to know."""
        for place in list(self._hall.places.values()):
            if place.subscriptions:
                await self._learn_and_publish(place.id)

    def _tell(self, table_id: str) -> None:
        self._untold[table_id] = self._hall.presence_of(table_id).here
        if not self._telling:
            self._telling = True
            self._beside(self._tell_untold())

    async def _tell_untold(self) -> None:
        try:
            while self._untold:
                table_id, here = next(iter(self._untold.items()))
                try:
                    await self._company.tell_presence(table_id, msgspec.json.encode(here))
                except StoreError as error:
                    log.warning("who is here could not be told: %s", error)
                    await asyncio.sleep(_PAUSE_SECONDS)
                    continue
                if self._untold.get(table_id) is here:
                    del self._untold[table_id]
        finally:
            self._telling = False

    def _on_presence(self, table_id: str, worker: str) -> None:
        if table_id in self._hall.places and worker != self._company.id:
            self._beside(self._learn_and_publish(table_id))

    async def _learn_and_publish(self, table_id: str) -> None:
        while True:
            with suppress(StoreError):
                await self._ask(table_id)
                self._hall.presence_changed(table_id)
                return
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _learn(self, table_id: str) -> None:
        try:
            await self._ask(table_id)
        except StoreError:
            self._beside(self._learn_and_publish(table_id))

    async def _ask(self, table_id: str) -> None:
        seats: set[int] = set()
        spectators = 0
        left_at: dict[int, int] = {}
        for neighbour in await self._company.presence(table_id):
            told = msgspec.json.decode(neighbour.body, type=Elsewhere)
            left = dict(told.left_at)
            if neighbour.gone_at is None:
                seats.update(told.seats)
                spectators += told.spectators
            else:
                left |= dict.fromkeys(told.seats, neighbour.gone_at)
            for seat, at in left.items():
                left_at[seat] = max(at, left_at.get(seat, at))
        self._hall.presence_of(table_id).learn(frozenset(seats), spectators, left_at)
