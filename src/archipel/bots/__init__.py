"""Bots: computer players.

A bot sees the same view as a person in its seat. `Bot` plays live games; `archipel.study` simulates
many games at once.
"""

import warnings
from typing import Any

from archipel.bots.all_bots import (
    bot_named,
    bots_of,
    levels_of,
    offered_bots,
    player_named,
    roster_of,
)
from archipel.bots.contract import BotInfo, Level, Roster, UnknownBotError
from archipel.bots.live import Bot
from archipel.bots.search.search import Candidate, SearchResult

__all__ = [
    "Bot",
    "BotInfo",
    "Candidate",
    "Level",
    "Roster",
    "SearchResult",
    "UnknownBotError",
    "bot_named",
    "bots_of",
    "levels_of",
    "offered_bots",
    "player_named",
    "roster_of",
]


def __getattr__(name: str) -> Any:
    if name == "Thought":
        warnings.warn("archipel.bots.Thought is now SearchResult", DeprecationWarning, stacklevel=2)
        return SearchResult
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
