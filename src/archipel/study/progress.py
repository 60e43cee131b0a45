"""Load a study's program and report progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from archipel.rules.kit import Program
from archipel.rules.kit.core.loading import can_compile, is_compiled_already, load_backend
from archipel.rules.kit.core.program import Backend

COMPILING = "compiling (once)"
NO_COMPILER = "Numba is not installed: interpreted, about a hundred times slower"


@dataclass(frozen=True)
class Progress:
    """Games played so far, games in all, and a note for the user."""

    done: int
    games: int
    note: str = ""


OnProgress = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Ignore progress."""


def load_program(
    program: Program, compiled: bool | None, games: int, on_progress: OnProgress
) -> Backend:
    """Load a program; reports to ``on_progress`` that it compiles or that there is no compiler."""
    if compiled is None and not can_compile():
        on_progress(Progress(0, games, NO_COMPILER))
    elif compiled is not False and can_compile() and not is_compiled_already(program):
        on_progress(Progress(0, games, COMPILING))
    return load_backend(program, compiled)


def compile_first(program: Program, games: int, on_progress: OnProgress = silent) -> None:
    """Compile a program once, before several processes load it."""
    if can_compile():
        load_program(program, True, games, on_progress)
