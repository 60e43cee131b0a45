"""The course of a game as studies follow it: who is left after each round, and who was lost where.

A game that tells its course has a module ``course`` with a `Course` named ``COURSE``.  Its rules
write into a list of numbers that is all 0 when a game begins: the first few mean the same in every
game, the rest are the game's own room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

# The first numbers of a course.
TURNS: Final = 0  # finished so far
ROUNDS_BEGUN: Final = 1  # 0 while the game is being set up
SURVIVORS: Final = 2  # people of all seats who are not lost
OWN: Final = 3  # here begins what only the game knows

#: Instead of a seat, where a figure is the whole game's.
WHOLE_GAME: Final = -1


@dataclass(frozen=True)
class Place:
    """Where somebody can be lost: its name, its middle, in widths of a place, and its ground."""

    name: str
    x: float
    y: float
    ground: str = ""


@dataclass(frozen=True)
class Course:
    """What a game tells studies. The rules are described in `archipel.rules.slots`.

    ``shape`` says how the places are drawn: hexagons, squares, or a line.
    """

    room: int  # numbers of a course, all told
    figures: tuple[str, ...]  # of each seat when the game is over
    endings: tuple[str, ...]  # by number; keys of sentences without "end."
    places: tuple[Place, ...]
    shape: str
    follow: Callable[[Any, list[int], list[int]], None]
    figure: Callable[[Any, list[int], int, int], int]
