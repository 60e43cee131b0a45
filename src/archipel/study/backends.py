"""How a study gets its program running, and what it says meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from archipel.rules.kit import Program
from archipel.rules.kit.loading import can_compile, is_compiled_already, load_backend
from archipel.rules.kit.program import Backend

COMPILING = "compiling (once)"
NO_COMPILER = "Numba is not installed: interpreted, about a hundred times slower"


@dataclass(frozen=True)
class Progress:
    """How far a study is: games played of all, and anything there is to say."""

    done: int
    games: int
    note: str = ""


OnProgress = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """For callers who do not want to know."""


def backend_for(
    program: Program, compiled: bool | None, games: int, on_progress: OnProgress
) -> Backend:
    """The program ready to run, telling what the user waits for or has to do without."""
    if compiled is None and not can_compile():
        on_progress(Progress(0, games, NO_COMPILER))
    elif compiled is not False and can_compile() and not is_compiled_already(program):
        on_progress(Progress(0, games, COMPILING))
    return load_backend(program, compiled)


def compile_first(program: Program, games: int, on_progress: OnProgress = silent) -> None:
    """Before workers want it: once, and not in every process at the same time."""
    if can_compile() and not is_compiled_already(program):
        on_progress(Progress(0, games, COMPILING))
        load_backend(program, compiled=True)
