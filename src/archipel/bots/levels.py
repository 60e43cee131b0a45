"""The five levels of every game: their names, and how each game's searches are handicapped.

Names are frozen like those of all bots: a level that plays otherwise gets the next number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from archipel.bots.contract import Level, level
from archipel.bots.search.plan import Plan

#: Families of the levels, the weakest first.
LEVELS: Final = ("first-game", "casual", "regular", "expert", "master")

#: What people call them.
LEVEL_WORDS: Final = {
    "en": {
        "first-game": "First game",
        "casual": "Casual",
        "regular": "Regular",
        "expert": "Expert",
        "master": "Master",
    },
    "fr": {
        "first-game": "Première partie",
        "casual": "Occasionnel",
        "regular": "Habitué",
        "expert": "Expert",
        "master": "Maître",
    },
}


def five_levels(game: str, version: int, plans: Sequence[Plan]) -> tuple[Level, ...]:
    """A game's levels of a version, from their plans."""
    if len(plans) != len(LEVELS):
        raise ValueError(f"{game}: {len(LEVELS)} levels need as many plans, not {len(plans)}")
    return tuple(
        level(game, f"{family}-{version}", plan) for family, plan in zip(LEVELS, plans, strict=True)
    )
