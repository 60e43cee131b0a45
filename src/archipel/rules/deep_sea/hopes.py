"""What a diver hopes for beside winning."""

from __future__ import annotations

from typing import Final

from archipel.rules.deep_sea.state import LAY, OVER, State
from archipel.rules.kit import rule
from archipel.rules.slots import HOPE_FULFILLED, HOPE_LOST, HOPE_OPEN

#: Home: back in the submarine before the air of this round ends.
HOPES: Final = ("home",)


@rule
def hoped(s: State, start: State, seat: int, hope: int) -> int:
    """Nobody comes home empty-handed, so treasure that was not there before tells that a diver came
    home, also by the very action that ended the round."""
    if s.treasure[seat] != start.treasure[seat]:
        return HOPE_FULFILLED
    if s.round_number != start.round_number:
        return HOPE_LOST
    if s.home[seat] != 0:
        return HOPE_FULFILLED
    if s.phase == LAY or s.phase == OVER:
        return HOPE_LOST
    return HOPE_OPEN
