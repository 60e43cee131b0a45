"""What each game's engine has of its own: placeholders that `archipel.bots.engine.programs` fills.

The plan is the one of the game's strongest level, without its budget, and the weights are those of
the appraisal that it names.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import Chance, rule
from archipel.rules.slots import GameState

#: The numbers of the bots that know what to try first, that play on beyond the tree, for one's own
#: seat and for the others, and that name what joins in it.
POLICY: Final = 0
PLAYOUT: Final = 0
OTHERS: Final = 0
IDEAS: Final = 0

HORIZON: Final = 0
DEPTH: Final = 0
RIVALS: Final = 0
BY_HABIT: Final = 0
SHORTLIST: Final = 0
EXPLORE: Final = 0.0
WIDEN: Final = 0.0
TRUST: Final = 0.0
MARGIN: Final = 0.0
SCALE: Final = 0.0
SURE: Final = 0.0
FEATURES: Final = 0

#: A row for each number of seats, from 0 on.
WEIGHTS: Final = [[0.0]]


@rule
def any_bot(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """How the bots of the game choose."""
    raise NotImplementedError
