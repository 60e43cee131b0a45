"""Equal pieces: chips of a level whose values look the same."""

from __future__ import annotations

from archipel.rules.deep_sea.components import CHIPS, CHIPS_PER_LEVEL, MOST_UNITS_HELD
from archipel.rules.deep_sea.state import State
from archipel.rules.kit import rule


@rule
def renumber(s: State) -> None:
    """Number the chips of each level by their places, then by their values."""
    for first in range(CHIPS):
        least = first
        for other in range(first + 1, (first // CHIPS_PER_LEVEL + 1) * CHIPS_PER_LEVEL):
            if key_of(s, other) < key_of(s, least):
                least = other
        if least != first:
            swap_chips(s, first, least)


@rule
def key_of(s: State, chip: int) -> int:
    """Everything about a chip but its number."""
    place = 0
    for space in range(s.line_length):
        if s.line[space] >> chip & 1 == 1:
            place = 1 + space
    for seat in range(s.seats):
        for slot in range(MOST_UNITS_HELD):
            if s.hand[seat][slot] >> chip & 1 == 1:
                place = 100 + 8 * seat + slot
        if s.treasure[seat] >> chip & 1 == 1:
            place = 200 + seat
    return 64 * place + s.value[chip] + 1


@rule
def swapped(chips: int, one: int, other: int) -> int:
    """A set of chips with two chips swapped."""
    if (chips >> one & 1) == (chips >> other & 1):
        return chips
    return chips ^ (1 << one) ^ (1 << other)


@rule
def swap_chips(s: State, one: int, other: int) -> None:
    for space in range(s.line_length):
        s.line[space] = swapped(s.line[space], one, other)
    for seat in range(s.seats):
        for slot in range(MOST_UNITS_HELD):
            s.hand[seat][slot] = swapped(s.hand[seat][slot], one, other)
        s.treasure[seat] = swapped(s.treasure[seat], one, other)
    value = s.value[one]
    s.value[one] = s.value[other]
    s.value[other] = value
