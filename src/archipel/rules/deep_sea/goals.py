"""Goals of a diver besides winning."""

from __future__ import annotations

from typing import Final

from archipel.rules.deep_sea.state import Phase, State
from archipel.rules.game_rules import GOAL_MISSED, GOAL_OPEN, GOAL_REACHED
from archipel.rules.kit import rule

#: Home: back in the submarine before the air of this round runs out.
GOALS: Final = ("home",)


@rule
def goal_status(s: State, start: State, seat: int, goal: int) -> int:
    """Nobody comes home empty-handed, so new treasure shows that a diver came home, even by the
    action that ended the round."""
    if s.treasure[seat] != start.treasure[seat]:
        return GOAL_REACHED
    if s.round_number != start.round_number:
        return GOAL_MISSED
    if s.home[seat] != 0:
        return GOAL_REACHED
    if s.phase == Phase.LAY or s.phase == Phase.OVER:
        return GOAL_MISSED
    return GOAL_OPEN
