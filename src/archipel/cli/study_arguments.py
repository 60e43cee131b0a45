"""Arguments and table cells shared by match, ladder, simulate, study, dataset and learn."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import cycle, islice

from archipel.bots import UnknownBotError, player_named
from archipel.bots.external.bot_program import BotProgram
from archipel.cli.argument_values import number_given, whole_number
from archipel.cli.errors import UserError
from archipel.cli.output import decimal
from archipel.cli.players import studied_bots
from archipel.rules.catalogue import Catalogue
from archipel.study import BotResult, WinRate
from archipel.study.executors.executor import PLACES, PROCESSES, RAY

MAX_PROCESSES = 1024


def known_bot(game: str, name: str, programs: Mapping[str, BotProgram]) -> str:
    """Full name of a bot, or of a program that plays the game."""
    if name in programs:
        if not programs[name].plays(game):
            raise UserError("bot.other_games", name=name, game=game)
        return name
    try:
        return player_named(game, name).name
    except UnknownBotError:
        known = ", ".join([*studied_bots(game), *programs])
        raise UserError("error.no_bot", name=name, known=known) from None


def one_per_seat(named: Sequence[str], arguments: argparse.Namespace) -> list[str]:
    """The named bots, repeated in order until every seat of ``--seats`` has one."""
    seats = len(named)
    if arguments.seats is not None:
        seats = whole_number("--seats", arguments.seats, 1, 99)
        if len(named) > seats and arguments.bots is not None:
            raise UserError("error.too_many_players", players=len(named), seats=seats)
    return list(islice(cycle(named), seats))


def processes_given(arguments: argparse.Namespace) -> int | None:
    if arguments.processes is None:
        return None
    return number_given("--processes", arguments.processes, 1, MAX_PROCESSES)


def place_given(arguments: argparse.Namespace) -> str:
    """The executor that ``--on`` names."""
    place: str = arguments.on or PROCESSES
    if place not in PLACES:
        raise UserError("error.on", place=place, known=", ".join(PLACES))
    if place == RAY and find_spec("ray") is None:
        raise UserError("error.no_ray")
    return place


def bot_heads(words: Catalogue) -> list[str]:
    """Headings of `bot_cells`."""
    names = ("bot", "games", "wins", "rate", "interval", "mean")
    return [words.say(f"simulate.head.{name}") for name in names]


def bot_cells(bot: BotResult, words: Catalogue) -> list[str]:
    won = bot.won
    low, high = (decimal(100 * end, words) for end in (won.interval.low, won.interval.high))
    return [
        bot.name if bot.copies == 1 else f"{bot.name} ×{bot.copies}",
        str(won.games),
        decimal(float(won.wins), words),
        rate_cell(won, words),
        words.say("simulate.interval", low=low, high=high),
        decimal(bot.mean_score, words),
    ]


def rate_cell(won: WinRate, words: Catalogue) -> str:
    """A win rate in percent; a dash if the bot never had the seat."""
    return words.say("simulate.percent", rate=decimal(100 * won.rate, words)) if won.games else "-"
