"""The programs of studies, by the name of their game, as another process can find them too."""

from __future__ import annotations

from functools import cache
from typing import Any

from archipel.bots import roster_of
from archipel.rules.kit import Program
from archipel.rules.kit.loading import load_backend
from archipel.rules.kit.program import Backend
from archipel.study.kernel import play_games


@cache
def simulation_program(game: str) -> Program:
    """Games between the bots of a game."""
    roster = roster_of(game)
    return roster.definition.program(play_games, extra=roster.bindings)


@cache
def course_program(game: str) -> Program:
    """The same, with the course of the games followed."""
    roster = roster_of(game)
    bindings = {**roster.bindings, **roster.definition.course_bindings()}
    return roster.definition.program(play_games, extra=bindings)


# A worker asks for them with every chunk, and finding out what is compiled already takes longer
# than many a chunk does.


@cache
def simulation_backend(game: str) -> Backend:
    return load_backend(simulation_program(game))


@cache
def course_backend(game: str) -> Backend:
    return load_backend(course_program(game))


def without_course(backend: Backend) -> tuple[Any, ...]:
    """What `play_games` is given last by those who do not ask for the course."""
    return 0, backend.numbers(1), backend.numbers(1, 1), 0, backend.numbers(1)
