"""Named access to a position of Atlantis."""

from __future__ import annotations

from typing import ClassVar

from archipel.rules.atlantis.board import PIECE_OF, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, SYMBOLS, TERRAINS
from archipel.rules.atlantis.components import PART_NAMES, PER_TRIBE, TRIBE_OF
from archipel.rules.atlantis.names import TRIBE_NAMES
from archipel.rules.atlantis.position import ENDINGS, PHASES, WORDS
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, State
from archipel.rules.hex_sea.accessors import Boat, Creature, Person, SafeIsland, SeaPosition, Space

__all__ = ["Boat", "Creature", "Person", "Position", "SafeIsland", "Space"]


class Position(SeaPosition):
    """The board, the people, the boats and the animals.

    ``position["R3"]`` is a person, ``position["f7"]`` a space, ``position["boat1"]`` a boat,
    ``position["shark 2"]`` an animal, and a Coral Island is found by its name.
    """

    state: State
    examples: ClassVar[str] = "a person (R3), a space (f7), boat1, shark 2 or a Coral Island"
    _words = WORDS
    _colours = TRIBE_NAMES
    _terrains = tuple(TERRAINS)
    _phases = PHASES
    _endings = ENDINGS

    @property
    def people(self) -> tuple[Person, ...]:
        """Tribe by tribe, each in the order of placement."""
        return tuple(map(self._person, range(self.state.seats * PER_TRIBE)))

    @property
    def animals(self) -> tuple[Creature, ...]:
        return self.creatures

    @property
    def coral_islands(self) -> tuple[SafeIsland, ...]:
        return self.safe_islands

    @property
    def spun(self) -> tuple[str, str] | None:
        """The result of the spinner this turn: the kind of animal, and its part (1, 2, 3 or T)."""
        if self.state.spun == UNKNOWN:
            return None
        return ANIMAL_KINDS[self.state.spun], PART_NAMES[self.state.part]

    @property
    def sinking(self) -> str | None:
        """The space whose people are being relocated."""
        return None if self.state.sinking == NOTHING else self._names.space(self.state.sinking)

    def _seat_of(self, person: int) -> int:
        return TRIBE_OF[person]

    def _terrain(self, space: int) -> str | None:
        return TERRAINS[TERRAIN_OF_SPACE[space]]

    def _under(self, space: int) -> str | None:
        if PIECE_OF[space] < 0 or self.state.symbol[PIECE_OF[space]] == UNKNOWN:
            return None
        return SYMBOLS[self.state.symbol[PIECE_OF[space]]]
