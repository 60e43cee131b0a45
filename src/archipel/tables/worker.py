"""One of several servers on the same tables: hears what others do, and looks after its share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from archipel.store import StoreError
from archipel.store.postgresql.company import Company
from archipel.tables.hall import Hall, log
from archipel.tables.keeping import Keeping
from archipel.tables.neighbours import Neighbours
from archipel.tables.problems import Refusal

_TIDY_SECONDS = 600.0
_PAUSE_SECONDS = 0.25


class Worker:
    """Its life: there are beats, by which the others know that we are there."""

    def __init__(self, hall: Hall, company: Company, *, keeps: bool) -> None:
        self._hall = hall
        self._company = company
        self._keeping = Keeping(hall, company, self._beside) if keeps else None
        self._neighbours = Neighbours(hall, company, self._beside)
        self._tasks: set[asyncio.Task[None]] = set()
        self._workers: set[str] = set()
        self._tidied_at = 0.0
        company.bus.on_news = self._on_news
        company.bus.on_open = lambda: self._beside(self._look_at_everything())

    async def start(self) -> None:
        await self._company.bus.start()
        self._beside(self._beat_on())
        if self._keeping is not None:
            self._keeping.start()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._company.bus.stop()
        with suppress(StoreError):
            await self._company.leave()

    # ---- beats ----------------------------------------------------------------------------------

    async def _beat_on(self) -> None:
        heard_at = time.monotonic()
        while True:
            try:
                await self._beat()
                heard_at = time.monotonic()
            except StoreError as error:
                log.warning("this worker cannot be heard of: %s", error)
                if self._keeping is not None and time.monotonic() - heard_at > self._company.lease:
                    self._keeping.lose_all()
            except Exception:
                log.exception("a beat failed")
            await asyncio.sleep(self._company.lease / 3)

    async def _beat(self) -> None:
        if not await self._company.renew():
            log.warning("this worker was thought gone: it comes back")
            if self._keeping is not None:
                self._keeping.lose_all()
            await self._company.enter()
            self._neighbours.tell_all()
        there = set(await self._company.workers())
        if self._workers - there:
            await self._neighbours.learn_all()
        self._workers = there
        if self._keeping is not None:
            await self._keeping.look_for_orphans(len(there))
        if time.monotonic() - self._tidied_at > _TIDY_SECONDS:
            self._tidied_at = time.monotonic()
            await self._company.tidy()

    # ---- news -----------------------------------------------------------------------------------

    def _on_news(self, table_id: str, n: int) -> None:
        place = self._hall.places.get(table_id)
        if place is not None and place.loaded is not None:
            if n <= place.loaded.n:
                return  # often we are told of what we did ourselves
            place.heard = max(place.heard, n)
        if table_id in self._hall.kept or (place is not None and place.subscriptions):
            self._beside(self._look_at(table_id))

    async def _look_at(self, table_id: str) -> None:
        """Coming to a table is enough to learn what is new there; it must not be missed."""
        while True:
            try:
                async with self._hall.at(table_id):
                    return
            except Refusal as refusal:
                if refusal.code != "unavailable":
                    return
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _look_at_everything(self) -> None:
        """After a time in which news may have been lost."""
        try:
            lasts = await self._company.lasts(list(self._hall.places))
        except StoreError as error:
            log.warning("what was missed is not known: %s", error)
            for place in self._hall.places.values():
                place.uncertain = True
            return
        for table_id, n in lasts.items():
            known = self._hall.places.get(table_id)
            if known is not None and known.loaded is not None and n > known.loaded.n:
                known.heard = n
                await self._look_at(table_id)
        self._neighbours.tell_all()
        await self._neighbours.learn_all()

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
