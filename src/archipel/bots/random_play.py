"""The random bot, for any game: the baseline of all others."""

from __future__ import annotations

from archipel.rules.game_rules import GameState
from archipel.rules.kit import Chance, draw, rule


@rule
def choose_at_random(actions: list[int], count: int, chance: Chance) -> int:
    """Choose uniformly among the legal actions."""
    return actions[draw(chance, count)]


@rule
def only_at_random(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """`BotRules.choose` for a game that has no other bot yet."""
    return choose_at_random(actions, count, chance)
