"""Every bot there is, by game."""

from __future__ import annotations

from importlib import import_module

from archipel.bots.contract import BotInfo, Level, Roster
from archipel.bots.joining import joined
from archipel.bots.random_play import only_at_random
from archipel.rules.all_games import game_named, games
from archipel.rules.house_games import PACKAGES
from archipel.rules.plugins import BOTS, PluginError, add_all
from archipel.rules.sentence import Sentence


def _house_roster(package: str) -> Roster:
    roster = getattr(import_module(f"archipel.bots.{package}.roster"), f"{package.upper()}_BOTS")
    assert isinstance(roster, Roster)
    return roster


#: Of the games that can be played: one whose board is refused has no bots either.
_ROSTERS: dict[str, Roster] = {
    game.name: _house_roster(PACKAGES[game.name]) for game in games() if game.name in PACKAGES
}


def roster_of(game: str) -> Roster:
    """The bots of a game, with how they choose; raises `UnknownGameError`."""
    definition = game_named(game)
    if definition.name in _ROSTERS:
        return _ROSTERS[definition.name]
    return Roster(definition, only_at_random, (BotInfo(definition.name, "random", 0),))


def _add(roster: Roster) -> None:
    """The bots of another package, for a game of the house or of a package."""
    name = roster.definition.name
    if game_named(name) is not roster.definition:
        raise PluginError(Sentence("its {name} is not the game of that name", name=name))
    wrong = [bot.name for bot in roster.players if bot.game != name]
    if wrong:
        raise PluginError(Sentence("{bot} is not for {name}", bot=wrong[0], name=name))
    _ROSTERS[name] = joined(_ROSTERS[name], roster) if name in _ROSTERS else roster


add_all(BOTS, Roster, _add)


def bots_of(game: str) -> tuple[BotInfo, ...]:
    """The bots of a game that are rules, the weakest first; raises `UnknownGameError`."""
    return roster_of(game).bots


def offered_bots(game: str) -> tuple[BotInfo, ...]:
    """Those of them that people are offered as opponents; raises `UnknownGameError`."""
    return tuple(bot for bot in bots_of(game) if bot.offered)


def bot_named(game: str, name: str) -> BotInfo:
    """A bot by its name, or the newest of a family ("greedy"); raises `UnknownBotError`."""
    return roster_of(game).named(name)


def levels_of(game: str) -> tuple[Level, ...]:
    """The bots of a game that search, the weakest first; raises `UnknownGameError`."""
    return roster_of(game).levels


def player_named(game: str, name: str) -> BotInfo:
    """A bot or a level by its name or family; raises `UnknownBotError`."""
    return roster_of(game).player_named(name)
