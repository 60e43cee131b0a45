"""The random bot, for any game: the baseline of all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from archipel.rules.game_rules import GameState
from archipel.rules.kit import Chance, draw, rule

#: Numbers of the bots in every game that has both.
RANDOM: Final = 0
GREEDY_1: Final = 1


@rule
def choose_at_random(actions: list[int], count: int, chance: Chance) -> int:
    """Choose uniformly among the legal actions."""
    return actions[draw(chance, count)]


@rule
def only_at_random(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """`BotRules.choose` for a game that has no other bot yet."""
    return choose_at_random(actions, count, chance)


@dataclass(frozen=True)
class RandomOrGreedy:
    """`BotRules.choose` for a game with the bots random and greedy-1."""

    choose_greedily: Callable[[Any, list[int], int, Chance], int]

    @rule
    def choose(self, s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
        if bot == GREEDY_1:
            return self.choose_greedily(s, actions, count, chance)
        return choose_at_random(actions, count, chance)
