"""A bot at a live table: asked for one action at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from archipel.bots.all_bots import player_named, roster_of
from archipel.bots.contract import BotInfo, Level
from archipel.bots.search.kept import Kept
from archipel.bots.search.programs import search_backend
from archipel.bots.search.searcher import Candidate, Searcher, Thought
from archipel.rules.kit import Chance, Stream, stream_key
from archipel.rules.kit.program import Backend

SEEDS = 2**31


class Bot:
    """A bot that plays. It is given a view and never a true state.

    >>> bot = Bot.named("deep-sea", "greedy")
    >>> for decision in game:
    ...     game.play(bot.choose(decision.view.state, decision.legal, seed=len(game.moves)))
    """

    def __init__(self, info: BotInfo, backend: Backend | None = None) -> None:
        """``backend`` runs the searches of a level (see `archipel.bots.search.programs`); without
        one it is loaded when it is first needed, which may take a minute of compiling."""
        self.info = info
        self._roster = roster_of(info.game)
        self._backend = backend
        self._searcher: Searcher | None = None

    @classmethod
    def named(cls, game: str, name: str, backend: Backend | None = None) -> Bot:
        """Raises `UnknownGameError` or `UnknownBotError`."""
        return cls(player_named(game, name), backend)

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
        if isinstance(self.info, Level):
            drawn = seed if chance is None else chance.draw(SEEDS)
            return self.think(view, seed=drawn).action
        stream = Stream(stream_key(seed % 2**64, 0)) if chance is None else chance
        return self._roster.choose(view, self.info.index, actions, len(actions), stream)

    def think(
        self,
        view: Any,
        *,
        seed: int = 0,
        threads: int = 1,
        milliseconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        kept: Kept | None = None,
    ) -> Thought:
        """The choice, and what the bot found out about each candidate (see `Searcher.think`).

        A bot that does not search has looked at its choice alone.
        """
        if not isinstance(self.info, Level):
            legal = self._roster.definition.legal_actions(view)
            action = self.choose(view, legal, seed=seed)
            return Thought(action, (Candidate(action, 0, 0.0, 0.0, 0.0),), 0, complete=True)
        if self._searcher is None:
            backend = self._backend or search_backend(self.info.game)
            self._searcher = Searcher(self._roster, self.info.plan, backend)
        return self._searcher.think(
            view, seed=seed, threads=threads, milliseconds=milliseconds, stop=stop, kept=kept
        )
