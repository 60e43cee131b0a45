"""The empty board before the set-up."""

from __future__ import annotations

from archipel.rules.hex_sea.places import IN_STOCK, WAITING
from archipel.rules.hex_sea.sea_parts import S
from archipel.rules.hex_sea.sinking import Sinking
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart


class SetUp(Sinking[S]):
    """The empty board before the set-up."""

    @rule_apart
    def clear_board(self, s: S) -> None:
        """Put everybody among those who wait, and every boat and creature into the stock."""
        for space in range(self.spaces):
            s.space[space] = 0
        for person in range(self.people):
            s.place[person] = WAITING
        for boat in range(self.boats):
            s.boat[boat] = IN_STOCK
            for seat in range(self.most_seats):
                s.aboard[boat][seat] = 0
        for creature in range(self.creatures):
            s.creature[creature] = IN_STOCK
        for seat in range(self.most_seats):
            s.left[seat] = 0
        for colour in range(self.colours_in_play(s)):
            s.left[self.seat_of(s, colour * self.per_colour)] += self.per_colour

    @rule
    def next_to_place(self, s: S, colour: int) -> int:
        """Return the next person of a colour to place, or -1."""
        for person in range(colour * self.per_colour, (colour + 1) * self.per_colour):
            if s.place[person] == WAITING:
                return person
        return -1
