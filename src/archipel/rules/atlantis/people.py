"""People who move, are lost or saved, and boats that capsize."""

from __future__ import annotations

from archipel.rules.atlantis.components import PEOPLE
from archipel.rules.atlantis.sea import SEA, take_up
from archipel.rules.atlantis.state import SHARK_BIT, State
from archipel.rules.hex_sea.boats import remove_boat
from archipel.rules.hex_sea.places import ABOARD
from archipel.rules.kit import rule

lose = SEA.lose  # AT-K4
save = SEA.save  # AT-M7, AT-M8
is_saved = SEA.is_saved
swims = SEA.swims
lose_swimmers = SEA.lose_swimmers
lose_boat = SEA.lose_boat


@rule
def go_to(s: State, person: int, space: int) -> None:
    """Put a person onto a piece, or into the water of a space."""
    take_up(s, person)
    s.place[person] = space
    s.crowd[space] += 1


@rule
def capsize(s: State, boat: int) -> None:
    """AT-X3: remove a boat; its crew is in the water, where a shark eats them."""
    space = s.boat[boat]
    for person in range(PEOPLE):
        if s.place[person] == ABOARD + boat:
            if s.space[space] & SHARK_BIT != 0:
                lose(s, person)
            else:
                go_to(s, person, space)
    remove_boat(s, boat)
