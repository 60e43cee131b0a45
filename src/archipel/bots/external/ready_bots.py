"""Bots that answer at once: a fallback plays until the search is compiled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from archipel.bots.all_bots import player_named, roster_of
from archipel.bots.contract import BotInfo, Level, UnknownBotError
from archipel.bots.live import Bot
from archipel.bots.search.search import search_program
from archipel.rules.kit.core.loading import can_compile, is_compiled_already, load_backend
from archipel.rules.kit.core.program import Backend

#: Family of the bot that plays while a search is not compiled.
FALLBACK = "greedy"

#: Seconds between checks of the compile cache.
POLL_SECONDS = 5.0

#: Time limit of an interpreted search in milliseconds, where there is no compiler.
INTERPRETED_MILLISECONDS = 1500.0


@dataclass(frozen=True)
class Ready:
    """A bot and the time limit of its search; None: the budget of its settings."""

    bot: Bot
    milliseconds: float | None = None


class ReadyBots:
    """The bots of one process. Loads searches in background threads."""

    def __init__(self, load: Callable[[str], Backend] | None = None) -> None:
        """``load`` replaces `load_search`, for tests."""
        self._load = load or load_search
        self._bots: dict[tuple[str, str], Bot] = {}
        self._backends: dict[str, Backend] = {}
        self._loading: dict[str, threading.Thread] = {}

    def best(self, game: str, name: str, *, wait: bool = False) -> Ready:
        """Return the bot of that name, or the fallback until it is ready; ``wait`` blocks.

        Raises `UnknownGameError` or `UnknownBotError`.
        """
        info = player_named(game, name)
        if not isinstance(info, Level):
            return Ready(self._bot(info))
        if not can_compile():
            return Ready(self._bot(info), INTERPRETED_MILLISECONDS)
        self._begin_to_load(game)
        if wait:
            self._loading[game].join()
        if game in self._backends:
            return Ready(self._bot(info, self._backends[game]))
        return Ready(self._bot(fallback_bot(game)))

    def _bot(self, info: BotInfo, backend: Backend | None = None) -> Bot:
        key = (info.game, info.name)
        if key not in self._bots:
            self._bots[key] = Bot(info, backend)
        return self._bots[key]

    def _begin_to_load(self, game: str) -> None:
        if game in self._loading:
            return

        def load() -> None:
            self._backends[game] = self._load(game)

        self._loading[game] = threading.Thread(target=load, name=f"load-{game}", daemon=True)
        self._loading[game].start()


def fallback_bot(game: str) -> BotInfo:
    """Return the bot that plays while a search is not ready."""
    roster = roster_of(game)
    try:
        return roster.named(FALLBACK)
    except UnknownBotError:
        return roster.bots[-1]


def load_search(game: str) -> Backend:
    """Wait until the search of a game is in the compile cache, and load it."""
    program = search_program(game)
    while not is_compiled_already(program):
        time.sleep(POLL_SECONDS)
    return load_backend(program, compiled=True)
