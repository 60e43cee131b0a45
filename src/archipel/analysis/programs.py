"""The analysis of each game as a program, and how it runs."""

from __future__ import annotations

from functools import cache

from archipel.bots import roster_of
from archipel.bots.search.kernel import begin
from archipel.bots.weighing import weigh
from archipel.rules.kit import Program


@cache
def analysis_program(game: str) -> Program:
    """What weighing needs, as another process can find it too."""
    roster = roster_of(game)
    return roster.definition.program(begin, weigh, extra=roster.bindings)
