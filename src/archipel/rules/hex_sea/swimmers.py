"""People in the water: rules over any state with these fields."""

from __future__ import annotations

from typing import Protocol

from archipel.rules.hex_sea.boats import HasBoats, is_sea
from archipel.rules.kit import rule


class HasSwimmers(HasBoats, Protocol):
    """The fields of a state with swimmers."""

    sea_stepped: int  # the set of people who have made their sea step this turn


@rule
def swimmers_in(s: HasBoats, space: int) -> int:
    """The number of people in the water of a space."""
    if not is_sea(s, space):
        return 0
    count = 0
    for person in range(len(s.place)):
        if s.place[person] == space:
            count += 1
    return count


@rule
def has_sea_step(s: HasSwimmers, person: int) -> bool:
    """Whether a person has their sea step of the turn: into the water, overboard or swimming."""
    return s.sea_stepped >> person & 1 == 0


@rule
def spend_sea_step(s: HasSwimmers, person: int) -> None:
    s.sea_stepped |= 1 << person
