"""Actions as text, and back: the words that both games share."""

from __future__ import annotations

from dataclasses import dataclass

from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.names import SeaNames
from archipel.rules.hex_sea.places import ABOARD
from archipel.rules.hex_sea.sea import HasSea
from archipel.rules.position_fields import refuse


@dataclass(frozen=True)
class SeaNotation:
    """The names of a game's pieces, and its word for a person."""

    names: SeaNames
    person: str
    boarding: int  # the phase in which an action that names a boat means to board it

    def piece_text(self, s: HasSea, action: int) -> str:
        """A piece with its kind: ``explorer w3``, ``boat 2``, ``shark 1``."""
        name = self.names.piece(action, " ")
        if action < self.names.first_boat:
            return f"{self.person} {name}"
        return name.replace("boat", "board") if s.phase == self.boarding else name

    def step_text(self, s: HasSea, space: int) -> str:
        """The way of the chosen piece to a space."""
        if space == self.own_boat_space(s):
            return "overboard"
        on_foot = self.names.first_person <= s.chosen < self.names.first_boat
        return f"{'swim' if on_foot and is_sea(s, space) else 'to'} {self.names.space(space)}"

    def own_boat_space(self, s: HasSea) -> int | None:
        """The space of the boat that the chosen person is in."""
        if not self.names.first_person <= s.chosen < self.names.first_boat:
            return None
        place = s.place[s.chosen - self.names.first_person]
        return s.boat[place - ABOARD] if ABOARD <= place < ABOARD + len(s.boat) else None

    def parse_boat(self, word: str, name: str) -> int:
        if name not in self.names.boats:
            count = len(self.names.boats)
            refuse("{word} {name}: boats are 1 to {count}", word=word, name=name, count=count)
        return self.names.first_boat + self.names.boats[name]
