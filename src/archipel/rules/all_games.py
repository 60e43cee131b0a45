"""Every game there is, registered: import this to have them."""

from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.contract import game_named, games, register
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.plugins import add_games
from archipel.rules.the_island.definition import THE_ISLAND

HOUSE_GAMES = (DEEP_SEA, ATLANTIS, THE_ISLAND, MAUNA_KEA)

for _game in HOUSE_GAMES:
    register(_game)
add_games()

__all__ = ["HOUSE_GAMES", "game_named", "games"]
