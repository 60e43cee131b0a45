"""Say on the error output that rules are being compiled, which takes up to a minute per game."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

from archipel.rules.kit.core.loading import can_compile, is_compiled_already
from archipel.rules.kit.core.program import Backend, Program

#: Seconds between two lines.
INTERVAL = 5.0

#: The line about a missing compiler is printed once.
_said = threading.Event()


def announced(load: Callable[[], Backend], program: Program, compiled: bool | None) -> Backend:
    """Load a program; print lines while it compiles, or one line if Numba is missing."""
    if not can_compile():
        if compiled is None and not _said.is_set():
            _said.set()
            _print("Numba is not installed: the games run about a hundred times slower")
        return load()
    if compiled is False or is_compiled_already(program):
        return load()
    started, finished = time.monotonic(), threading.Event()

    def report() -> None:
        while not finished.wait(INTERVAL):
            _print(f"compiling {program.name}, {time.monotonic() - started:.0f} s")

    _print(f"compiling {program.name}, which is done once and takes up to a minute")
    reporter = threading.Thread(target=report, name="compiling", daemon=True)
    reporter.start()
    try:
        backend = load()
    finally:
        finished.set()
        reporter.join()
    _print(f"compiled {program.name} in {time.monotonic() - started:.0f} s")
    return backend


def _print(line: str) -> None:
    print(f"archipel: {line}", file=sys.stderr, flush=True)
