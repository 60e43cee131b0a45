"""The bots of Deep Sea Adventure. Its levels, which search, are in ``levels.toml``."""

from __future__ import annotations

from typing import Final

from archipel.bots.deep_sea.evaluation import evaluate_1
from archipel.bots.deep_sea.greedy_1 import choose_greedily_1
from archipel.bots.deep_sea.net_inputs import DEEP_SEA_INPUTS, net_inputs
from archipel.bots.levels import built_in_roster
from archipel.bots.random_play import RandomOrGreedy
from archipel.rules.deep_sea.definition import DEEP_SEA

DEEP_SEA_BOTS: Final = built_in_roster(
    DEEP_SEA,
    ("random", "greedy-1"),
    RandomOrGreedy(choose_greedily_1).choose,
    evaluate_1,
    net_inputs=net_inputs,
    net_input_names=DEEP_SEA_INPUTS.names,
)
