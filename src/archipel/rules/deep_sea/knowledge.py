"""The knowledge of each seat, and the sampling of unknown values (DS-T9, DS-T12)."""

from __future__ import annotations

from archipel.rules.bits import nth_bit
from archipel.rules.deep_sea import components as box
from archipel.rules.deep_sea.notation import chips_in
from archipel.rules.deep_sea.state import NOBODY, UNKNOWN, Phase, State
from archipel.rules.kit import Chance, draw, rule, shared


@rule
def view(s: State, seat: int, seen: State) -> None:
    """Fill in the state as a seat (or NOBODY, a spectator) sees it; unseen values are UNKNOWN."""
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
    for chip in range(box.CHIPS):
        seen.value[chip] = s.value[chip] if known >> chip & 1 != 0 else UNKNOWN


def sees(s: State, seat: int) -> int:
    """Seats with equal results have equal views: only the values brought home differ (DS-T9)."""
    if seat == NOBODY or s.phase == Phase.OVER or s.home[seat] == 0 or s.load[seat] == 0:
        return NOBODY
    return seat


def veiled(s: State, seat: int) -> State:
    """As `view`, read-only: everything but the values is shared with the state."""
    seen = shared(s)
    seen.value = [UNKNOWN] * box.CHIPS
    for chip in chips_in(known_chips(s, seat)):
        seen.value[chip] = s.value[chip]
    return seen


@rule
def known_chips(s: State, seat: int) -> int:
    """The chips whose value a seat knows: all treasure, what the seat brought home this round
    (DS-T9), and everything at the end (DS-G2)."""
    if s.phase == Phase.OVER:
        return box.ALL_CHIPS
    known = 0
    for diver in range(s.seats):
        known |= s.treasure[diver]
    if seat != NOBODY and s.home[seat] != 0:
        for slot in range(s.load[seat]):
            known |= s.hand[seat][slot]
    return known


@rule
def deal_unseen(s: State, chance: Chance) -> None:
    """DS-T12: draw the unseen values of each level in random order; at set-up, all values."""
    for level in range(box.LEVELS):
        first = level * box.CHIPS_PER_LEVEL
        lowest = level * box.VALUES_PER_LEVEL
        # Bit b is one of the two chips worth lowest + b // 2.
        unseen = (1 << box.CHIPS_PER_LEVEL) - 1
        remaining = box.CHIPS_PER_LEVEL
        for chip in range(first, first + box.CHIPS_PER_LEVEL):
            if s.value[chip] != UNKNOWN:
                bit = (s.value[chip] - lowest) * box.CHIPS_PER_VALUE
                if unseen >> bit & 1 == 0:
                    bit += 1
                unseen ^= 1 << bit
                remaining -= 1
        for chip in range(first, first + box.CHIPS_PER_LEVEL):
            if s.value[chip] == UNKNOWN:
                bit = nth_bit(unseen, draw(chance, remaining))
                unseen ^= 1 << bit
                remaining -= 1
                s.value[chip] = lowest + bit // box.CHIPS_PER_VALUE
