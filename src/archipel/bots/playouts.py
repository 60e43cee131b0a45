"""Chances by playouts: a bot plays on in every seat, in worlds that fit what one seat sees.

They are the chances among such players.  Nothing but the seat's view is used, so what the seat
cannot know does not change them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from archipel.bots.all_bots import roster_of
from archipel.bots.contract import BotInfo
from archipel.bots.playout_kernel import HOPES, NONE, STATES, VIEW, WIN, WINS, play_on
from archipel.rules.all_games import game_named
from archipel.rules.kit import Program
from archipel.rules.kit.loading import Warming
from archipel.rules.kit.program import Backend

#: No game is meant to come near this.
MOST_DECISIONS = 100_000

#: Playouts between two looks at the clock, interpreted and compiled.
PIECE = {False: 1, True: 20}


@dataclass(frozen=True)
class Chances:
    """How often each seat won, a shared first place in shares, and had its hopes fulfilled."""

    playouts: int
    wins: tuple[float, ...]
    hopes: Mapping[str, tuple[float, ...]]


@cache
def playout_program(game: str) -> Program:
    """Playouts of a game, as another process can find them too."""
    roster = roster_of(game)
    return roster.definition.program(play_on, extra=roster.bindings)


def warm_playouts(game: str) -> Warming:
    """Playouts that run at once, interpreted, and compiled as soon as that is ready."""
    return Warming(playout_program(game), f"{__name__}:{playout_program.__name__}", game)


def play_out(
    backend: Backend,
    bot: BotInfo,
    view: Any,
    playouts: int,
    *,
    seed: int,
    milliseconds: int | None = None,
    opening: int = NONE,
) -> Chances:
    """Play on from a view (of any seat), as often as asked or as fits into the time; at least once.

    The seat to move begins with ``opening``, if that is an action, and its bot plays on from there.
    ``backend`` runs the `playout_program` of the bot's game.  Equal view, seed and number of
    playouts: equal chances, interpreted or compiled.
    """
    end = None if milliseconds is None else time.monotonic() + milliseconds / 1000
    playing = _Playing(backend, bot, view, seed % 2**64, opening)
    while playing.done < playouts and (not playing.done or end is None or time.monotonic() < end):
        playing.go_on(min(PIECE[backend.compiled], playouts - playing.done))
    return playing.chances()


class _Playing:
    """The playouts made so far."""

    def __init__(self, backend: Backend, bot: BotInfo, view: Any, seed: int, opening: int) -> None:
        self._definition = game_named(bot.game)
        self._backend = backend
        self._bot = bot.index
        self._opening = opening
        self._seed = seed
        self._seats = self._definition.read_options(view).seats
        self._states = backend.states(STATES)
        backend.write(self._states, VIEW, view)
        self._actions = backend.numbers(self._definition.most_legal)
        self._chance, self._choices = backend.stream(0), backend.stream(0)
        rows = HOPES + len(self._definition.hopes)
        self._undecided = backend.numbers(rows, self._seats)
        self._counts = backend.numbers(rows, self._seats)
        self.done = 0

    def go_on(self, playouts: int) -> None:
        self._backend.play_on(
            self._states,
            self._actions,
            self._bot,
            self._opening,
            self._chance,
            self._choices,
            self._seats,
            len(self._definition.hopes),
            MOST_DECISIONS,
            self._seed,
            self.done,
            playouts,
            self._undecided,
            self._counts,
        )
        self.done += playouts

    def chances(self) -> Chances:
        return Chances(
            self.done,
            self._shares(WINS, WIN),
            {name: self._shares(HOPES + k, 1) for k, name in enumerate(self._definition.hopes)},
        )

    def _shares(self, row: int, whole: int) -> tuple[float, ...]:
        return tuple(int(count) / (whole * self.done) for count in self._counts[row])
