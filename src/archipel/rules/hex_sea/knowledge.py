"""The public part of a view."""

from __future__ import annotations

from archipel.rules.hex_sea.sea_parts import S
from archipel.rules.hex_sea.setup import SetUp
from archipel.rules.kit import rule


class Knowledge(SetUp[S]):
    """What everybody sees."""

    @rule
    def view_of_sea(self, s: S, seen: S) -> None:
        """Copy all public fields: the turn and the pieces."""
        seen.seats = s.seats
        seen.phase = s.phase
        seen.turn = s.turn
        seen.points = s.points
        seen.chosen = s.chosen
        seen.steps = s.steps
        seen.sea_stepped = s.sea_stepped
        seen.idle_turns = s.idle_turns
        seen.ending = s.ending
        for space in range(self.spaces):
            seen.space[space] = s.space[space]
        for terrain in range(len(self.terrains)):
            seen.land_left[terrain] = s.land_left[terrain]
        for person in range(self.people):
            seen.place[person] = s.place[person]
        for other in range(self.most_seats):
            seen.left[other] = s.left[other]
        for boat in range(self.boats):
            seen.boat[boat] = s.boat[boat]
            for other in range(self.most_seats):
                seen.aboard[boat][other] = s.aboard[boat][other]
        for creature in range(self.creatures):
            seen.creature[creature] = s.creature[creature]
