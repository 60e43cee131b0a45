"""Hand-made positions, short to write and short to compare.

Unless a test says otherwise two play the base game, each with one explorer beside the volcano, the
boats lie in their coves in order, no other tile is on the board and no artefact is in the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from archipel.game import Game
from archipel.rules.kit import Tape
from archipel.rules.mauna_kea.components import TILE_NUMBERS
from archipel.rules.mauna_kea.setup import set_up
from archipel.rules.mauna_kea.state import State

EXPLORERS = ("e4nw", "e6nw", "d5nw", "f5nw")


def table(seats: Any = 2, **words: Any) -> Game:
    """A game from a position. Tiles that a test does not script come from a seed."""
    given = {f"explorers{seat + 1}": EXPLORERS[seat] for seat in range(seats)}
    return Game.from_position("mauna-kea", seed=1, seats=seats, **(given | words))


def expert(seats: Any = 2, **words: Any) -> Game:
    """The same with the expert rules; cards that a test does not name are dealt from a seed."""
    return table(seats, **({"expert": "on"} | words))


def look(game: Game, word: str) -> str:
    """A word of the position; ``-`` where it is not written."""
    found = dict(part.split("=", 1) for part in game.position.text.split())
    return found.get(word, "-")


def seen(game: Game, seat: int | None, word: str) -> str:
    """A word of the position as a seat sees it."""
    return dict(part.split("=", 1) for part in game.view(seat).text.split()).get(word, "-")


def actions(game: Game) -> list[str]:
    return [action.text for action in game.legal]


def play(game: Game, *texts: str) -> Game:
    """Several actions; what chance brings follows in brackets: ``end play [jjjj3 jjll2]``."""
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


class Noting(Tape):
    """A tape that gives 0 once its script is used up, and notes the size of every draw."""

    def __init__(self, script: Sequence[int] = ()) -> None:
        super().__init__(script, source=self._Zero())
        self.sizes: list[int] = []

    class _Zero:
        def draw(self, n: int, /) -> int:
            return 0

    def draw(self, n: int, /) -> int:
        self.sizes.append(n)
        return super().draw(n)


def blank() -> State:
    """The board before anything is laid."""
    s = State(seats=2, first=0)
    set_up(s, Noting())
    return s
