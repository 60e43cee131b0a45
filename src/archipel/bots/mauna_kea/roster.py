"""The bots of Mauna Kea. Its levels, which search, are in ``levels.toml``."""

from __future__ import annotations

from typing import Final

from archipel.bots.levels import built_in_roster
from archipel.bots.mauna_kea.evaluation import evaluate_1
from archipel.bots.mauna_kea.greedy import choose_greedily
from archipel.bots.mauna_kea.plans import Style
from archipel.bots.mauna_kea.quick_1 import TRAITS, choose_quickly_1, describe_1, glance_1
from archipel.bots.random_play import GREEDY_1, choose_at_random
from archipel.rules.kit import Chance, rule
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.state import State

GREEDY_2: Final = 2
QUICK_1: Final = 3
STEADY_1: Final = 4


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """Return the action that a bot chooses in a view."""
    if bot == GREEDY_1:
        return choose_greedily(s, actions, count, Style.GREEDY_1)
    if bot == GREEDY_2:
        return choose_greedily(s, actions, count, Style.GREEDY_2)
    if bot == QUICK_1:
        return choose_quickly_1(s, actions, count, chance)
    if bot == STEADY_1:
        return choose_greedily(s, actions, count, Style.STEADY_1)
    return choose_at_random(actions, count, chance)


MAUNA_KEA_BOTS: Final = built_in_roster(
    MAUNA_KEA,
    ("random", "greedy-1", "greedy-2", "quick-1", "steady-1"),
    choose,
    evaluate_1,
    for_studies=("quick-1", "steady-1"),
    describe=describe_1,
    traits=TRAITS,
    glance=glance_1,
)
