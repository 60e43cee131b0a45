"""Every game there is, registered: import this to have them."""

from archipel.rules.contract import game_named, games, register
from archipel.rules.deep_sea.definition import DEEP_SEA

register(DEEP_SEA)

__all__ = ["game_named", "games"]
