"""Registers all games; import this module to use them."""

from importlib import import_module

from archipel.rules import BUILT_IN_GAMES
from archipel.rules.contract import game_named, games, register, register_refused
from archipel.rules.data_files import DataFileError
from archipel.rules.plugins import add_games

_house = []
for _name, _package in BUILT_IN_GAMES.items():
    try:
        _module = import_module(f"archipel.rules.{_package}.definition")
    except DataFileError as error:  # an invalid board of the user: other games still work
        register_refused(_name, error)
    else:
        _house.append(getattr(_module, _package.upper()))
        register(_house[-1])
add_games()

HOUSE_GAMES = tuple(_house)

__all__ = ["HOUSE_GAMES", "game_named", "games"]
