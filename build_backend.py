"""How the package is built: by Hatchling, which is also given what makes the engines.

A wheel carries the engines that browsers run. Numba makes them, so it is asked for while a wheel is
built, unless they are there already, as in a source archive. An editable install does without: a
checkout builds them in the background when it serves. ``ARCHIPEL_SKIP_ENGINES=1`` leaves them out,
for systems that have no Numba.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling import build as hatchling_build
from hatchling.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
)

SKIP = "ARCHIPEL_SKIP_ENGINES"
#: What `archipel.bots.engine.modules` needs.
LIBRARIES = ("msgspec", "numba", "numpy")

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    return [*hatchling_build.get_requires_for_build_wheel(config_settings), *engine_libraries()]


def get_requires_for_build_sdist(config_settings: dict[str, Any] | None = None) -> list[str]:
    return [*hatchling_build.get_requires_for_build_sdist(config_settings), *engine_libraries()]


def engine_libraries() -> tuple[str, ...]:
    """What has to be installed to build the engines, if they are to be built."""
    packed = Path(__file__).parent / "src" / "archipel" / "bots" / "engine" / "packed.py"
    if os.environ.get(SKIP) == "1" or runpy.run_path(str(packed))["is_packed"]():
        return ()
    return LIBRARIES
