"""Bots that answer at once: a lighter one does while a search is not compiled yet."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from archipel.bots.all_bots import player_named, roster_of
from archipel.bots.contract import BotInfo, Level, UnknownBotError
from archipel.bots.live import Bot
from archipel.bots.search.programs import search_program
from archipel.rules.kit.loading import can_compile, is_compiled_already, load_backend
from archipel.rules.kit.program import Backend

#: The family of the bot that answers while a search is not ready.
LIGHTER = "greedy"

#: Seconds between two looks whether somebody has compiled a search.
LOOK_AGAIN = 5.0

#: Milliseconds that a search has where there is no compiler: it is weaker then, but not slower.
INTERPRETED = 1500.0


@dataclass(frozen=True)
class Ready:
    """A bot, and how long it may search; None: as its plan says."""

    bot: Bot
    milliseconds: float | None = None


class ReadyBots:
    """The bots of one process. Searches are loaded beside whatever it does meanwhile."""

    def __init__(self, load: Callable[[str], Backend] | None = None) -> None:
        """``load`` waits for the search of a game and loads it, if it is not the house's way."""
        self._load = load or load_search
        self._bots: dict[tuple[str, str], Bot] = {}
        self._backends: dict[str, Backend] = {}
        self._loading: dict[str, threading.Thread] = {}

    def best(self, game: str, name: str, *, wait: bool = False) -> Ready:
        """The bot of that name, or a lighter one until it is ready; ``wait`` until it is.

        Raises `UnknownGameError` or `UnknownBotError`.
        """
        info = player_named(game, name)
        if not isinstance(info, Level):
            return Ready(self._bot(info))
        if not can_compile():
            return Ready(self._bot(info), INTERPRETED)
        self._begin_to_load(game)
        if wait:
            self._loading[game].join()
        if game in self._backends:
            return Ready(self._bot(info, self._backends[game]))
        return Ready(self._bot(lighter(game)))

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


def lighter(game: str) -> BotInfo:
    """The bot that answers while a search is not ready."""
    roster = roster_of(game)
    try:
        return roster.named(LIGHTER)
    except UnknownBotError:
        return roster.bots[-1]


def load_search(game: str) -> Backend:
    """The compiled search of a game, once somebody has compiled it."""
    program = search_program(game)
    while not is_compiled_already(program):
        time.sleep(LOOK_AGAIN)
    return load_backend(program, compiled=True)
