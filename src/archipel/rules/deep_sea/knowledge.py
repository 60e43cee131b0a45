"""What each seat knows, and the worlds it must believe possible (DS-T9, DS-T12)."""

from __future__ import annotations

from archipel.rules.deep_sea.components import (
    ALL_CHIPS,
    CHIPS,
    CHIPS_PER_LEVEL,
    CHIPS_PER_VALUE,
    LEVELS,
    VALUES_PER_LEVEL,
)
from archipel.rules.deep_sea.notation import chips_in
from archipel.rules.deep_sea.state import NOBODY, OVER, UNKNOWN, State
from archipel.rules.kit import Chance, draw, rule, shared


@rule
def view(s: State, seat: int, seen: State) -> None:
    """Fill in what a seat (or a spectator: nobody) sees; unseen values are unknown."""
    seen.seats = s.seats
    seen.drop_order = s.drop_order
    seen.phase = s.phase
    seen.to_move = s.to_move
    seen.round_number = s.round_number
    seen.starter = s.starter
    seen.air = s.air
    seen.stirred = s.stirred
    seen.idle_turns = s.idle_turns
    seen.pile_room = s.pile_room
    seen.line_length = s.line_length
    for space in range(len(s.line)):
        seen.line[space] = s.line[space]
    for diver in range(len(s.place)):
        seen.place[diver] = s.place[diver]
        seen.turned[diver] = s.turned[diver]
        seen.home[diver] = s.home[diver]
        seen.load[diver] = s.load[diver]
        seen.treasure[diver] = s.treasure[diver]
        seen.points[diver] = s.points[diver]
        for slot in range(len(s.hand[diver])):
            seen.hand[diver][slot] = s.hand[diver][slot]
    known = known_chips(s, seat)
    for chip in range(CHIPS):
        seen.value[chip] = s.value[chip] if known >> chip & 1 != 0 else UNKNOWN


def sees(s: State, seat: int) -> int:
    """What tells the views of seats apart: what they brought home this round (DS-T9)."""
    if seat == NOBODY or s.phase == OVER or s.home[seat] == 0 or s.load[seat] == 0:
        return NOBODY
    return seat


def veiled(s: State, seat: int) -> State:
    """As `view`, to look at only."""
    seen = shared(s)
    seen.value = [UNKNOWN] * CHIPS
    for chip in chips_in(known_chips(s, seat)):
        seen.value[chip] = s.value[chip]
    return seen


@rule
def known_chips(s: State, seat: int) -> int:
    """All treasure; what the seat brought home this round (DS-T9); all at the end (DS-G2)."""
    if s.phase == OVER:
        return ALL_CHIPS
    known = 0
    for diver in range(s.seats):
        known |= s.treasure[diver]
    if seat != NOBODY and s.home[seat] != 0:
        for slot in range(s.load[seat]):
            known |= s.hand[seat][slot]
    return known


@rule
def deal_unseen(s: State, chance: Chance) -> None:
    """DS-T12: the unseen values of each level, in any order; at set-up that is all of them."""
    for level in range(LEVELS):
        first = level * CHIPS_PER_LEVEL
        lowest = level * VALUES_PER_LEVEL
        unseen = (1 << CHIPS_PER_LEVEL) - 1  # bit b is one of the two chips worth lowest + b // 2
        remaining = CHIPS_PER_LEVEL
        for chip in range(first, first + CHIPS_PER_LEVEL):
            if s.value[chip] != UNKNOWN:
                bit = (s.value[chip] - lowest) * CHIPS_PER_VALUE
                if unseen >> bit & 1 == 0:
                    bit += 1
                unseen ^= 1 << bit
                remaining -= 1
        for chip in range(first, first + CHIPS_PER_LEVEL):
            if s.value[chip] == UNKNOWN:
                bit = nth_bit(unseen, draw(chance, remaining))
                unseen ^= 1 << bit
                remaining -= 1
                s.value[chip] = lowest + bit // CHIPS_PER_VALUE


@rule
def nth_bit(bits: int, n: int) -> int:
    """The position of the n-th set bit, counted from 0 at the low end."""
    position = 0
    while True:
        if bits >> position & 1 != 0:
            if n == 0:
                return position
            n -= 1
        position += 1
