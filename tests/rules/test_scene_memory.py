"""What scenes take from memory is what they would make anew."""

import random
from collections.abc import Callable, Hashable
from typing import Any

import pytest

from archipel.game import Game
from archipel.rules.contract import SPECTATOR
from archipel.rules.remembering import Memory
from archipel.rules.scene import Scene

GAMES = ("deep-sea", "atlantis", "the-island", "mauna-kea")


def make_anew(self: Memory[Any], things: Hashable, make: Callable[[], Any]) -> Any:
    return make()


def find_nothing(self: Memory[Any], things: Hashable) -> None:
    return None


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_is_remembered_wrongly(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, chooser = Game.new(game, seats, seed=seats), random.Random(seats)
    seen: list[tuple[Any, int, Scene]] = []
    while not played.is_over and len(seen) < 300:
        mover = played.to_move
        assert mover is not None
        for seat in (mover, (mover + 1) % seats, SPECTATOR):
            view = played.definition.seen(played.state, seat)
            seen.append((view, mover, played.definition.scene(view, mover)))
        played.play(chooser.choice(played.legal))
    monkeypatch.setattr(Memory, "of", make_anew)
    monkeypatch.setattr(Memory, "found", find_nothing)
    for view, mover, scene in seen:
        assert played.definition.scene(view, mover) == scene


def test_a_full_memory_forgets_and_goes_on() -> None:
    memory = Memory[str](2)
    for number in (1, 2, 3, 1):
        assert memory.of(number, lambda number=number: str(number)) == str(number)  # type: ignore[misc]
    assert memory.of(1, lambda: "other") == "1"
