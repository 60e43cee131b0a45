"""Shorthand for positions in tests.

By default two seats play the base game, each with one explorer beside the volcano; the boats lie in
their coves in order, and there are no other tiles and no artefacts.
"""

from __future__ import annotations

from typing import Any

from archipel.game import Game
from archipel.rules.mauna_kea.components import TILE_NUMBERS
from archipel.rules.mauna_kea.setup import set_up
from archipel.rules.mauna_kea.state import State
from tests.support.recording_tape import RecordingTape

EXPLORERS = ("e4nw", "e6nw", "d5nw", "f5nw")


def table(seats: Any = 2, **words: Any) -> Game:
    """A game from a position. Tiles that a test does not script come from a seed."""
    given = {f"explorers{seat + 1}": EXPLORERS[seat] for seat in range(seats)}
    return Game.from_position("mauna-kea", seed=1, seats=seats, **(given | words))


def expert(seats: Any = 2, **words: Any) -> Game:
    """As `table`, with the expert rules; cards that a test does not name are dealt from a seed."""
    return table(seats, **({"expert": "on"} | words))


def look(game: Game, word: str) -> str:
    """A field of the position text; ``-`` if it is missing."""
    found = dict(part.split("=", 1) for part in game.position.text.split())
    return found.get(word, "-")


def seen(game: Game, seat: int | None, word: str) -> str:
    """A field of the position text as a seat sees it."""
    return dict(part.split("=", 1) for part in game.view(seat).text.split()).get(word, "-")


def actions(game: Game) -> list[str]:
    return [action.text for action in game.legal]


def play(game: Game, *texts: str) -> Game:
    """Play actions; outcomes follow in brackets: ``end play [jjjj3 jjll2]``."""
    for text in texts:
        action, _, chance = text.partition("[")
        if chance:
            game.play(action, chance=chance.rstrip("]"))
        else:
            game.play(action)
    return game


def state_of(game: Game) -> State:
    state: State = game.state
    return state


def in_bag(game: Game, name: str) -> int:
    return state_of(game).bag[TILE_NUMBERS[name]]


def gone(game: Game) -> list[str]:
    """The terrain and lava tiles that are out of the game."""
    text = look(game, "out")
    return [] if text == "-" else text.split(",")


def blank() -> State:
    """A two-player state after set-up, with every random draw 0."""
    s = State(seats=2, first=0)
    set_up(s, RecordingTape())
    return s
