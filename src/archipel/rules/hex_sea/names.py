"""The names of spaces, safe islands, people, boats and creatures, and the reverse.

Rows of the board are letters and spaces are numbered in their row: ``f7``.  A person is the letter
of their colour and their number in the order of placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from archipel.rules.hex_sea.board import HexBoard


@dataclass(frozen=True)
class SeaNames:
    """The board of a game, the letters of its colours, and the counts of its pieces.

    Actions that choose people begin at ``first_person``; those of boats and creatures follow.
    """

    board: HexBoard
    letters: str
    per_colour: int
    boat_count: int
    kinds: Sequence[str]
    counts: Sequence[int]
    first_person: int

    @property
    def first_boat(self) -> int:
        return self.first_person + len(self.letters) * self.per_colour

    @property
    def first_creature(self) -> int:
        return self.first_boat + self.boat_count

    @cached_property
    def spaces(self) -> dict[str, int]:
        return {name: space for space, name in enumerate(self.board.names)}

    @cached_property
    def islands(self) -> dict[str, int]:
        return {name: island for island, name in enumerate(self.board.shores)}

    @cached_property
    def people(self) -> dict[str, int]:
        return {
            self.person(person): person for person in range(len(self.letters) * self.per_colour)
        }

    @cached_property
    def boats(self) -> dict[str, int]:
        return {self.boat(boat): boat for boat in range(self.boat_count)}

    @cached_property
    def creatures(self) -> dict[str, int]:
        """By kind and number within the kind: ``shark 2``."""
        kinds = zip(self.kinds, self.counts, strict=True)
        names = [f"{kind} {number + 1}" for kind, count in kinds for number in range(count)]
        return {name: creature for creature, name in enumerate(names)}

    @cached_property
    def _creature_names(self) -> list[str]:
        return list(self.creatures)

    def space(self, space: int) -> str:
        return self.board.names[space]

    def island(self, island: int) -> str:
        return self.board.shores[island]

    def place(self, place: int) -> str:
        """A space or a safe island."""
        size = self.board.size
        return self.space(place) if place < size else self.island(place - size)

    def person(self, person: int) -> str:
        colour, number = divmod(person, self.per_colour)
        return f"{self.letters[colour]}{number + 1}"

    def boat(self, boat: int) -> str:
        return str(boat + 1)

    def creature(self, creature: int) -> str:
        return self._creature_names[creature]

    def kind(self, creature: int) -> str:
        return self.creature(creature).split()[0]

    def creature_number(self, creature: int) -> int:
        """The number of a creature within its kind."""
        return int(self.creature(creature).split()[1])

    def piece(self, action: int, separator: str = "") -> str:
        """A piece by the action that chooses it: ``w3``, ``boat2``, ``shark1``."""
        if action < self.first_boat:
            return self.person(action - self.first_person)
        if action < self.first_creature:
            return f"boat{separator}{self.boat(action - self.first_boat)}"
        return self.creature(action - self.first_creature).replace(" ", separator)


def pieces_in(places: Sequence[int], place: int) -> list[int]:
    """The numbers of the pieces in a place: ``pieces_in(s.boat, space)``."""
    return (
        [piece for piece, where in enumerate(places) if where == place] if place in places else []
    )


def told_apart(shown: Sequence[str]) -> tuple[str, ...]:
    """The names of outcomes; equal ones are numbered: ``whale/2``."""
    return tuple(
        name + (f"/{shown[: index + 1].count(name)}" if shown.count(name) > 1 else "")
        for index, name in enumerate(shown)
    )
