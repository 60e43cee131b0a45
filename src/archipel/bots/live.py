"""A bot at a live table: asked for one action at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from archipel.bots.all_bots import bot_named, roster_of
from archipel.bots.contract import BotInfo
from archipel.rules.kit import Chance, Stream, stream_key


class Bot:
    """A bot that plays. It is given a view and never a true state.

    >>> bot = Bot.named("deep-sea", "greedy")
    >>> for decision in game:
    ...     game.play(bot.choose(decision.view.state, decision.legal, seed=len(game.moves)))
    """

    def __init__(self, info: BotInfo) -> None:
        self.info = info
        self._choose = roster_of(info.game).choose

    @classmethod
    def named(cls, game: str, name: str) -> Bot:
        """Raises `UnknownGameError` or `UnknownBotError`."""
        return cls(bot_named(game, name))

    @property
    def name(self) -> str:
        return self.info.name

    def __repr__(self) -> str:
        return f"<Bot {self.name} of {self.info.game}>"

    def choose(
        self, view: Any, legal: Sequence[int], *, chance: Chance | None = None, seed: int = 0
    ) -> int:
        """One of the legal actions, in what the seat to move sees.

        Whatever the bot leaves to chance is drawn from ``chance``, by default a stream of ``seed``;
        this is never the chance of the game, which no bot may foresee.
        """
        actions = [int(action) for action in legal]
        if not actions:
            raise ValueError("there is nothing to choose: the game is over")
        stream = Stream(stream_key(seed % 2**64, 0)) if chance is None else chance
        return self._choose(view, self.info.index, actions, len(actions), stream)
