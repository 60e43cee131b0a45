"""The bots of Atlantis, and the rule that lets each of them choose."""

from __future__ import annotations

from typing import Final

from archipel.bots.atlantis.appraisal import appraise_1
from archipel.bots.atlantis.greedy_1 import choose_greedily_1
from archipel.bots.atlantis.quick_1 import TRAITS, choose_quickly_1, describe_1, glance_1
from archipel.bots.atlantis.quick_2 import choose_quickly_2
from archipel.bots.contract import BotInfo, Roster, level
from archipel.bots.levels import five_levels
from archipel.bots.random_play import choose_at_random
from archipel.bots.search.plan import Plan
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.atlantis.state import State
from archipel.rules.kit import Chance, rule

RANDOM: Final = 0
GREEDY_1: Final = 1
QUICK_1: Final = 2
QUICK_2: Final = 3


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """The action that a bot chooses in a view."""
    if bot == GREEDY_1:
        return choose_greedily_1(s, actions, count)
    if bot == QUICK_1:
        return choose_quickly_1(s, actions, count, chance)
    if bot == QUICK_2:
        return choose_quickly_2(s, actions, count, chance)
    return choose_at_random(actions, count, chance)


BOTS: Final = (
    BotInfo("atlantis", "random", RANDOM),
    BotInfo("atlantis", "greedy-1", GREEDY_1),
    BotInfo("atlantis", "quick-1", QUICK_1, offered=False),
    BotInfo("atlantis", "quick-2", QUICK_2, offered=False),
)

PLANS: Final = (
    Plan(80, horizon=2, overlook=0.3, blunder=0.3, appraisal="appraisal_1"),
    Plan(80, horizon=2, overlook=0.15, blunder=0.15, appraisal="appraisal_1"),
    Plan(80, horizon=2, appraisal="appraisal_1"),
    Plan(300, horizon=2, appraisal="appraisal_1"),
    Plan(4000, horizon=2, appraisal="appraisal_1"),
)

LEVELS_1: Final = five_levels("atlantis", 1, PLANS)
FIRST_GAME_2: Final = level(
    "atlantis",
    "first-game-2",
    Plan(80, horizon=2, overlook=0.4, blunder=0.3, appraisal="appraisal_1"),
)
CASUAL_2: Final = level(
    "atlantis",
    "casual-2",
    Plan(80, horizon=2, overlook=0.25, blunder=0.15, appraisal="appraisal_1"),
)
MASTER_2: Final = level(
    "atlantis",
    "master-2",
    Plan(800, horizon=4, trust=0.05, sure=3.0, appraisal="appraisal_1"),
)

ATLANTIS_BOTS: Final = Roster(
    ATLANTIS,
    choose,
    BOTS,
    (FIRST_GAME_2, CASUAL_2, *LEVELS_1[2:-1], MASTER_2),
    appraise_1,
    describe_1,
    TRAITS,
    glance_1,
    former_levels=(*LEVELS_1[:2], LEVELS_1[-1]),
)
