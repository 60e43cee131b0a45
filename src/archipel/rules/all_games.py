"""Every game there is, registered: import this to have them."""

from importlib import import_module

from archipel.rules.contract import game_named, games, register, register_refused
from archipel.rules.data_files import DataFileError
from archipel.rules.house_games import PACKAGES
from archipel.rules.plugins import add_games

_house = []
for _name, _package in PACKAGES.items():
    try:
        _module = import_module(f"archipel.rules.{_package}.definition")
    except DataFileError as error:  # a board of the user's: the other games can be played
        register_refused(_name, error)
    else:
        _house.append(getattr(_module, _package.upper()))
        register(_house[-1])
add_games()

HOUSE_GAMES = tuple(_house)

__all__ = ["HOUSE_GAMES", "game_named", "games"]
