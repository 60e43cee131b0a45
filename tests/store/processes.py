"""Run modules of these tests in another Python process."""

import sys
from pathlib import Path

import archipel


def python_running(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of these tests."""
    paths = [str(Path(archipel.__file__).parents[1]), str(Path(__file__).parents[2])]
    program = (
        f"import runpy, sys; sys.path[:0] = {paths!r}; "
        f"runpy.run_module({module!r}, run_name='__main__')"
    )
    return [sys.executable, "-c", program, *arguments]
