"""The conformance suite for games: tests of a game package need no checkout of Archipel.

A test module of two lines runs the whole suite (install ``archipel[testing]``):

>>> from archipel.testing import GameConformance
>>> class TestMyGame(GameConformance):
...     game = MY_GAME

`every_outcome`, `every_options`, `some_options` and `random_game` help to write further tests.
"""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("archipel.testing.conformance", "archipel.testing.lockstep")

from archipel.testing.conformance import GameConformance  # noqa: E402
from archipel.testing.every_outcome import every_outcome  # noqa: E402
from archipel.testing.random_games import every_options, random_game, some_options  # noqa: E402

__all__ = ["GameConformance", "every_options", "every_outcome", "random_game", "some_options"]
