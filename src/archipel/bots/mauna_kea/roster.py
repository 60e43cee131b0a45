"""The bots of Mauna Kea, and the rule by which each of them chooses.

The levels, which search, are in ``levels.toml``.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.contract import BotInfo, Roster
from archipel.bots.levels import read_levels
from archipel.bots.mauna_kea.evaluation import evaluate_1
from archipel.bots.mauna_kea.greedy import choose_greedily_1, choose_greedily_2
from archipel.bots.mauna_kea.quick_1 import TRAITS, choose_quickly_1, describe_1, glance_1
from archipel.bots.random_play import choose_at_random
from archipel.rules.kit import Chance, rule
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.state import State

RANDOM: Final = 0
GREEDY_1: Final = 1
GREEDY_2: Final = 2
QUICK_1: Final = 3
STEADY_1: Final = 4


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """Return the action that a bot chooses in a view."""
    if bot == GREEDY_1:
        return choose_greedily_1(s, actions, count)
    if bot == GREEDY_2:
        return choose_greedily_2(s, actions, count, False)
    if bot == QUICK_1:
        return choose_quickly_1(s, actions, count, chance)
    if bot == STEADY_1:
        return choose_greedily_2(s, actions, count, True)
    return choose_at_random(actions, count, chance)


BOTS: Final = (
    BotInfo("mauna-kea", "random", RANDOM),
    BotInfo("mauna-kea", "greedy-1", GREEDY_1),
    BotInfo("mauna-kea", "greedy-2", GREEDY_2),
    BotInfo("mauna-kea", "quick-1", QUICK_1, offered=False),
    BotInfo("mauna-kea", "steady-1", STEADY_1, offered=False),
)
LEVELS: Final = read_levels("mauna-kea", BOTS)

MAUNA_KEA_BOTS: Final = Roster(
    MAUNA_KEA,
    choose,
    BOTS,
    LEVELS.levels,
    evaluate_1,
    describe_1,
    TRAITS,
    glance_1,
    former_levels=LEVELS.former_levels,
    removed=LEVELS.removed,
)
