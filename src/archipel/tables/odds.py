"""A seat's chances, estimated by playouts from its view alone, beside the event loop."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from archipel.bots import BotInfo, UnknownBotError, roster_of
from archipel.bots.playouts import Chances, play_out, warm_playouts
from archipel.rules.kit.loading import Warming
from archipel.tables.problems import refuse
from archipel.tables.settings import Settings


class OddsMaker:
    """Makes one estimate after the other in a thread of its own.

    From the first estimate of a game on, its playouts are compiled in another process; until that
    is done, and where there is no compiler, they are interpreted and fewer fit into the time.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._thread = ThreadPoolExecutor(1, "archipel-odds")
        self._warmings: dict[str, Warming] = {}
        self._waiting = 0

    def is_final(self, game: str, playouts: int) -> bool:
        """Whether asking again would give no better estimate than one from so many playouts."""
        return playouts >= self._settings.odds_playouts or not (
            game in self._warmings and self._warmings[game].backend.compiled
        )

    async def estimate(
        self, game: str, view: Any, seat: int, seed: int
    ) -> tuple[int, str, dict[str, float]]:
        """How many playouts, with which bot, and how often each hope of the seat came true.

        ``win`` is in every game.  Raises `Refusal` if too many are waiting.
        """
        if self._waiting >= self._settings.odds_waiting:
            raise refuse("busy")
        bot = self._bot(game)
        self._waiting += 1
        try:
            chances = await asyncio.get_running_loop().run_in_executor(
                self._thread, self._play_out, bot, view, seed
            )
        finally:
            self._waiting -= 1
        hopes = {name: seats[seat] for name, seats in chances.hopes.items()}
        return chances.playouts, bot.name, {"win": chances.wins[seat], **hopes}

    async def stop(self) -> None:
        # The estimate under way may be about to start the compiler: let it end first.
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)
        for warming in self._warmings.values():
            await asyncio.to_thread(warming.close)

    def _bot(self, game: str) -> BotInfo:
        roster = roster_of(game)
        try:
            return roster.named(self._settings.odds_bot)
        except UnknownBotError:
            return roster.bots[-1]

    def _play_out(self, bot: BotInfo, view: Any, seed: int) -> Chances:
        if bot.game not in self._warmings:
            self._warmings[bot.game] = warm_playouts(bot.game)
        return play_out(
            self._warmings[bot.game].backend,
            bot,
            view,
            self._settings.odds_playouts,
            seed=seed,
            milliseconds=self._settings.odds_time,
        )
