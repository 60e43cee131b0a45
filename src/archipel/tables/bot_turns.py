"""Bots at live tables: asked beside the event loop, and answered only if still in time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Executor
from typing import Any

from archipel.tables.bot_players import Choose, choose_at_random
from archipel.tables.decisions import with_consequences
from archipel.tables.decisions.playing import play_for_bot
from archipel.tables.hall import Hall, log
from archipel.tables.place import Place
from archipel.tables.problems import Refusal
from archipel.tables.settings import Settings
from archipel.tables.table import Table


class BotTurns:
    """Lets bots play, one at a time per table, in the executor."""

    def __init__(self, hall: Hall, executor: Executor, choose: Choose) -> None:
        self._hall = hall
        self._executor = executor
        self._choose = choose
        self._tasks: set[asyncio.Task[None]] = set()
        hall.wake_bots = self._wake

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _wake(self, place: Place) -> None:
        work: Coroutine[Any, Any, None] = self._let_bots_play(place)
        place.bots = asyncio.get_running_loop().create_task(work)
        self._tasks.add(place.bots)
        place.bots.add_done_callback(self._tasks.discard)

    async def _let_bots_play(self, place: Place) -> None:
        """Until a person is to move. An answer to a position that is gone is dropped."""
        failures = 0
        try:
            while place.table.bot_to_move is not None:
                asked = place.table
                action = await self._ask_bot(asked)
                try:
                    await self._hall.finish(self._play(place.id, asked.position_n, action))
                    failures = 0
                except Refusal as refusal:
                    if refusal.code in ("stopping", "too_long"):
                        return
                    if refusal.code == "unavailable":
                        failures += 1
                        await asyncio.sleep(min(30, 2**failures / 4))
        except Exception:
            log.exception("table %s: the bots stopped", place.id[:4])
        finally:
            place.bots = None
            self._hall.evict()

    async def _play(self, table_id: str, n: int, action: int) -> None:
        async with self._hall.at(table_id) as place:
            moment = self._hall.moment(place)
            decided = play_for_bot(place.table, n, action, moment)
            await self._hall.accept(place, with_consequences(place.table, decided, moment))

    async def _ask_bot(self, table: Table) -> int:
        """An action of the bot to move, given its seat's view only; at random if it fails."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        settings = self._hall.settings
        definition, bot = table.definition, table.bot_to_move
        view = definition.recalled(table.state, definition.to_move(table.state))
        legal = definition.legal_actions(table.state)
        seed = int.from_bytes(self._hall.randomness(8), "big")
        try:
            thinking = loop.run_in_executor(
                self._executor, self._choose, table.game, bot or "", view, legal, seed
            )
            async with asyncio.timeout(settings.bot_time / 1000):
                action = await thinking
            if action not in legal:
                raise ValueError(f"action {action} is not one of {legal}")
        except Exception as error:
            self._hall.counts["bot_failures"] += 1
            log.warning("bot %s failed at %s: %r; a random action instead", bot, table.game, error)
            action = choose_at_random(legal, seed)
        await asyncio.sleep(bot_delay(table, settings) / 1000 - (loop.time() - started))
        return action


def bot_delay(table: Table, settings: Settings) -> int:
    """How long a bot takes at the least, so that people can follow, and undo what they just did."""
    last = table.moves[-1] if table.moves else None
    may_be_undone = last is not None and last.by == "person" and last.free
    if settings.bot_delay and may_be_undone:
        return settings.bot_delay_for_undo
    return settings.bot_delay
