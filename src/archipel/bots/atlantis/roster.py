"""The bots of Atlantis. Its levels, which search, are in ``levels.toml``."""

from __future__ import annotations

from typing import Final

from archipel.bots.atlantis.evaluation import evaluate_1
from archipel.bots.atlantis.greedy_1 import choose_greedily_1
from archipel.bots.levels import built_in_roster
from archipel.bots.random_play import RandomOrGreedy
from archipel.rules.atlantis.definition import ATLANTIS

ATLANTIS_BOTS: Final = built_in_roster(
    ATLANTIS, ("random", "greedy-1"), RandomOrGreedy(choose_greedily_1).choose, evaluate_1
)
