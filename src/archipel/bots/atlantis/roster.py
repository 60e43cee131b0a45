"""The bots of Atlantis, and the rule by which each of them chooses.

The levels, which search, are in ``levels.toml``.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.atlantis.evaluation import evaluate_1
from archipel.bots.atlantis.greedy_1 import choose_greedily_1
from archipel.bots.contract import BotInfo, Roster
from archipel.bots.levels import read_levels
from archipel.bots.random_play import choose_at_random
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.atlantis.state import State
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
    BotInfo("atlantis", "random", RANDOM),
    BotInfo("atlantis", "greedy-1", GREEDY_1),
)
LEVELS: Final = read_levels("atlantis", BOTS)

ATLANTIS_BOTS: Final = Roster(
    ATLANTIS,
    choose,
    BOTS,
    LEVELS.levels,
    evaluate_1,
    former_levels=LEVELS.former_levels,
    removed=LEVELS.removed,
)
