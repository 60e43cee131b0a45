"""The bots of Deep Sea Adventure. Its levels, which search, are in ``levels.toml``."""

from __future__ import annotations

from typing import Final

from archipel.bots.deep_sea.careful_1 import choose_carefully_1
from archipel.bots.deep_sea.evaluation import evaluate_1
from archipel.bots.deep_sea.greedy_1 import choose_greedily_1
from archipel.bots.deep_sea.net_inputs import DEEP_SEA_INPUTS, net_inputs
from archipel.bots.levels import built_in_roster
from archipel.bots.random_play import GREEDY_1, choose_at_random
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import SUBMARINE, State
from archipel.rules.kit import Chance, rule
from archipel.rules.kit.core.decorators import rule_apart

CAREFUL_1: Final = 2


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """Return the action that a bot chooses in a view."""
    if bot == GREEDY_1:
        return choose_greedily_1(s, actions, count, chance)
    if bot == CAREFUL_1:
        return choose_carefully_1(s, actions, count)
    return choose_at_random(actions, count, chance)


@rule_apart
def place_of_mover(s: State) -> int:
    """See `archipel.bots.contract.BotRules.outcome`: where the diver to move is."""
    return s.place[s.to_move] - SUBMARINE


DEEP_SEA_BOTS: Final = built_in_roster(
    DEEP_SEA,
    ("random", "greedy-1", "careful-1"),
    choose,
    evaluate_1,
    for_studies=("careful-1",),
    net_inputs=net_inputs,
    net_input_names=DEEP_SEA_INPUTS.names,
    outcome=place_of_mover,
)
