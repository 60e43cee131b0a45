"""What happens at tables by itself: clocks run out, bots go on after a restart, dust is swept."""

from __future__ import annotations

import asyncio

from archipel.store import Outlook, StoreError, TableInfo
from archipel.tables.hall import PAGE, Hall, log
from archipel.tables.problems import Refusal


class Caretaker:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._tasks: list[asyncio.Task[None]] = []
        self._swept_at = 0

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        if self._hall.company is None:  # else whoever keeps a table takes it up
            self._tasks.append(loop.create_task(self._resume()))
        self._tasks.append(loop.create_task(self._keep_time()))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def tick(self) -> None:
        """Let clocks run out and archive idle tables, as of now."""
        watch = self._hall.watch
        watch.beat()
        after_a_gap, watch.is_news = watch.is_news, False
        now = self._hall.clock()
        for table_id, deadline in list(self._hall.deadlines.items()):
            if deadline <= now or after_a_gap:
                await self._look_after(table_id)
        for place in [place for place in self._hall.places.values() if place.uncertain]:
            await self._look_after(place.id)
        if now - self._swept_at >= self._hall.settings.sweep:
            self._swept_at = now
            await self._archive_idle(now)

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(self._hall.settings.tick / 1000)
            try:
                await self.tick()
            except Exception:
                log.exception("looking after the tables failed")

    async def _resume(self) -> None:
        """After a restart: load the tables where bots and clocks have to go on."""
        try:
            async for standing in self._hall.awake_tables():
                await self._look_after(standing.table_id, standing.outlook)
        except StoreError as error:
            log.warning("not all tables could be resumed: %s", error)

    async def _look_after(self, table_id: str, known: Outlook | None = None) -> None:
        try:
            await self._hall.finish(self._bring_up_to_date(table_id, known))
        except Refusal as refusal:
            if refusal.code != "unavailable":
                # Not to be tried again at every tick: whoever comes to the table will try.
                self._hall.deadlines.pop(table_id, None)
            log.warning("table %s could not be looked after: %s", table_id[:4], refusal)

    async def _bring_up_to_date(self, table_id: str, known: Outlook | None) -> None:
        """With the clock and with the store."""
        async with self._hall.at(table_id) as place:
            await self._hall.do_what_is_due(place)
            if known is not None:
                await self._hall.correct_outlook(place, known)

    async def _archive_idle(self, now: int) -> None:
        """Put tables aside that nobody has touched for long; they can still be opened."""
        before = (max(0, now - self._hall.settings.idle), "")
        try:
            while idle := await self._hall.store.tables(before=before, limit=PAGE):
                for info in idle:
                    await self._archive(info)
                before = idle[-1].cursor
        except StoreError as error:
            log.warning("idle tables could not be archived: %s", error)

    async def _archive(self, info: TableInfo) -> None:
        if info.table_id in self._hall.deadlines:
            return  # its clock will bring it to life
        if info.last_n == 0:  # its making was interrupted: there is nothing to keep
            await self._hall.store.delete(info.table_id)
            return
        place = self._hall.places.get(info.table_id)
        if place is not None and self._hall.is_needed(place):
            return
        await self._hall.store.archive(info.table_id)
        self._hall.counts["archived"] += 1
