"""Before the set-up: an empty board."""

from __future__ import annotations

from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import (
    BOATS,
    CREATURES,
    MOST_SEATS,
    PEOPLE,
    PER_COLOUR,
    SPACES,
    colours_in_play,
    seat_of,
)
from archipel.rules.hex_sea.places import IN_STOCK, WAITING
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart


@rule_apart
def clear_board(s: HasSea) -> None:
    """Everybody waits to be placed, and every boat and creature is in the stock."""
    for space in range(SPACES):
        s.space[space] = 0
    for person in range(PEOPLE):
        s.place[person] = WAITING
    for boat in range(BOATS):
        s.boat[boat] = IN_STOCK
        for seat in range(MOST_SEATS):
            s.aboard[boat][seat] = 0
    for creature in range(CREATURES):
        s.creature[creature] = IN_STOCK
    for seat in range(MOST_SEATS):
        s.left[seat] = 0
    for colour in range(colours_in_play(s)):
        s.left[seat_of(s, colour * PER_COLOUR)] += PER_COLOUR


@rule
def next_to_place(s: HasSea, colour: int) -> int:
    """The next one of a colour to be placed, or nobody."""
    for person in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
        if s.place[person] == WAITING:
            return person
    return -1
