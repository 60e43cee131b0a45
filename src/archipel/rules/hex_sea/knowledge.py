"""What everybody sees."""

from __future__ import annotations

from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import BOATS, CREATURES, MOST_SEATS, PEOPLE, SPACES, TERRAINS
from archipel.rules.kit import rule


@rule
def view_of_sea(s: HasSea, seen: HasSea) -> None:
    """Whose decision it is, and where everything is: all of it is public."""
    seen.seats = s.seats
    seen.phase = s.phase
    seen.turn = s.turn
    seen.points = s.points
    seen.chosen = s.chosen
    seen.steps = s.steps
    seen.sea_stepped = s.sea_stepped
    seen.idle_turns = s.idle_turns
    seen.ending = s.ending
    for space in range(SPACES):
        seen.space[space] = s.space[space]
    for terrain in range(len(TERRAINS)):
        seen.land_left[terrain] = s.land_left[terrain]
    for person in range(PEOPLE):
        seen.place[person] = s.place[person]
    for other in range(MOST_SEATS):
        seen.left[other] = s.left[other]
    for boat in range(BOATS):
        seen.boat[boat] = s.boat[boat]
        for other in range(MOST_SEATS):
            seen.aboard[boat][other] = s.aboard[boat][other]
    for creature in range(CREATURES):
        seen.creature[creature] = s.creature[creature]
