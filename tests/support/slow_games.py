"""Tests that are slow per game: the quick run covers two games, the long run all.

Building an engine as WebAssembly takes most of a minute.  Deep Sea Adventure is the smallest game;
The Island shares its sea with Atlantis and has the length of Mauna Kea.  The rules of all games are
compiled and compared in `tests/conformance` and `tests/bots/test_rollouts.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

QUICK_RUN = ("deep-sea", "the-island")


def slow_games(games: Iterable[str]) -> list[Any]:
    """Return test parameters: these games, some of them in the long run only."""
    return [
        game if game in QUICK_RUN else pytest.param(game, marks=pytest.mark.soak) for game in games
    ]
