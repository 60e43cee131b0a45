"""The bots of The Island, and the rule by which each of them chooses.

The levels, which search, are in ``levels.toml``.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.contract import BotInfo, Roster
from archipel.bots.levels import read_levels
from archipel.bots.random_play import choose_at_random
from archipel.bots.the_island.evaluation import evaluate_1
from archipel.bots.the_island.greedy_1 import choose_greedily_1
from archipel.rules.kit import Chance, rule
from archipel.rules.the_island.definition import THE_ISLAND
from archipel.rules.the_island.state import State

RANDOM: Final = 0
GREEDY_1: Final = 1


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """Return the action that a bot chooses in a view."""
    if bot == GREEDY_1:
        return choose_greedily_1(s, actions, count, chance)
    return choose_at_random(actions, count, chance)


BOTS: Final = (
    BotInfo("the-island", "random", RANDOM),
    BotInfo("the-island", "greedy-1", GREEDY_1),
)
LEVELS: Final = read_levels("the-island", BOTS)

THE_ISLAND_BOTS: Final = Roster(
    THE_ISLAND,
    choose,
    BOTS,
    LEVELS.levels,
    evaluate_1,
    former_levels=LEVELS.former_levels,
    removed=LEVELS.removed,
)
