"""The bots of Mauna Kea, and the rule that lets each of them choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from archipel.bots.contract import BotInfo, Roster, level
from archipel.bots.levels import five_levels
from archipel.bots.mauna_kea.appraisal import appraise_1
from archipel.bots.mauna_kea.greedy_1 import choose_greedily_1
from archipel.bots.mauna_kea.greedy_2 import choose_greedily_2
from archipel.bots.mauna_kea.quick_1 import TRAITS, choose_quickly_1, describe_1, glance_1
from archipel.bots.mauna_kea.quick_2 import choose_quickly_2
from archipel.bots.mauna_kea.steady_1 import choose_steadily_1
from archipel.bots.random_play import choose_at_random
from archipel.bots.search.plan import Plan
from archipel.rules.kit import Chance, rule
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.state import State

RANDOM: Final = 0
GREEDY_1: Final = 1
GREEDY_2: Final = 2
QUICK_1: Final = 3
QUICK_2: Final = 4
STEADY_1: Final = 5


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """The action that a bot chooses in a view."""
    if bot == GREEDY_1:
        return choose_greedily_1(s, actions, count)
    if bot == GREEDY_2:
        return choose_greedily_2(s, actions, count)
    if bot == QUICK_1:
        return choose_quickly_1(s, actions, count, chance)
    if bot == QUICK_2:
        return choose_quickly_2(s, actions, count, chance)
    if bot == STEADY_1:
        return choose_steadily_1(s, actions, count)
    return choose_at_random(actions, count, chance)


BOTS: Final = (
    BotInfo("mauna-kea", "random", RANDOM),
    BotInfo("mauna-kea", "greedy-1", GREEDY_1),
    BotInfo("mauna-kea", "greedy-2", GREEDY_2),
    BotInfo("mauna-kea", "quick-1", QUICK_1, offered=False),
    BotInfo("mauna-kea", "quick-2", QUICK_2, offered=False),
    BotInfo("mauna-kea", "steady-1", STEADY_1, offered=False),
)

PLANS: Final = (
    Plan(60, policy="greedy-2", horizon=4, overlook=0.45, blunder=0.3, appraisal="appraisal_1"),
    Plan(60, policy="greedy-2", horizon=4, overlook=0.35, blunder=0.12, appraisal="appraisal_1"),
    Plan(60, policy="greedy-2", horizon=4, overlook=0.15, blunder=0.1, appraisal="appraisal_1"),
    Plan(60, policy="greedy-2", horizon=4, appraisal="appraisal_1"),
    Plan(1500, policy="greedy-2", horizon=4, depth=3, explore=0.15, appraisal="appraisal_1"),
)

LEVELS_1: Final = five_levels("mauna-kea", 1, PLANS)
EXPERT_2: Final = level(
    "mauna-kea",
    "expert-2",
    Plan(120, policy="greedy-2", horizon=8, trust=0.1, sure=3.0, appraisal="appraisal_1"),
)
MASTER_2: Final = level(
    "mauna-kea",
    "master-2",
    Plan(1000, policy="greedy-2", horizon=8, trust=0.07, sure=3.0, appraisal="appraisal_1"),
)
MASTER_3: Final = level(
    "mauna-kea",
    "master-3",
    Plan(1000, policy="greedy-2", horizon=24, trust=0.07, sure=3.0, appraisal="appraisal_1"),
)
MASTER_4: Final = level(
    "mauna-kea",
    "master-4",
    Plan(
        2000,
        policy="steady-1",
        horizon=5,
        depth=2,
        habit=True,
        ideas="quick-1",
        explore=0.05,
        widen=0.15,
        trust=0.3,
        margin=0.2,
        sure=3.0,
        appraisal="appraisal_2",
    ),
)
# The others are expected to play like greedy-2: who expected steady-1 of them lost one game in ten
# to greedy.
MASTER_5: Final = level("mauna-kea", "master-5", replace(MASTER_4.plan, others="greedy-2"))

MAUNA_KEA_BOTS: Final = Roster(
    MAUNA_KEA,
    choose,
    BOTS,
    (*LEVELS_1[:-2], EXPERT_2, MASTER_5),
    appraise_1,
    describe_1,
    TRAITS,
    glance_1,
    former_levels=(*LEVELS_1[-2:], MASTER_2, MASTER_3, MASTER_4),
)
