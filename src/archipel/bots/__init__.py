"""Bots: who plays when nobody sits there.

A bot sees a view like anybody else; `Bot` plays live games, simulations are in `archipel.study`.
"""

from archipel.bots.all_bots import bot_named, bots_of, roster_of
from archipel.bots.contract import BotInfo, Roster, UnknownBotError
from archipel.bots.live import Bot

__all__ = [
    "Bot",
    "BotInfo",
    "Roster",
    "UnknownBotError",
    "bot_named",
    "bots_of",
    "roster_of",
]
