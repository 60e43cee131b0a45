"""The bots of The Island. Its levels, which search, are in ``levels.toml``."""

from __future__ import annotations

from typing import Final

from archipel.bots.levels import built_in_roster
from archipel.bots.random_play import RandomOrGreedy
from archipel.bots.the_island.evaluation import evaluate_1
from archipel.bots.the_island.greedy_1 import choose_greedily_1
from archipel.rules.the_island.definition import THE_ISLAND

THE_ISLAND_BOTS: Final = built_in_roster(
    THE_ISLAND, ("random", "greedy-1"), RandomOrGreedy(choose_greedily_1).choose, evaluate_1
)
