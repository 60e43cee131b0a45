"""The end of a round and of the game (chapters End of a round, End of the game)."""

from __future__ import annotations

from archipel.rules.deep_sea.components import CHIPS_PER_LEVEL, LEVELS, PILE, ROUNDS
from archipel.rules.deep_sea.setup import start_round
from archipel.rules.deep_sea.state import (
    DISC,
    NOBODY,
    SUBMARINE,
    DropOrder,
    Phase,
    State,
    divers_not_home,
    farthest_out,
    leave_hand,
)
from archipel.rules.kit import rule


@rule
def round_is_over(s: State) -> bool:
    """DS-E1: the air is used up or all are home; DS-E7: no diver in the water can or will act."""
    return s.air == 0 or s.idle_turns >= divers_not_home(s)


@rule
def end_round(s: State) -> None:
    for diver in range(s.seats):
        if s.home[diver] != 0:
            keep_treasure(s, diver)
    if farthest_out(s) != NOBODY:  # DS-E6, DS-E10
        s.starter = farthest_out(s)
    s.pile_room = 0
    lose_units(s)


@rule
def keep_treasure(s: State, diver: int) -> None:
    """DS-E2: units brought home are turned up and become treasure."""
    while s.load[diver] > 0:
        unit = leave_hand(s, diver, 0)
        s.treasure[diver] |= unit
        chip = 0
        while unit >> chip != 0:
            if unit >> chip & 1 != 0:
                s.points[diver] += s.value[chip]
            chip += 1


@rule
def lose_units(s: State) -> None:
    """DS-E3: all divers outside lose their units, the farthest first."""
    diver = farthest_out(s)
    while diver != NOBODY:
        if chooses_next(s, diver):
            s.phase = Phase.LAY
            s.to_move = diver
            return
        while s.load[diver] > 0:
            lay_down(s, diver, 0)
        s.place[diver] = SUBMARINE
        diver = farthest_out(s)
    start_next_round(s)


@rule
def chooses_next(s: State, diver: int) -> bool:
    """DS-E8: whether a diver chooses the unit that is laid next; not at the end (DS-E11)."""
    if s.drop_order == DropOrder.AS_TAKEN or s.round_number == ROUNDS - 1:
        return False
    if s.drop_order == DropOrder.AS_CHOSEN:
        return s.load[diver] > 1
    return order_matters(s, diver)


@rule
def order_matters(s: State, diver: int) -> bool:
    """DS-E12: whether the units go to more than one pile and are not all alike."""
    room = s.pile_room if s.pile_room > 0 else PILE
    if s.load[diver] <= room:
        return False
    for slot in range(1, s.load[diver]):
        for level in range(LEVELS):
            chips = chips_of_level(s.hand[diver][slot], level)
            if chips != chips_of_level(s.hand[diver][0], level):
                return True
    return False


@rule
def lay_down(s: State, diver: int, slot: int) -> None:
    """DS-E3: lay a unit on the outermost pile, or on a new pile once that one has three."""
    if s.pile_room == 0:
        s.line[s.line_length] = DISC
        s.line_length += 1
        s.pile_room = PILE
    s.line[s.line_length - 1] |= leave_hand(s, diver, slot)
    s.pile_room -= 1


@rule
def start_next_round(s: State) -> None:
    """DS-E5, DS-E6: unless this was the last round or no chips are left to dive for (DS-E9)."""
    s.pile_room = 0
    if s.round_number == ROUNDS - 1:
        s.phase = Phase.OVER
        return
    close_gaps(s)
    if s.line_length == 0:
        s.phase = Phase.OVER
        return
    s.round_number += 1
    start_round(s, s.starter)


@rule
def close_gaps(s: State) -> None:
    """DS-E5: remove the discs and close the gaps between the units."""
    kept = 0
    for space in range(s.line_length):
        if s.line[space] != DISC:
            s.line[kept] = s.line[space]
            kept += 1
    for space in range(kept, s.line_length):
        s.line[space] = DISC
    s.line_length = kept


@rule
def score(s: State, seat: int) -> int:
    return s.points[seat]


@rule
def chips_of_level(chips: int, level: int) -> int:
    """The number of chips of a level in a unit or a treasure."""
    count = 0
    for chip in range(level * CHIPS_PER_LEVEL, (level + 1) * CHIPS_PER_LEVEL):
        count += chips >> chip & 1
    return count


@rule
def is_ahead(s: State, seat: int, other: int) -> bool:
    """DS-G1: by points, then by chips of level 4, 3, 2 and 1."""
    if s.points[seat] != s.points[other]:
        return s.points[seat] > s.points[other]
    if s.treasure[seat] == s.treasure[other]:  # both empty: no chip is in two treasures
        return False
    for below in range(1, LEVELS + 1):
        mine = chips_of_level(s.treasure[seat], LEVELS - below)
        theirs = chips_of_level(s.treasure[other], LEVELS - below)
        if mine != theirs:
            return mine > theirs
    return False


@rule
def rank(s: State, seat: int) -> int:
    """DS-G1: the number of seats ahead of this one; equal seats share a rank."""
    ahead = 0
    for other in range(s.seats):
        if is_ahead(s, other, seat):
            ahead += 1
    return ahead
