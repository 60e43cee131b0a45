"""The build backend: Hatchling, plus the build dependencies of the engines.

A wheel contains the engines that browsers run. Numba compiles them, so wheel builds request it,
unless the engines are present, as in a source archive. An editable install does not need them: a
checkout builds them in the background while it serves. ``ARCHIPEL_SKIP_ENGINES=1`` leaves them out,
for systems without Numba.
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
#: Packages that `archipel.bots.engine.modules` imports.
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
    """Return the packages that building the engines needs; none if they need no build."""
    packed = Path(__file__).parent / "src" / "archipel" / "bots" / "engine" / "packed.py"
    if os.environ.get(SKIP) == "1" or runpy.run_path(str(packed))["is_packed"]():
        return ()
    return LIBRARIES
