"""Bots: computer players.

A bot sees the same view as a person in its seat. `Bot` plays live games; `archipel.study` simulates
many games at once.
"""

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
from archipel.rules.deprecation import former_names

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

__getattr__ = former_names(__name__, __name__, {"Thought": "SearchResult"})
