"""Every bot there is, by game."""

from __future__ import annotations

from archipel.bots.atlantis.roster import ATLANTIS_BOTS
from archipel.bots.contract import BotInfo, Level, Roster
from archipel.bots.deep_sea.roster import DEEP_SEA_BOTS
from archipel.bots.mauna_kea.roster import MAUNA_KEA_BOTS
from archipel.bots.random_play import only_at_random
from archipel.bots.the_island.roster import THE_ISLAND_BOTS
from archipel.rules.all_games import game_named

_ROSTERS: dict[str, Roster] = {
    roster.definition.name: roster
    for roster in (
        ATLANTIS_BOTS,
        DEEP_SEA_BOTS,
        MAUNA_KEA_BOTS,
        THE_ISLAND_BOTS,
    )
}


def roster_of(game: str) -> Roster:
    """The bots of a game, with how they choose; raises `UnknownGameError`."""
    definition = game_named(game)
    if definition.name in _ROSTERS:
        return _ROSTERS[definition.name]
    return Roster(definition, only_at_random, (BotInfo(definition.name, "random", 0),))


def bots_of(game: str) -> tuple[BotInfo, ...]:
    """The bots of a game that are rules, the weakest first; raises `UnknownGameError`."""
    return roster_of(game).bots


def bot_named(game: str, name: str) -> BotInfo:
    """A bot by its name, or the newest of a family ("greedy"); raises `UnknownBotError`."""
    return roster_of(game).named(name)


def levels_of(game: str) -> tuple[Level, ...]:
    """The bots of a game that search, the weakest first; raises `UnknownGameError`."""
    return roster_of(game).levels


def player_named(game: str, name: str) -> BotInfo:
    """A bot or a level by its name or family; raises `UnknownBotError`."""
    return roster_of(game).player_named(name)
