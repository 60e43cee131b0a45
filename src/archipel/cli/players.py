"""Players at the terminal: people, built-in bots and bot programs."""

from __future__ import annotations

import argparse
import atexit
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from typing import Any, TypeAlias

from archipel.bots import (
    Bot,
    BotInfo,
    Level,
    UnknownBotError,
    bots_of,
    levels_of,
    offered_bots,
    player_named,
    roster_of,
)
from archipel.bots.all_bots import fallback_bot
from archipel.bots.external.bot_program import (
    BadProgram,
    BotProgram,
    ProgramBot,
    query_games,
    read_program,
)
from archipel.bots.external.line_process import ProcessFailed
from archipel.bots.external.worker_protocol import Candidate
from archipel.bots.levels import LEVEL_WORDS
from archipel.bots.live import SEEDS
from archipel.bots.search.search import search_program, warm_search
from archipel.cli.errors import UserError
from archipel.rules.all_games import games
from archipel.rules.kit import Chance
from archipel.rules.kit.core.loading import Warming, is_compiled_already

LONGEST_NAME = 24
_NUMBERED = re.compile(r"(?P<bot>.+) \(\d+\)")


@dataclass(frozen=True)
class Player:
    """A person, or a bot."""

    name: str
    bot: AnyBot | None = None


def bot_names(game_name: str) -> list[str]:
    """Bots offered to players."""
    return [bot.name for bot in (*offered_bots(game_name), *levels_of(game_name))]


def all_bot_names(game_name: str) -> list[str]:
    """All bots, including those for studies only."""
    return [bot.name for bot in (*bots_of(game_name), *levels_of(game_name))]


def rule_bot_names(game_name: str) -> list[str]:
    """Bots that play whole games in compiled code: all except those that search."""
    return [bot.name for bot in bots_of(game_name)]


def bot_in_words(bot: str, language: str) -> str:
    """A bot's name, with its level if it has one."""
    level = LEVEL_WORDS[language].get(bot.rpartition("-")[0])
    return f"{bot} ({level})" if level else bot


def default_bot(game_name: str) -> str:
    """The default bot: the strongest that needs no compiler."""
    return offered_bots(game_name)[-1].name


def seat_players(
    game_name: str, given: Sequence[str], programs: Mapping[str, BotProgram] | None = None
) -> list[Player]:
    """Players from a list of names: names of bots become bots, all others people.

    The second of two equal bots is called ``greedy-1 (2)``, here and in records.
    """
    players: list[Player] = []
    for text in given:
        bot = _bot(game_name, text, programs or {})
        if bot is None:
            # In a record, '#' begins a comment.
            if not text.isprintable() or "#" in text or len(text) > LONGEST_NAME:
                raise UserError("error.name", name=text[: 2 * LONGEST_NAME], most=LONGEST_NAME)
            players.append(Player(text))
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
        return ProgramBot(game_name, programs[resolve_bot(game_name, name, programs)])
    try:
        info = player_named(game_name, name)
        return WarmingBot(info) if isinstance(info, Level) else Bot(info)
    except UnknownBotError:
        return None


def resolve_bot(game: str, name: str, programs: Mapping[str, BotProgram]) -> str:
    """Full name of a bot, or of a program that plays the game; raises `UserError`."""
    if name in programs:
        if not programs[name].plays(game):
            raise UserError("bot.other_games", name=name, game=game)
        return name
    try:
        return player_named(game, name).name
    except UnknownBotError:
        known = ", ".join([*all_bot_names(game), *programs])
        raise UserError("error.no_bot", name=name, known=known) from None


def one_per_seat(named: Sequence[str], arguments: argparse.Namespace) -> list[str]:
    """The named bots, repeated in order until every seat of ``--seats`` has one."""
    seats = arguments.seats or len(named)
    if len(named) > seats and arguments.bots is not None:
        raise UserError("error.too_many_players", players=len(named), seats=seats)
    return list(islice(cycle(named), seats))


def split_players(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise UserError("error.players", text=text)
    return names


class WarmingBot:
    """A bot that searches; a stand-in chooses until the search is compiled."""

    def __init__(self, info: BotInfo) -> None:
        self.info = info
        self.name = info.name
        self._lighter = Bot(fallback_bot(info.game))
        self._bot: Bot | None = None

    @property
    def stand_in(self) -> str | None:
        """The name of the bot that chooses for it now; None once it chooses itself."""
        return self._lighter.name if self._ready() is None else None

    def consider(
        self, view: Any, legal: Sequence[int], *, chance: Chance
    ) -> tuple[int, list[Candidate]]:
        """The chosen action and the candidates, the best first."""
        bot = self._ready()
        if bot is None:
            return self._lighter.choose(view, legal, chance=chance), []
        thought = bot.search(view, seed=chance.draw(SEEDS))
        tried = [one for one in thought.candidates if one.visits > 0]
        return thought.action, [Candidate(one.action, one.chance, one.visits) for one in tried]

    def _ready(self) -> Bot | None:
        if self._bot is None:
            warming = _warming(self.info.game)
            if warming.backend.compiled or warming.failure is not None:
                self._bot = Bot(self.info, warming.backend)
        return self._bot


AnyBot: TypeAlias = Bot | ProgramBot | WarmingBot


@cache
def _warming(game: str) -> Warming:
    warming = warm_search(game)
    atexit.register(warming.close)
    if is_compiled_already(search_program(game)):
        warming.wait()
    return warming


def bot_programs(arguments: argparse.Namespace) -> dict[str, BotProgram]:
    """The bot programs of the command line by name; starts each once to check it."""
    found: dict[str, BotProgram] = {}
    for text in arguments.bot:
        infos = [bot for game in games() for bot in roster_of(game.name).players]
        taken = {name for bot in infos for name in (bot.name, bot.family)}
        try:
            program = read_program(text, arguments.bot_time)
        except BadProgram as error:
            raise UserError("bot.garbled", reason=error) from None
        if program.name in found or program.name in taken:
            raise UserError("bot.name_taken", name=program.name)
        try:
            found[program.name] = query_games(program)
        except ProcessFailed as failure:
            raise UserError("bot.failed", name=program.name, why=failure) from None
    return found
