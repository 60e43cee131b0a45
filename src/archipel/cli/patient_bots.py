"""Levels at the terminal: what they think with is compiled in the background, once."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from functools import cache
from typing import Any

from archipel.bots import Bot, BotInfo
from archipel.bots.live import SEEDS
from archipel.bots.outside.questions import Candidate
from archipel.bots.outside.ready_bots import lighter
from archipel.bots.search.programs import search_program, warm_search
from archipel.rules.kit import Chance
from archipel.rules.kit.loading import Warming, is_compiled_already


class PatientBot:
    """A bot that searches; a lighter one chooses for it until its search is compiled."""

    def __init__(self, info: BotInfo) -> None:
        self.info = info
        self._lighter = Bot(lighter(info.game))
        self._bot: Bot | None = None

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def stand_in(self) -> str | None:
        """The name of the bot that chooses for it now, if another does."""
        return self._lighter.name if self._ready() is None else None

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int:
        return self.consider(view, legal, chance=chance)[0]

    def consider(
        self, view: Any, legal: Sequence[int], *, chance: Chance
    ) -> tuple[int, list[Candidate]]:
        """The choice, and what was considered for it, the best first."""
        bot = self._ready()
        if bot is None:
            return self._lighter.choose(view, legal, chance=chance), []
        thought = bot.think(view, seed=chance.draw(SEEDS))
        tried = [one for one in thought.candidates if one.visits > 0]
        return thought.action, [Candidate(one.action, one.chance, one.visits) for one in tried]

    def _ready(self) -> Bot | None:
        if self._bot is None:
            warming = _warming(self.info.game)
            if warming.backend.compiled or warming.failure is not None:
                self._bot = Bot(self.info, warming.backend)
        return self._bot


@cache
def _warming(game: str) -> Warming:
    warming = warm_search(game)
    atexit.register(warming.close)
    if is_compiled_already(search_program(game)):
        warming.wait()
    return warming
