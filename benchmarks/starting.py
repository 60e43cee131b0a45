"""How long it takes from nothing to the first result, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

FIRST_RESULT = "from archipel.study import simulate; simulate({!r}, {!r}, 1, jobs=1, compiled={})"


def seconds_to_first_result(game: str, seats: int, cache: Path, compiled: bool) -> float:
    """The time on the clock of a process that simulates one game, its start and end included."""
    script = FIRST_RESULT.format(game, ["random"] * seats, compiled)
    environment = {
        **os.environ,
        "ARCHIPEL_CACHE": str(cache),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)
    return time.perf_counter() - begun


def starts(game: str, seats: int, folder: Path, repetitions: int) -> dict[str, float]:
    """Cold once (everything is compiled), warm and interpreted as the best of several."""
    cache = folder / "cache"
    cold = seconds_to_first_result(game, seats, cache, compiled=True)
    warm = min(
        seconds_to_first_result(game, seats, cache, compiled=True) for _ in range(repetitions)
    )
    interpreted = min(
        seconds_to_first_result(game, seats, cache, compiled=False) for _ in range(repetitions)
    )
    return {"cold": cold, "warm": warm, "interpreted": interpreted}
