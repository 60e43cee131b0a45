"""Scenes built from cached parts equal scenes built from scratch."""

import random
from collections.abc import Callable, Hashable
from typing import Any

import pytest

from archipel.game import Game
from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.contract import SPECTATOR
from archipel.rules.scene import Scene

GAMES = ("deep-sea", "atlantis", "the-island", "mauna-kea")


def always_make(self: BoundedCache[Any], key: Hashable, make: Callable[[], Any]) -> Any:
    return make()


def always_miss(self: BoundedCache[Any], key: Hashable) -> None:
    return None


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_cached_scenes_equal_fresh_ones(
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
    monkeypatch.setattr(BoundedCache, "get_or_make", always_make)
    monkeypatch.setattr(BoundedCache, "get", always_miss)
    for view, mover, scene in seen:
        assert played.definition.scene(view, mover) == scene


def test_a_full_cache_is_emptied() -> None:
    cache = BoundedCache[str](2)
    for number in (1, 2, 3, 1):
        assert cache.get_or_make(number, lambda number=number: str(number)) == str(number)  # type: ignore[misc]
    assert cache.get_or_make(1, lambda: "other") == "1"
