"""Random games for the tests of narration and pictures."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from archipel import Game
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import State

NAMES = {0: "Ana", 1: "Bob", 2: "Cléo", 3: "Dan", 4: "Eve", 5: "Fox"}
LANGUAGES = ("en", "fr")


def play_at_random(seed: int) -> Game:
    """Play a random game; the seed sets seats and options. Bold divers often drown."""
    chooser = random.Random(seed)
    order = ("piled", "taken", "chosen")[seed % 3]
    game = Game.new("deep-sea", 2 + seed % 5, seed=seed, drop_order=order)
    while not game.is_over:
        legal = game.legal
        bold = [action for action in legal if action.text in ("take", "dive")]
        choices = bold if bold and chooser.random() < 0.4 else legal
        game.play(chooser.choice(choices))
    return game


@cache
def finished_games() -> tuple[Game, ...]:
    return tuple(play_at_random(seed) for seed in range(25))


def steps(game: Game) -> Iterator[tuple[State, int, tuple[int, ...], State]]:
    """Each move as position before, action, outcomes and position after."""
    again = Game.from_position("deep-sea", game.start.text)
    for move in game.moves:
        before = again.position.state
        again.replay(move.action, move.outcomes)
        yield before, int(move.action), move.outcomes, again.position.state


def all_positions() -> Iterator[State]:
    for game in finished_games():
        for before, *_ in steps(game):
            yield before
        yield game.state


def view(s: State, seat: int) -> State:
    return DEEP_SEA.seen(s, seat)
