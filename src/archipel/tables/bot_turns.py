"""Bots at live tables: asked beside the event loop, and answered only if still in time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from archipel.rules.kit import Stream, Tape, clone, stream_key
from archipel.tables.bot_players import bot_seed, choose_at_random
from archipel.tables.decisions import with_consequences
from archipel.tables.decisions.playing import play_for_bot, replace_bot
from archipel.tables.decisions.taking_back import plan_to_take_back
from archipel.tables.hall import Hall, log
from archipel.tables.place import Place
from archipel.tables.problems import Refusal
from archipel.tables.settings import Settings
from archipel.tables.table import Table
from archipel.tables.thinking import Asked, BotFailed, Chosen, Thinking


class BotTurns:
    """Lets bots play, one at a time per table."""

    def __init__(self, hall: Hall, thinking: Thinking) -> None:
        self._hall = hall
        self._thinking = thinking
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
            while place.table.bot_to_move is not None and self._hall.keeps(place):
                try:
                    await self._next_turn(place)
                    failures = 0
                except Refusal as refusal:
                    if refusal.code in ("stopping", "too_long"):
                        return
                    if refusal.code == "unavailable":
                        failures += 1
                        await asyncio.sleep(min(4, 2**failures / 4))
        except Exception:
            log.exception("table %s: the bots stopped", place.id[:4])
        finally:
            if place.bots is asyncio.current_task():
                place.bots = None
            self._hall.evict()

    async def _next_turn(self, place: Place) -> None:
        """A bot plays; or, if it fails, it leaves its seat to the next best of the house."""
        table, loop = place.table, asyncio.get_running_loop()
        started = loop.time()
        asked = question(table, place.secret)
        try:
            chosen = await self._thinking.choose(asked, self._hall.settings.bot_time / 1000)
        except BotFailed as failure:
            self._hall.counts["bot_failures"] += 1
            log.warning("bot %s failed at %s: %s", asked.bot, table.game, failure)
            if self._hall.moment(place).fallback(asked.bot) is not None:
                await self._hall.finish(self._replace(place.id, table.position_n, asked.bot))
                return
            chosen = Chosen(choose_at_random(asked.legal, asked.seed), "")
        if self._hall.settings.bot_delay:
            await self._hold_back(table, place, chosen.action, started)
        await self._hall.finish(self._play(place.id, table.position_n, chosen))

    async def _play(self, table_id: str, n: int, chosen: Chosen) -> None:
        async with self._hall.at(table_id) as place:
            moment = self._hall.moment(place)
            decided = play_for_bot(place.table, n, chosen.action, moment, chosen.by)
            consequences = with_consequences(place.table, decided, moment)
            await self._hall.accept(place, consequences, as_keeper=True)

    async def _replace(self, table_id: str, n: int, bot: str) -> None:
        async with self._hall.at(table_id) as place:
            decided = replace_bot(place.table, n, bot, self._hall.moment(place))
            await self._hall.accept(place, decided, as_keeper=True)

    async def _hold_back(self, table: Table, place: Place, action: int, asked_at: float) -> None:
        """Until people could follow and undo, or the position is gone, or nobody waits any more."""
        loop, settings = asyncio.get_running_loop(), self._hall.settings
        while place.table.position_n == table.position_n:
            place.stirred.clear()
            hurried = place.is_hurried
            pace = 0 if hurried else settings.bot_delay - int(1000 * (loop.time() - asked_at))
            grace = grace_left(table, action, settings, self._hall.clock(), hurried=hurried)
            if max(pace, grace) <= 0:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(max(pace, grace) / 1000):
                    await place.stirred.wait()


def question(table: Table, secret: bytes) -> Asked:
    """What the bot to move is asked, given its seat's view only, of which it forgets nothing."""
    definition = table.definition
    return Asked(
        table=table.id,
        game=table.game,
        bot=table.bot_to_move or "",
        view=definition.recalled(table.state, definition.to_move(table.state)),
        legal=definition.legal_actions(table.state),
        seed=bot_seed(secret, table.position_n),
    )


def grace_left(table: Table, action: int, settings: Settings, now: int, *, hurried: bool) -> int:
    """For how long a bot holds its answer back, so that a person can undo what they just did.

    Where nobody wants to wait, only an answer that would put an end to that is held back: what
    brings neither chance nor anything hidden is taken back along with what it answers.
    """
    plans = ((seat, plan_to_take_back(table, seat)) for seat in table.people)
    undoable = [table.moves[-plan.moves].n for _, plan in plans if plan and not plan.needs]
    if not undoable or (hurried and _stays_undoable(table, action)):
        return 0
    return max(0, table.log[max(undoable) - 1].at + settings.bot_delay_for_undo - now)


def _stays_undoable(table: Table, action: int) -> bool:
    """Whether after a bot's answer a person can still take back what they did before it, alone."""
    if len([seat for seat in table.people if table.seats[seat].is_person_playing]) > 1:
        return False
    tape = Tape((), Stream(stream_key(0, 0)))
    after = clone(table.state)
    table.definition.apply(after, action, tape)
    return not tape.outcomes and not table.definition.reveals(table.state, after)
