"""The rules of a game, as code that serves any game calls them.

Whole games, rollouts, search and environments are methods of small classes that hold a `GameRules`
(``self.game.legal(s, actions)``).  Such a method is written once and compiled once per game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from archipel.rules.deprecation import former_names
from archipel.rules.kit import Chance, rule
from archipel.rules.kit.core.decorators import AnyRule


class GameState(Protocol):
    """The state of any game."""


# Results of `goal_status`.
GOAL_OPEN: Final = -1
GOAL_MISSED: Final = 0
GOAL_REACHED: Final = 1


@rule
def no_goals(s: GameState, start: GameState, seat: int, goal: int) -> int:
    """`GameRules.goal_status` of a game without goals."""
    return GOAL_MISSED


@rule
def keep_numbers(s: GameState) -> None:
    """`GameRules.renumber` of a game in which every piece is of its own kind."""


@dataclass(frozen=True)
class GameRules:
    """The rules of one game."""

    set_up: Callable[[Any, Chance], None]
    """Set the game up in a state that holds its options and is otherwise blank."""
    to_move: Callable[[Any], int]
    """Return the seat that decides next, or -1 when the game is over."""
    legal: Callable[[Any, list[int]], int]
    """Fill in the legal actions in ascending order and return their number."""
    apply: Callable[[Any, int, Chance], None]
    """Play a legal action and go on to the next decision."""
    view: Callable[[Any, int, Any], None]
    """Fill in the state as a seat sees it (-1: a spectator), hidden information being unknown."""
    recall: Callable[[Any, int, Any], None]
    """As `view`, for a seat that forgets nothing, such as a bot's."""
    deal_unseen: Callable[[Any, Chance], None]
    """Complete a view: draw all unknown values with the probabilities that its seat must assume."""
    score: Callable[[Any, int], int]
    """Return a seat's points."""
    rank: Callable[[Any, int], int]
    """Return a seat's place at the end: 0 is first, and equal seats share a place."""
    fault: Callable[[Any], int]
    """Return 0, or the number of the invariant that a state breaks."""
    goal_status: Callable[[Any, Any, int, int], int] = no_goals
    """Return whether a seat has reached or missed a goal since ``start``, or neither yet.

    Called at the start and after every action until the goal is no longer open.
    """
    renumber: Callable[[Any], None] = keep_numbers
    """Renumber interchangeable pieces, so that positions that differ only in them become equal."""

    def entries(self, *names: str) -> dict[str, AnyRule]:
        """The rules of these names (without names all), as entries of a program."""
        return {name: getattr(self, name) for name in names or self.__dataclass_fields__}


@rule
def follow_nothing(s: GameState, course: list[int], lost: list[int]) -> None:
    """`MetricRules.follow` of a game without metrics."""


@rule
def no_figure(s: GameState, course: list[int], seat: int, which: int) -> int:
    """`MetricRules.figure` of a game without metrics."""
    return 0


@dataclass(frozen=True)
class MetricRules:
    """The rules that collect a game's metrics (see `archipel.rules.metrics`)."""

    follow: Callable[[Any, list[int], list[int]], None] = follow_nothing
    """Update the metrics after the set-up and after every action; ``lost`` counts losses by place.
    """
    figure: Callable[[Any, list[int], int, int], int] = no_figure
    """Return a seat's figure by its number at the end of the game; for `WHOLE_GAME` instead of a
    seat, number 0 is why the game ended."""


NO_METRICS: Final = MetricRules()

__getattr__ = former_names(
    __name__,
    __name__,
    {"HOPE_OPEN": "GOAL_OPEN", "HOPE_LOST": "GOAL_MISSED", "HOPE_FULFILLED": "GOAL_REACHED"},
)
