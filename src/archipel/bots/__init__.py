"""Bots: who plays when nobody sits there.

A bot sees a view like anybody else; `Bot` plays live games, simulations are in `archipel.study`.
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
from archipel.bots.search.searcher import Candidate, Thought

__all__ = [
    "Bot",
    "BotInfo",
    "Candidate",
    "Level",
    "Roster",
    "Thought",
    "UnknownBotError",
    "bot_named",
    "bots_of",
    "levels_of",
    "offered_bots",
    "player_named",
    "roster_of",
]
