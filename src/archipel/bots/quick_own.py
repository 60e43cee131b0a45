"""What each game's quick bot has of its own: placeholders that `archipel.bots.quick` fills."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.slots import GameState

#: What a trait weighs, by its number.
WEIGHTS: list[int] = [0]

#: How many actions a bot that is in more of a hurry looks at.
HANDFUL: int = 1


@rule
def glance(s: GameState) -> int:
    """What is to be known of a position for all actions."""
    raise NotImplementedError


@rule
def describe(s: GameState, seen: int, action: int) -> int:
    """The traits of an action."""
    raise NotImplementedError
