"""Named access to a position of The Island."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from archipel.rules.hex_sea.accessors import Boat, Creature, Person, SafeIsland, SeaPosition, Space
from archipel.rules.the_island.board import TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.components import CREATURE_KINDS, PER_COLOUR, SYMBOLS, TERRAINS
from archipel.rules.the_island.names import COLOUR_NAMES
from archipel.rules.the_island.position import ENDINGS, PHASES, WORDS
from archipel.rules.the_island.state import NO_VALUE, UNKNOWN, State, colours_in_play, owner

__all__ = ["Boat", "Creature", "Explorer", "Position", "SafeIsland", "Space", "Tile"]


@dataclass(frozen=True)
class Explorer(Person):
    """An explorer; ``value`` is None if it is unknown or the explorer is not placed yet."""

    value: int | None


@dataclass(frozen=True)
class Tile:
    """A tile in a hand: the space it came from, its terrain, and its back if it is known."""

    space: str
    terrain: str
    symbol: str | None


class Position(SeaPosition):
    """The island, the explorers, the boats, the creatures, and the hands.

    ``position["w1"]`` is an explorer, ``position["f7"]`` a space, ``position["boat1"]`` a boat,
    ``position["shark 2"]`` a creature, ``position["nw"]`` a safe island.
    """

    state: State
    examples: ClassVar[str] = "an explorer (w1), a space (f7), boat1, shark 2 or a safe island"
    _words = WORDS
    _colours = COLOUR_NAMES
    _terrains = tuple(TERRAINS)
    _phases = PHASES
    _endings = ENDINGS

    @property
    def explorers(self) -> tuple[Explorer, ...]:
        """Colour by colour, each in the order of placement."""
        return tuple(map(self._person, range(colours_in_play(self.state) * PER_COLOUR)))

    @property
    def hands(self) -> tuple[tuple[Tile, ...], ...]:
        """The tiles that each seat holds."""
        return tuple(self._hand(seat) for seat in range(self.state.seats))

    @property
    def die(self) -> str | None:
        """The creature that the die shows in this turn."""
        return None if self.state.die == UNKNOWN else CREATURE_KINDS[self.state.die]

    @property
    def playing(self) -> str | None:
        """The symbol of the tile that is being played."""
        return None if self.state.playing == UNKNOWN else SYMBOLS[self.state.playing]

    def _hand(self, seat: int) -> tuple[Tile, ...]:
        s = self.state
        return tuple(
            Tile(
                self._names.space(TILE_SPACES[tile]),
                TERRAINS[s.terrain[tile]],
                self._symbol(tile),
            )
            for tile in range(TILES)
            if s.holder[tile] == seat
        )

    def _symbol(self, tile: int) -> str | None:
        back = self.state.back[tile]
        return None if back == UNKNOWN else SYMBOLS[back]

    def _person(self, person: int) -> Explorer:
        value = self.state.value[person]
        known = None if value in (UNKNOWN, NO_VALUE) else value
        return Explorer(**self._person_parts(person), value=known)

    def _seat_of(self, person: int) -> int:
        return owner(self.state, person)

    def _terrain(self, space: int) -> str | None:
        return TERRAINS[self.state.terrain[TILE_OF[space]]]

    def _under(self, space: int) -> str | None:
        return None if TILE_OF[space] < 0 else self._symbol(TILE_OF[space])
