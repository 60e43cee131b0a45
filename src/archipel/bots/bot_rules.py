"""The rules of a game's bots, as search, rollouts and studies call them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from archipel.rules.game_rules import GameState
from archipel.rules.kit import Chance, rule


@rule
def no_features(s: GameState, seat: int, features: list[float]) -> int:
    """`BotRules.evaluate` of a game without evaluation features."""
    return 0


@rule
def no_glance(s: GameState) -> int:
    """`BotRules.glance` of a game whose features need no preparation."""
    return 0


@rule
def no_traits(s: GameState, seen: int, action: int) -> int:
    """`BotRules.describe` of a game without a linear policy."""
    return 0


@dataclass(frozen=True)
class BotRules:
    """The rules by which the bots of one game choose and evaluate."""

    choose: Callable[[Any, int, list[int], int, Chance], int]
    """Return the action that a bot, given by its number, chooses in a view."""
    evaluate: Callable[[Any, int, list[float]], int] = no_features
    """Fill in the evaluation features of a seat in a position and return their number.

    0 means that the position cannot be evaluated, for all seats alike, and play goes on until one
    can.  The weights of the features are data (see `archipel.bots.contract`).
    """
    describe: Callable[[Any, int, int], int] = no_traits
    """Return the features of an action, packed into one int (see `bots.linear_policy`)."""
    glance: Callable[[Any], int] = no_glance
    """Compute once per position what `describe` needs for every action."""
