"""The bots of Deep Sea Adventure, and the rule that lets each of them choose."""

from __future__ import annotations

from typing import Final

from archipel.bots.contract import BotInfo, Roster, level
from archipel.bots.deep_sea.appraisal import appraise_1
from archipel.bots.deep_sea.greedy_1 import choose_greedily_1
from archipel.bots.deep_sea.quick_1 import TRAITS, choose_quickly_1, describe_1
from archipel.bots.levels import five_levels
from archipel.bots.random_play import choose_at_random
from archipel.bots.search.plan import Plan
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import Chance, rule

RANDOM: Final = 0
GREEDY_1: Final = 1
QUICK_1: Final = 2


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """The action that a bot chooses in a view."""
    if bot == GREEDY_1:
        return choose_greedily_1(s, actions, count)
    if bot == QUICK_1:
        return choose_quickly_1(s, actions, count, chance)
    return choose_at_random(actions, count, chance)


BOTS: Final = (
    BotInfo("deep-sea", "random", RANDOM),
    BotInfo("deep-sea", "greedy-1", GREEDY_1),
    BotInfo("deep-sea", "quick-1", QUICK_1, offered=False),
)

PLANS: Final = (
    Plan(100, overlook=0.3, blunder=0.3, appraisal="appraisal_1"),
    Plan(100, overlook=0.5, blunder=0.12, appraisal="appraisal_1"),
    Plan(100, appraisal="appraisal_1"),
    Plan(600, depth=4, explore=0.3, appraisal="appraisal_1"),
    Plan(16000, depth=4, explore=0.3, appraisal="appraisal_1"),
)

LEVELS_1: Final = five_levels("deep-sea", 1, PLANS)
MASTER_2: Final = level(
    "deep-sea",
    "master-2",
    Plan(20000, depth=2, explore=0.3, trust=0.2, sure=3.0, appraisal="appraisal_1"),
)
# Between two that search the dice decide more than between a search and greedy: master-2 won little
# more than half of its games against expert-1. So that each level is a step, these begin lower.
CASUAL_2: Final = level(
    "deep-sea", "casual-2", Plan(100, overlook=0.5, blunder=0.16, appraisal="appraisal_1")
)
REGULAR_2: Final = level(
    "deep-sea", "regular-2", Plan(100, overlook=0.45, blunder=0.09, appraisal="appraisal_1")
)
EXPERT_2: Final = level("deep-sea", "expert-2", Plan(100, appraisal="appraisal_1"))

DEEP_SEA_BOTS: Final = Roster(
    DEEP_SEA,
    choose,
    BOTS,
    (LEVELS_1[0], CASUAL_2, REGULAR_2, EXPERT_2, MASTER_2),
    appraise_1,
    describe_1,
    TRAITS,
    former_levels=LEVELS_1[1:],
)
