"""The programs of studies, by the name of their game, as another process can find them too."""

from __future__ import annotations

from functools import cache

from archipel.bots import roster_of
from archipel.rules.kit import Program
from archipel.study.kernel import play_games


@cache
def simulation_program(game: str) -> Program:
    """Games between the bots of a game."""
    roster = roster_of(game)
    return roster.definition.program(play_games, extra=roster.bindings)
