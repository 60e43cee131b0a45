"""Games whose programs take long to build: in the short run some stand for the others.

To build one engine as WebAssembly takes the better part of a minute.  Deep Sea Adventure is the
smallest game; The Island shares its sea with Atlantis and its length with Mauna Kea.  What is
built is one and the same program over each game's own rules, and those are compiled and compared
for every game (`tests/conformance`, `tests/bots/test_rollouts.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

SHORT_RUN = ("deep-sea", "the-island")


def some_of(games: Iterable[str]) -> list[Any]:
    """Parameters of a test: all of these games, most of them in the long run only."""
    return [
        game if game in SHORT_RUN else pytest.param(game, marks=pytest.mark.soak) for game in games
    ]
