"""Who sits where: people by name, bots by what they are called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from archipel.bots import (
    Bot,
    Level,
    UnknownBotError,
    bots_of,
    levels_of,
    offered_bots,
    player_named,
)
from archipel.bots.levels import LEVEL_WORDS
from archipel.bots.outside.programs import BotProgram, ProgramBot
from archipel.cli.errors import UserError
from archipel.cli.patient_bots import PatientBot
from archipel.rules.catalogue import Catalogue
from archipel.rules.kit import Chance

LONGEST_NAME = 24
_NUMBERED = re.compile(r"(?P<bot>.+) \(\d+\)")


class AnyBot(Protocol):
    """A bot of the house, or one's own."""

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int: ...


@dataclass(frozen=True)
class Player:
    """A person, or a bot."""

    name: str
    bot: AnyBot | None = None


def bot_names(game_name: str) -> list[str]:
    """Those that people are offered."""
    return [bot.name for bot in (*offered_bots(game_name), *levels_of(game_name))]


def studied_bots(game_name: str) -> list[str]:
    """All of them, with those that are there for studies alone."""
    return [bot.name for bot in (*bots_of(game_name), *levels_of(game_name))]


def rule_bots(game_name: str) -> list[str]:
    """Those that play whole games in compiled code: all but the ones that search."""
    return [bot.name for bot in bots_of(game_name)]


def bot_in_words(bot: str, language: str) -> str:
    """A bot's name, and the level that it plays at, if it is one."""
    level = LEVEL_WORDS[language].get(bot.rpartition("-")[0])
    return f"{bot} ({level})" if level else bot


def usual_bot(game_name: str) -> str:
    """The bot that takes a seat when nobody says which: the strongest that needs no compiler."""
    return offered_bots(game_name)[-1].name


def seat_players(
    game_name: str, given: Sequence[str], programs: Mapping[str, BotProgram] | None = None
) -> list[Player]:
    """Players from what a list of players says: the name of a bot, or anything else a person's.

    The second of two equal bots is called ``greedy-1 (2)``, here and in records.
    """
    players: list[Player] = []
    for text in given:
        bot = _bot(game_name, text, programs or {})
        if bot is None:
            players.append(Player(_checked_name(text)))
            continue
        others = sum(player.bot is not None and player.bot.name == bot.name for player in players)
        players.append(Player(f"{bot.name} ({others + 1})" if others else bot.name, bot))
    names = [player.name for player in players]
    for name in names:
        if names.count(name) > 1:
            raise UserError("error.name_twice", name=name)
    return players


def _bot(game_name: str, text: str, programs: Mapping[str, BotProgram]) -> AnyBot | None:
    numbered = _NUMBERED.fullmatch(text)
    name = numbered["bot"] if numbered else text
    if name in programs:
        if not programs[name].plays(game_name):
            raise UserError("bot.other_games", name=name, game=game_name)
        return ProgramBot(game_name, programs[name])
    try:
        info = player_named(game_name, name)
        return PatientBot(info) if isinstance(info, Level) else Bot(info)
    except UnknownBotError:
        return None


def fill_up(game_name: str, given: Sequence[str], seats: int, words: Catalogue) -> list[str]:
    """One person if nobody is named, and bots on the seats that are left."""
    named = list(given) or [words.say("setup.person", number=1)]
    return named + [usual_bot(game_name)] * (seats - len(named))


def split_players(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise UserError("error.players", text=text)
    return names


def _checked_name(name: str) -> str:
    # Records are read line by line, and '#' begins a comment there.
    if not name.isprintable() or "#" in name or len(name) > LONGEST_NAME:
        raise UserError("error.name", name=name[: 2 * LONGEST_NAME], most=LONGEST_NAME)
    return name
