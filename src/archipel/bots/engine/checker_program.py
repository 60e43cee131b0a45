"""The checker of each game: its rules on the draws of a live game, for the browser.

The page of a finished game recomputes the deal and every outcome from the published secret.
"""

from __future__ import annotations

from functools import cache

from archipel.rules.all_games import game_named
from archipel.rules.fair_draws import FairDraws, derive_key, draw_fairly, draw_fairly_for
from archipel.rules.kit import Program
from archipel.rules.kit.core.program import CompiledChance

#: The rules of the game that the page calls.
RULES = ("set_up", "deal_unseen", "legal", "apply", "score", "to_move")


@cache
def checker_program(game: str) -> Program:
    """The checker of a game, importable by name from another process."""
    definition = game_named(game)
    entries = definition.rules.entries(*RULES)
    return Program(
        definition.name,
        definition.state,
        {"derive_key": derive_key, **entries},
        chance=CompiledChance(FairDraws, draw_fairly, draw_fairly_for),
    )
