"""The turns of bots at live tables; a move for an outdated position is dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from archipel.rules.kit import Stream, Tape, clone, stream_key
from archipel.store.fingerprint import fingerprint
from archipel.tables.bots.executor import BotAnswer, BotExecutor, BotFailed, BotQuestion
from archipel.tables.bots.players import bot_seed, choose_at_random
from archipel.tables.decisions import with_consequences
from archipel.tables.decisions.context import Context, Decision, Events
from archipel.tables.decisions.playing import plan_to_take_back, play_for_bot, replace_bot
from archipel.tables.live_table import LiveTable
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import STORE_TROUBLE, Refusal
from archipel.tables.registry import TableRegistry, log
from archipel.tables.settings import Settings

#: Seconds between two looks at the load.
_OVERLOAD_PAUSE = 0.1


class BotTurns:
    """Lets bots move, one at a time per table."""

    def __init__(self, registry: TableRegistry, executor: BotExecutor) -> None:
        self._registry = registry
        self._executor = executor
        self._tasks: set[asyncio.Task[None]] = set()
        registry.wake_bots = self._wake

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _wake(self, live: LiveTable) -> None:
        live.bots = asyncio.get_running_loop().create_task(self._play_until_person(live))
        self._tasks.add(live.bots)
        live.bots.add_done_callback(self._tasks.discard)

    async def _play_until_person(self, live: LiveTable) -> None:
        """Let bots move until a person is to move."""
        failures = 0
        try:
            while live.table.bot_to_move is not None and self._registry.holds_lease(live):
                try:
                    await self._next_turn(live)
                    failures = 0
                except Refusal as refusal:
                    if refusal.code in ("stopping", "too_long"):
                        return
                    if refusal.code in STORE_TROUBLE:
                        failures += 1
                        await asyncio.sleep(min(4, 2**failures / 4))
        except Exception:
            log.exception("table %s: the bots stopped", fingerprint(live.id))
        finally:
            if live.bots is asyncio.current_task():
                live.bots = None
            self._registry.evict()

    async def _next_turn(self, live: LiveTable) -> None:
        """Let a bot move; one that fails is replaced by the fallback bot."""
        await self._let_people_play()
        table, registry = live.table, self._registry
        started = asyncio.get_running_loop().time()
        bot = table.bot_to_move or ""
        asked = question(table, live.secret, table.state, bot, table.position_n)
        chosen: BotAnswer | None = None
        try:
            chosen = await self._executor.choose(asked, registry.settings.bot_time / 1000)
        except BotFailed as failure:
            registry.counts["bot_failures"] += 1
            log.warning("bot %s failed at %s: %s", asked.bot, table.game, failure)
        except Exception:
            registry.counts["bot_failures"] += 1
            log.exception("bot %s could not be asked at %s", asked.bot, table.game)
        if chosen is None:
            if registry.context(live).fallback(asked.bot) is not None:
                replaced = partial(replace_bot, n=table.position_n, bot=asked.bot)
                await registry.run_to_completion(self._commit(live.id, replaced))
                return
            chosen = BotAnswer(choose_at_random(asked.legal, asked.seed), "")
        if registry.settings.bot_delay:
            await self._hold_back(table, live, chosen.action, started)
        played = partial(play_for_bot, n=table.position_n, action=chosen.action, bot=chosen.by)
        await registry.run_to_completion(self._commit(live.id, played))

    async def _let_people_play(self) -> None:
        """During overload bots wait, but not for ever."""
        if not self._registry.overload.sheds_reads:
            return
        patience = self._registry.settings.bot_patience / 1000
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._registry.overload.sheds_reads:  # noqa: ASYNC110
                    await asyncio.sleep(_OVERLOAD_PAUSE)

    async def _commit(
        self, table_id: str, decide: Callable[[TableState, Context], Events | Decision]
    ) -> None:
        async with self._registry.lock(table_id) as live:
            context = self._registry.context(live)
            decision = with_consequences(live.table, decide(live.table, context), context)
            await self._registry.commit(live, decision, with_lease=True)

    async def _hold_back(
        self, table: TableState, live: LiveTable, action: int, asked_at: float
    ) -> None:
        """Wait until people could follow and undo, the position is gone, or nobody waits."""
        loop, settings = asyncio.get_running_loop(), self._registry.settings
        while live.table.position_n == table.position_n:
            live.activity.clear()
            hurried = live.is_hurried
            pace = 0 if hurried else settings.bot_delay - int(1000 * (loop.time() - asked_at))
            now = self._registry.now_at(live)
            grace = grace_left(table, action, settings, now, hurried=hurried)
            if max(pace, grace) <= 0:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(max(pace, grace) / 1000):
                    await live.activity.wait()


def question(table: TableState, secret: bytes, state: Any, bot: str, n: int) -> BotQuestion:
    """The question to ``bot`` in position ``state``, which event ``n`` led to: the view of the seat
    to move, with all the seat was ever shown."""
    view = table.definition.recalled(state, table.definition.to_move(state))
    legal = table.definition.legal_actions(state)
    if table.origin:
        # The same at all tables of a deal: which decision of the seat it is, not which event.
        seat = table.definition.to_move(state)
        own = sum(move.event.seat == seat for move in table.moves if move.n <= n)
        n = seat << 32 | own
    return BotQuestion(table.id, table.game, bot, view, legal, bot_seed(secret, n))


def grace_left(
    table: TableState, action: int, settings: Settings, now: int, *, hurried: bool
) -> int:
    """How long (ms) a bot still holds its move back, so that a person can undo their last move.

    If nobody wants to wait, only moves that would end the possibility to undo are held back: a free
    move is taken back along with the move it answers.
    """
    plans = ((seat, plan_to_take_back(table, seat)) for seat in table.people)
    undoable = [table.moves[-plan.moves].n for _, plan in plans if plan and not plan.needs]
    if not undoable or (hurried and _stays_undoable(table, action)):
        return 0
    return max(0, table.log[max(undoable) - 1].at + settings.bot_delay_for_undo - now)


def _stays_undoable(table: TableState, action: int) -> bool:
    """Whether a person can still undo their last move alone after this move of a bot."""
    if len(table.players) > 1:
        return False
    tape = Tape((), Stream(stream_key(0, 0)))
    after = clone(table.state)
    table.definition.apply(after, action, tape)
    return not tape.outcomes and not table.definition.reveals(table.state, after)
