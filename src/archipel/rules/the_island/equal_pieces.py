"""Equal pieces: explorers of a colour and value, boats, and creatures of a kind."""

from __future__ import annotations

from archipel.rules.hex_sea.equal_pieces import EqualPieces
from archipel.rules.kit import rule
from archipel.rules.the_island.sea import SEA
from archipel.rules.the_island.state import State


@rule
def key_of(s: State, explorer: int) -> int:
    moved = 2 * (s.sea_stepped >> explorer & 1) + (s.wet_moved >> explorer & 1)
    return 4 * (256 * s.place[explorer] + s.value[explorer] + 1) + moved


@rule
def swap_explorers(s: State, one: int, other: int) -> None:
    place = s.place[one]
    s.place[one] = s.place[other]
    s.place[other] = place
    value = s.value[one]
    s.value[one] = s.value[other]
    s.value[other] = value
    if (s.sea_stepped >> one & 1) != (s.sea_stepped >> other & 1):
        s.sea_stepped = s.sea_stepped ^ (1 << one) ^ (1 << other)
    if (s.wet_moved >> one & 1) != (s.wet_moved >> other & 1):
        s.wet_moved = s.wet_moved ^ (1 << one) ^ (1 << other)


EQUAL_PIECES = EqualPieces(SEA, key_of, swap_explorers)
renumber = EQUAL_PIECES.renumber
