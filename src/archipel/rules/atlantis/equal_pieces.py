"""Equal pieces: people of a tribe, boats, and animals of a kind have numbers only as names."""

from __future__ import annotations

from archipel.rules.atlantis.sea import SEA
from archipel.rules.atlantis.state import State
from archipel.rules.hex_sea.equal_pieces import EqualPieces
from archipel.rules.kit import rule


@rule
def key_of(s: State, person: int) -> int:
    return 2 * s.place[person] + (s.sea_stepped >> person & 1)


@rule
def swap_people(s: State, one: int, other: int) -> None:
    place = s.place[one]
    s.place[one] = s.place[other]
    s.place[other] = place
    if (s.sea_stepped >> one & 1) != (s.sea_stepped >> other & 1):
        s.sea_stepped = s.sea_stepped ^ (1 << one) ^ (1 << other)


EQUAL_PIECES = EqualPieces(SEA, key_of, swap_people)
renumber = EQUAL_PIECES.renumber
