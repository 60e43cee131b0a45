"""People in the water: the rules that both games share, over the fields they name."""

from __future__ import annotations

from typing import Protocol

from archipel.rules.hex_sea.boats import HasBoats, is_sea
from archipel.rules.kit import rule


class HasSwimmers(HasBoats, Protocol):
    """The fields of a state with swimmers."""

    sea_stepped: int  # a set of people: who has had the one sea step of this turn


@rule
def swimmers_in(s: HasBoats, space: int) -> int:
    """How many people are in the water of a space."""
    if not is_sea(s, space):
        return 0
    count = 0
    for person in range(len(s.place)):
        if s.place[person] == space:
            count += 1
    return count


@rule
def has_sea_step(s: HasSwimmers, person: int) -> bool:
    """One sea step a turn for each person: into the water, overboard, or a space further."""
    return s.sea_stepped >> person & 1 == 0


@rule
def spend_sea_step(s: HasSwimmers, person: int) -> None:
    s.sea_stepped |= 1 << person
