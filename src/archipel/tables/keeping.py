"""Which tables this worker keeps: it lets their bots play and their clocks run out, nobody else.

A table that is awake is taken up by the worker where it woke; one whose keeper is gone, by whoever
looks first.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

from archipel.store.postgresql.company import Company, Kept
from archipel.tables.hall import Hall, log
from archipel.tables.problems import Refusal

_PAUSE_SECONDS = 0.25


class Keeping:
    def __init__(
        self,
        hall: Hall,
        company: Company,
        beside: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._hall = hall
        self._company = company
        self._beside = beside
        self._wanted: set[str] = set()
        self._something = asyncio.Event()
        #: Tables that others keep, and when we learnt that.
        self._others: dict[str, float] = {}
        hall.want_to_keep = self._want

    def start(self) -> None:
        self._beside(self._take_wanted())

    def lose_all(self) -> None:
        """We are not the keeper of anything any more."""
        self._hall.kept.clear()
        self._hall.deadlines.clear()
        for place in self._hall.places.values():
            if place.bots is not None:
                place.bots.cancel()
                place.bots = None

    async def look_for_orphans(self, workers: int) -> None:
        """Take our share of what nobody keeps, and let go what needs nobody."""
        orphans = await self._company.orphans(self._hall.settings.taken_at_once)
        share = -(-len(orphans) // max(1, workers))
        if orphans:
            self._wanted.update(random.sample(orphans, share))
            self._something.set()
        idle = [
            table_id
            for table_id in self._hall.kept
            if table_id not in self._hall.places and table_id not in self._hall.deadlines
        ]
        if idle:
            self._hall.kept.difference_update(idle)
            await self._company.release(idle)

    def _want(self, table_id: str) -> None:
        learnt = self._others.get(table_id)
        if learnt is not None and time.monotonic() - learnt < self._company.lease:
            return
        self._wanted.add(table_id)
        self._something.set()

    async def _take_wanted(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            wanted, self._wanted = sorted(self._wanted), set()
            try:
                kept = await self._company.keep(wanted)
            except Exception as error:
                log.warning("no table could be taken up: %s", error)
                await self._try_again(wanted)
                continue
            now = time.monotonic()
            self._others = {
                table_id: learnt
                for table_id, learnt in self._others.items()
                if now - learnt < self._company.lease
            }
            self._others.update(dict.fromkeys(set(wanted) - {each.table_id for each in kept}, now))
            for each in kept:
                await self._take_up(each)

    async def _take_up(self, kept: Kept) -> None:
        self._hall.kept.add(kept.table_id)
        try:
            await self._hall.finish(self._go_on(kept))
        except Refusal as refusal:
            # What cannot be read stays ours, so that nobody tries over and over.
            log.warning("table %s could not be taken up: %s", kept.table_id[:4], refusal)
            if refusal.code in ("unavailable", "stale"):
                await self._try_again([kept.table_id])
        except Exception:
            log.exception("table %s could not be taken up", kept.table_id[:4])

    async def _go_on(self, kept: Kept) -> None:
        async with self._hall.at(kept.table_id, fresh=True) as place:
            await self._hall.forgive_gap(place, kept.before)
            await self._hall.do_what_is_due(place)
            self._hall.look_ahead(place)

    async def _try_again(self, tables: list[str]) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        self._wanted.update(tables)
        self._something.set()
