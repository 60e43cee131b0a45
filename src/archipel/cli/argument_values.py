"""Values of arguments: games, options, numbers, seeds, databases."""

from __future__ import annotations

import difflib
import math
import os
import secrets
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from archipel.cli.errors import UserError
from archipel.rules.all_games import game_named, games
from archipel.rules.contract import Definition, UnknownGameError
from archipel.rules.options import OptionError, Options, Value, choice_text
from archipel.study.executors.executor import PLACES, RAY

#: Environment variable that names the database if the command line does not. Other users of the
#: machine can read a password in the list of processes, but not in the environment.
DATABASE = "ARCHIPEL_DATABASE"
MOST_BOT_SECONDS = 600


def find_game(name: str | None) -> Definition[Any]:
    """The game of that name; raises `UserError`."""
    names = [game.name for game in games()]
    if name is None:
        raise UserError("error.game_missing", known=", ".join(names))
    try:
        return game_named(name)
    except UnknownGameError:
        near = difflib.get_close_matches(name.lower().replace("_", "-"), names, 1, 0.5)
        if near:
            raise UserError("error.game_near", name=name, near=near[0]) from None
        raise UserError("error.game_unknown", name=name, known=", ".join(names)) from None


def make_options(game: Definition[Any], seats: int, settings: Sequence[str]) -> Options:
    """The game's options from ``name=value`` settings; raises `UserError`."""
    if seats not in game.seats:
        raise UserError(
            "error.seats", game=game.name, low=game.seats[0], high=game.seats[-1], seats=seats
        )
    given = dict(_setting(game, setting) for setting in settings)
    try:
        return game.make_options(seats, **given)
    except OptionError as error:
        raise UserError("error.option", reason=error) from None


def _setting(game: Definition[Any], setting: str) -> tuple[str, Value]:
    name, equals, text = setting.partition("=")
    known = {option.name: option for option in game.options}
    if not equals:
        raise UserError("error.set", setting=setting)
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        if near:
            raise UserError("error.option_near", game=game.name, name=name, near=near[0])
        raise UserError("error.option_unknown", game=game.name, name=name, known=", ".join(known))
    try:
        return name, known[name].choose(text)
    except OptionError:
        choices = ", ".join(choice_text(choice) for choice in known[name].choices)
        raise UserError(
            "error.choice", name=name, value=text, choices=choices, rule=known[name].rule
        ) from None


def whole_number(name: str, low: int, high: int, text: str) -> int:
    """Parse a whole number from ``low`` to ``high``; raises `UserError`."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high):
        raise UserError("error.number", name=name, text=text, low=low, high=high)
    return int(text)


def fraction(name: str, low: int, high: int, text: str) -> float:
    """Parse a number from ``low`` to ``high``; raises `UserError`."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:  # false for NaN, too
        raise UserError("learn.number", name=name, text=text, most=high)
    return value


def bot_seconds(text: str) -> float:
    """Parse the time limit of a bot program; raises `UserError`."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= MOST_BOT_SECONDS:  # also rejects NaN
        raise UserError("bot.time", text=text, most=MOST_BOT_SECONDS)
    return seconds


def executor_name(text: str) -> str:
    """Check the name of an executor; raises `UserError`."""
    if text not in PLACES:
        raise UserError("error.on", place=text, known=", ".join(PLACES))
    if text == RAY and find_spec("ray") is None:
        raise UserError("error.no_ray")
    return text


def random_seed(seed: int | None) -> int:
    """The seed of ``--seed``, else a random one."""
    return secrets.randbits(32) if seed is None else seed


def parse_database(text: str | None) -> Path | str | None:
    """A file, or the address of a PostgreSQL database; None if neither option nor environment
    names one."""
    from archipel.tables.administration import database_named

    text = text or os.environ.get(DATABASE) or None
    return None if text is None else database_named(text)
