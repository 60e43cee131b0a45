"""Compile a program into the cache, in a process of its own.

usage: python -m archipel.rules.kit.numba.warm_up MODULE:ATTRIBUTE [ARGUMENT ...]

The attribute is a program, or a function that makes one from the arguments.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Sequence

from archipel.rules.kit.core.loading import end_with_parent, load_backend
from archipel.rules.kit.core.program import Program


def find_program(target: str, arguments: Sequence[str]) -> Program:
    module, colon, attribute = target.partition(":")
    if not module or not colon or not attribute:
        raise ValueError(f"{target!r}: expected MODULE:ATTRIBUTE")
    found = getattr(importlib.import_module(module), attribute)
    program = found if isinstance(found, Program) else found(*arguments)
    if not isinstance(program, Program):
        raise TypeError(f"{target}: not a program but {type(program).__name__}")
    return program


def run(usage: str | None, arguments: Sequence[str], work: Callable[[Program], object]) -> int:
    """Call ``work`` for the program that the arguments name; return an exit status."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    work(find_program(arguments[0], arguments[1:]))
    return 0


def main(arguments: Sequence[str]) -> int:
    return run(__doc__, arguments, lambda program: load_backend(program, compiled=True))


if __name__ == "__main__":
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(10)  # games in progress come first
    sys.exit(main(sys.argv[1:]))
