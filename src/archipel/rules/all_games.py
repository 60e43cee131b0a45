"""Every game there is, registered: import this to have them."""

from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.contract import game_named, games, register
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.the_island.definition import THE_ISLAND

register(DEEP_SEA)
register(ATLANTIS)
register(THE_ISLAND)
register(MAUNA_KEA)

__all__ = ["game_named", "games"]
