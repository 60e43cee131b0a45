"""The bot that chooses at random, in any game: the floor that every other bot stands on."""

from __future__ import annotations

from archipel.rules.kit import Chance, draw, rule
from archipel.rules.slots import GameState


@rule
def choose_at_random(actions: list[int], count: int, chance: Chance) -> int:
    """Each legal action equally often."""
    return actions[draw(chance, count)]


@rule
def only_at_random(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """`archipel.rules.slots.choose` for a game that has no other bot yet."""
    return choose_at_random(actions, count, chance)
