"""A bot that chooses one action at a time, as at a live table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from archipel.bots.all_bots import player_named, roster_of
from archipel.bots.contract import BotInfo, Level
from archipel.bots.search.search import Candidate, Searcher, SearchResult, search_backend
from archipel.bots.search.tree_reuse import Subtree
from archipel.rules.deprecation import warn_renamed
from archipel.rules.kit import Chance, Stream, stream_key
from archipel.rules.kit.core.program import Backend

SEEDS = 2**31


class Bot:
    """A bot that plays. It gets a view, never a full state.

    >>> bot = Bot.named("deep-sea", "greedy")
    >>> for decision in game:
    ...     game.play(bot.choose(decision.view.state, decision.legal, seed=len(game.moves)))
    """

    def __init__(self, info: BotInfo, backend: Backend | None = None) -> None:
        """``backend`` runs the searches of a level (see `archipel.bots.search.search`). Without
        one, the bot loads it at its first search, which may compile for a minute."""
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
        """Choose one of the legal actions in the view of the seat to move.

        The bot draws its random choices from ``chance``, by default a stream of ``seed``. This must
        never be the chance of the game, which no bot may foresee.
        """
        actions = [int(action) for action in legal]
        if not actions:
            raise ValueError("there is nothing to choose: the game is over")
        if isinstance(self.info, Level):
            drawn = seed if chance is None else chance.draw(SEEDS)
            return self.search(view, seed=drawn).action
        stream = Stream(stream_key(seed % 2**64, 0)) if chance is None else chance
        return self._roster.choose(view, self.info.index, actions, len(actions), stream)

    def search(
        self,
        view: Any,
        *,
        seed: int = 0,
        cores: int = 1,
        milliseconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        subtree: Subtree | None = None,
    ) -> SearchResult:
        """Return the choice with the statistics of every candidate (see `Searcher.search`).

        A bot that does not search returns its choice as the only candidate.
        """
        if not isinstance(self.info, Level):
            legal = self._roster.definition.legal_actions(view)
            action = self.choose(view, legal, seed=seed)
            return SearchResult(action, (Candidate(action, 0, 0.0, 0.0, 0.0),), 0, complete=True)
        if self._searcher is None:
            backend = self._backend or search_backend(self.info.game)
            self._searcher = Searcher(self._roster, self.info.config, backend)
        return self._searcher.search(
            view, seed=seed, cores=cores, milliseconds=milliseconds, stop=stop, subtree=subtree
        )

    def think(
        self, view: Any, *, threads: int = 1, kept: Subtree | None = None, **given: Any
    ) -> SearchResult:
        """Deprecated name of `search`."""
        warn_renamed("Bot.think", "Bot.search")
        return self.search(view, cores=threads, subtree=kept, **given)
