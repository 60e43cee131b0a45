"""The search of each game as a program, and how it runs."""

from __future__ import annotations

from functools import cache

from archipel.bots.all_bots import roster_of
from archipel.bots.search.searcher import search_entries
from archipel.rules.kit import Program
from archipel.rules.kit.loading import Warming, load_backend
from archipel.rules.kit.program import Backend


@cache
def search_program(game: str) -> Program:
    """The search of a game, as another process can find it too."""
    return search_entries(roster_of(game))


@cache
def search_backend(game: str) -> Backend:
    """The search of a game, compiled where that is possible: at first use that takes a while."""
    return load_backend(search_program(game))


def warm_search(game: str) -> Warming:
    """A search that runs at once, interpreted, and compiled as soon as that is ready."""
    return Warming(search_program(game), f"{__name__}:{search_program.__name__}", game)
