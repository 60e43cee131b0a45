"""Metrics that studies collect while a game is played: survivors by round, and where pieces died.

A game that reports metrics has a module ``metrics`` with a `Metrics` named ``METRICS``.  Its rules
write into a list of ints that is all 0 when a game begins: the first few entries mean the same in
every game, and the rest belong to the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

# The first entries of the list.
TURNS: Final = 0  # turns finished so far
ROUNDS_BEGUN: Final = 1  # 0 during the set-up
SURVIVORS: Final = 2  # pieces of all seats that are not lost
OWN: Final = 3  # the first entry that belongs to the game

#: Passed to ``figure`` instead of a seat to ask for a figure of the whole game.
WHOLE_GAME: Final = -1


@dataclass(frozen=True)
class Place:
    """A place where a piece can be lost.

    ``x`` and ``y`` are the coordinates of its centre, in widths of a place.
    """

    name: str
    x: float
    y: float
    ground: str = ""


@dataclass(frozen=True)
class Metrics:
    """The metrics of a game. `MetricRules` (`archipel.rules.game_rules`) describes the two rules.

    ``shape`` says how the places are drawn: hexagons, squares or a line.
    """

    size: int  # length of the list that the rules write into
    figures: tuple[str, ...]  # figures of each seat at the end of the game
    endings: tuple[str, ...]  # by number: keys of sentences without the prefix "end."
    places: tuple[Place, ...]
    shape: str
    follow: Callable[[Any, list[int], list[int]], None]
    figure: Callable[[Any, list[int], int, int], int]
