"""How people call spaces, safe islands, people, boats and creatures, and back.

Rows of the board are letters and spaces are numbered in their row: ``f7``.  A person is the letter
of their colour and their number in the order of placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from archipel.rules.hex_sea.board import HexBoard


class SeaNames:
    """The names of one game: its board, the letters of its colours, and what is in its box."""

    def __init__(
        self,
        board: HexBoard,
        letters: str,
        per_colour: int,
        boats: int,
        kinds: Sequence[str],
        counts: Sequence[int],
    ) -> None:
        self._board = board
        self._letters = letters
        self._per_colour = per_colour
        self.spaces = {name: space for space, name in enumerate(board.names)}
        self.islands = {name: island for island, name in enumerate(board.shores)}
        self.people = {
            f"{letter}{number + 1}": colour * per_colour + number
            for colour, letter in enumerate(letters)
            for number in range(per_colour)
        }
        self.boats = {self.boat(boat): boat for boat in range(boats)}
        self._creatures = [
            (kind, number + 1)
            for kind, count in zip(kinds, counts, strict=True)
            for number in range(count)
        ]
        self.creatures = {self.creature(number): number for number in range(sum(counts))}

    def space(self, space: int) -> str:
        return self._board.names[space]

    def island(self, island: int) -> str:
        return self._board.shores[island]

    def place(self, place: int) -> str:
        """A space or a safe island."""
        size = self._board.size
        return self.space(place) if place < size else self.island(place - size)

    def person(self, person: int) -> str:
        colour, number = divmod(person, self._per_colour)
        return f"{self._letters[colour]}{number + 1}"

    def person_number(self, name: str) -> int | None:
        return self.people.get(name)

    def boat(self, boat: int) -> str:
        return str(boat + 1)

    def creature(self, creature: int) -> str:
        """The kind and the number within the kind: ``shark 2``."""
        kind, number = self._creatures[creature]
        return f"{kind} {number}"

    def kind(self, creature: int) -> str:
        return self._creatures[creature][0]

    def creature_number(self, creature: int) -> int:
        """Its number within its kind."""
        return self._creatures[creature][1]


@dataclass(frozen=True)
class SeaPieces:
    """The names of a game, and where its actions for islands and pieces begin."""

    names: SeaNames
    island: int
    person: int
    boat: int
    creature: int


def told_apart(shown: Sequence[str]) -> tuple[str, ...]:
    """Names of outcomes that show these; of several alike, which one it is follows: ``whale/2``."""
    return tuple(
        name + (f"/{shown[: index + 1].count(name)}" if shown.count(name) > 1 else "")
        for index, name in enumerate(shown)
    )
