"""Values on the command line: games, options, numbers, seeds, databases."""

from __future__ import annotations

import difflib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from archipel.cli.errors import UserError
from archipel.rules.all_games import game_named, games
from archipel.rules.contract import Definition, UnknownGameError
from archipel.rules.options import OptionError, Options, Value, choice_text

#: Environment variable that names the database if the command line does not. Other users of the
#: machine can read a password in the list of processes, but not in the environment.
DATABASE = "ARCHIPEL_DATABASE"
MOST_SEED = 2**63 - 1


def find_game(name: str | None) -> Definition[Any]:
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


def whole_number(name: str, text: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``; raises `UserError`."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high):
        raise UserError("error.number", name=name, text=text, low=low, high=high)
    return int(text)


def number_given(name: str, text: str | None, usual: int, most: int) -> int:
    """A number from 1 to ``most``, or ``usual`` if the option was not given."""
    return usual if text is None else whole_number(name, text, 1, most)


def seed_given(text: str | None, usual: int | None = None) -> int:
    """The seed that was given, else ``usual``, else a random one."""
    if text is not None:
        return whole_number("--seed", text, 0, MOST_SEED)
    return secrets.randbits(32) if usual is None else usual


def database_given(text: str | None) -> Path | str | None:
    """A file, or the address of a PostgreSQL database; None if neither option nor environment
    names one."""
    from archipel.tables.administration import database_named

    text = text or os.environ.get(DATABASE) or None
    return None if text is None else database_named(text)
