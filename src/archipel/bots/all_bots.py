"""The registry of all bots, by game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from archipel.bots.contract import BotInfo, Level, Roster, UnknownBotError
from archipel.bots.random_play import only_at_random
from archipel.rules import BUILT_IN_GAMES
from archipel.rules.all_games import game_named, games
from archipel.rules.game_rules import GameState
from archipel.rules.kit import Chance, rule
from archipel.rules.plugins import BOTS, PluginError, add_all
from archipel.rules.sentence import Sentence

Choose = Callable[[Any, int, list[int], int, Chance], int]


@dataclass(frozen=True)
class JoinedBots:
    """The bots of two rosters: those of the second are numbered after those of the first."""

    first: Choose
    second: Choose
    first_of_second: int

    @rule
    def choose(self, s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
        if bot < self.first_of_second:
            return self.first(s, bot, actions, count, chance)
        return self.second(s, bot - self.first_of_second, actions, count, chance)


def joined(first: Roster, second: Roster) -> Roster:
    """Return a roster with the bots of both; raises `PluginError` if a name occurs twice."""
    taken = {name for bot in first.players for name in (bot.name, bot.family)}
    for bot in second.players:
        if bot.name in taken:
            raise PluginError(
                Sentence("{game} already has a bot called {bot}", game=bot.game, bot=bot.name)
            )
    moved = (replace(b, index=b.index + len(first.bots)) for b in second.bots)
    return replace(
        first,
        choose=JoinedBots(first.choose, second.choose, len(first.bots)).choose,
        bots=(*first.bots, *moved),
        levels=(*first.levels, *second.levels),
        former_levels=(*first.former_levels, *second.former_levels),
    )


def _house_roster(package: str) -> Any:
    return getattr(import_module(f"archipel.bots.{package}.roster"), f"{package.upper()}_BOTS")


#: A game whose board is invalid has no bots.
_ROSTERS: dict[str, Roster] = {
    game.name: _house_roster(BUILT_IN_GAMES[game.name])
    for game in games()
    if game.name in BUILT_IN_GAMES
}


def roster_of(game: str) -> Roster:
    """Return the roster of a game; raises `UnknownGameError`."""
    definition = game_named(game)
    if definition.name in _ROSTERS:
        return _ROSTERS[definition.name]
    return Roster(definition, only_at_random, (BotInfo(definition.name, "random", 0),))


def _add(roster: Roster) -> None:
    """Add the bots of a plug-in."""
    name = roster.definition.name
    if game_named(name) is not roster.definition:
        raise PluginError(Sentence("its {name} is not the game of that name", name=name))
    wrong = [bot.name for bot in roster.players if bot.game != name]
    if wrong:
        raise PluginError(Sentence("{bot} is not for {name}", bot=wrong[0], name=name))
    _ROSTERS[name] = joined(_ROSTERS[name], roster) if name in _ROSTERS else roster


add_all(BOTS, Roster, _add)


def bots_of(game: str) -> tuple[BotInfo, ...]:
    """Return the bots of a game that do not search, the weakest first."""
    return roster_of(game).bots


def offered_bots(game: str) -> tuple[BotInfo, ...]:
    """Return the bots without search that people can pick as opponents."""
    return tuple(bot for bot in bots_of(game) if bot.offered)


def bot_named(game: str, name: str) -> BotInfo:
    """Return a bot by name, or the newest of a family ("greedy"); raises `UnknownBotError`."""
    return roster_of(game).named(name)


def levels_of(game: str) -> tuple[Level, ...]:
    """Return the levels of a game, which search, the weakest first."""
    return roster_of(game).levels


def player_named(game: str, name: str) -> BotInfo:
    """Return a bot or level by name or family; raises `UnknownBotError`."""
    return roster_of(game).player_named(name)


def fallback_bot(game: str) -> BotInfo:
    """Return the bot that plays while a search is not ready."""
    roster = roster_of(game)
    try:
        return roster.named("greedy")
    except UnknownBotError:
        return roster.bots[-1]
