"""The bots of Deep Sea Adventure, and the rule by which each of them chooses.

The levels, which search, are in ``levels.toml``.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.contract import BotInfo, Roster
from archipel.bots.deep_sea.evaluation import evaluate_1
from archipel.bots.deep_sea.greedy_1 import choose_greedily_1
from archipel.bots.levels import read_levels
from archipel.bots.random_play import choose_at_random
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import Chance, rule

RANDOM: Final = 0
GREEDY_1: Final = 1


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """Return the action that a bot chooses in a view."""
    if bot == GREEDY_1:
        return choose_greedily_1(s, actions, count)
    return choose_at_random(actions, count, chance)


BOTS: Final = (
    BotInfo("deep-sea", "random", RANDOM),
    BotInfo("deep-sea", "greedy-1", GREEDY_1),
)
LEVELS: Final = read_levels("deep-sea", BOTS)

DEEP_SEA_BOTS: Final = Roster(
    DEEP_SEA,
    choose,
    BOTS,
    LEVELS.levels,
    evaluate_1,
    former_levels=LEVELS.former_levels,
    removed=LEVELS.removed,
)
