"""The rating points of bots, from the ladder (docs/ladder.md): fixed points of clubs' ratings."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def bot_points() -> dict[str, dict[str, float]]:
    """Points by game and bot."""
    text = files("archipel.clubs").joinpath("data/bot_points.json").read_text("utf-8")
    found: dict[str, dict[str, float]] = json.loads(text)
    return found
