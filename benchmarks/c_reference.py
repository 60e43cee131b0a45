"""Build a game that is hand-written in C, for comparison with the compiled rules."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

SOURCES = Path(__file__).parent / "c"
FLAGS = ("-O3", "-march=native", "-std=c11", "-Wall", "-Wextra", "-shared", "-fPIC")

#: The C function: plays games, returns the hash of their final states and the number of decisions.
PlayRandomly = Callable[[int, int, int, int], tuple[int, int]]


def find_compiler() -> str | None:
    """The C compiler that CC names, else gcc, clang or cc; None if there is none."""
    for name in (os.environ.get("CC"), "gcc", "clang", "cc"):
        if name and (found := shutil.which(name)):
            return found
    return None


def has_source(game: str) -> bool:
    return _source(game).exists()


def _source(game: str) -> Path:
    return SOURCES / f"{game.replace('-', '_')}.c"


def build(game: str, compiler: str, folder: Path) -> PlayRandomly:
    """Compile the game into a folder; returns a function of seats, seed, first game and games.

    Raises `subprocess.CalledProcessError` with the output of the compiler.
    """
    library = folder / f"{game}.so"
    command = [compiler, *FLAGS, str(_source(game)), "-o", str(library)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    function = ctypes.CDLL(str(library)).play_randomly
    function.restype = ctypes.c_uint64
    function.argtypes = [
        ctypes.c_int,
        ctypes.c_uint64,
        ctypes.c_int64,
        ctypes.c_int64,
        ctypes.POINTER(ctypes.c_int64),
    ]

    def play_randomly(seats: int, seed: int, first: int, games: int) -> tuple[int, int]:
        decisions = ctypes.c_int64(0)
        digest = function(seats, seed, first, games, ctypes.byref(decisions))
        return int(digest), decisions.value

    return play_randomly
