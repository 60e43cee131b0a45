"""A bot that takes the best shell it knows, and otherwise one that a wave will not reach."""

from __future__ import annotations

from typing import Final

from archipel.bots.contract import BotInfo, Roster
from archipel.bots.random_play import choose_at_random
from archipel.rules.kit import Chance, rule
from low_tide.definition import LOW_TIDE
from low_tide.rules import SHELLS, TAKE, State

RANDOM: Final = 0
DIGGER_1: Final = 1
WORTH_TAKING: Final = 5


@rule
def choose_to_dig(s: State, actions: list[int], count: int) -> int:
    """The best shell that is worth taking; else a look at the last one not known; else the best."""
    best = actions[count - 1]
    most = 0
    for number in range(count):
        if actions[number] >= TAKE and s.worth[actions[number] - TAKE] > most:
            best = actions[number]
            most = s.worth[best - TAKE]
    if most >= WORTH_TAKING:
        return best
    for number in range(count):
        action = actions[count - 1 - number]
        if action < SHELLS:
            return action
    return best


@rule
def choose(s: State, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """The action that a bot chooses in a view."""
    if bot == DIGGER_1:
        return choose_to_dig(s, actions, count)
    return choose_at_random(actions, count, chance)


LOW_TIDE_BOTS: Final = Roster(
    LOW_TIDE,
    choose,
    (BotInfo("low-tide", "random", RANDOM), BotInfo("low-tide", "digger-1", DIGGER_1)),
)
