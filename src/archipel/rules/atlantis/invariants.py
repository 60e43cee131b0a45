"""Invariants of every position."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis import board
from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.box_files import TERRAINS
from archipel.rules.atlantis.end import somebody_is_done
from archipel.rules.atlantis.sea import SEA
from archipel.rules.atlantis.state import EATERS, MONSTER_BIT, Phase, State
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.counts import COUNT_BITS
from archipel.rules.hex_sea.invariants import Fault, Invariants
from archipel.rules.kit import rule, rule_apart

FAULTS: Final = (
    "",
    "a person is nowhere, or of a tribe that does not play (AT-C1)",
    "a boat takes three at most, all of whom are aboard it (AT-M2)",
    "the number of people left on the board is wrong (AT-E1)",
    "a boat is on land, or two share a space (AT-B2)",
    "an animal is on land or in two places (AT-X4)",
    "a space shows an animal that is not there, or does not show one that is",
    "land and pieces differ, or a space counts its people wrong",
    "the symbols are not those of the box (AT-C4)",
    "more than three people stand on a piece (AT-M1)",
    "a swimmer shares a space with a shark or a monster (AT-M10)",
    "a boat shares a space with a monster (AT-X1)",
    "who is to decide what is out of range",
    "a player has nobody left, but the game goes on (AT-E1)",
)


INVARIANTS: Final = Invariants(SEA)
fault_at_sea = INVARIANTS.fault_at_sea
fault_of_phase = INVARIANTS.fault_of_phase


@rule
def fault(s: State) -> int:
    """0, or the number of the first fault in `FAULTS`."""
    number = fault_at_sea(s, s.phase == Phase.PLACE)
    if number == 0:
        number = fault_of_tribes(s)
    if number == 0:
        number = fault_of_monsters(s)
    if number == 0:
        number = fault_of_spaces(s)
    if number == 0:
        number = fault_of_symbols(s)
    if number == 0:
        number = fault_of_turn(s)
    return number


@rule
def fault_of_tribes(s: State) -> int:
    return 13 if s.phase != Phase.OVER and somebody_is_done(s) else 0


@rule
def fault_of_monsters(s: State) -> int:
    for boat in range(box.BOATS):
        if s.boat[boat] < board.SPACES and s.space[s.boat[boat]] & MONSTER_BIT != 0:
            return 11
    return 0


@rule_apart
def fault_of_spaces(s: State) -> int:
    everyone = 0
    for space in range(board.SPACES):
        everyone += s.crowd[space]
        if is_sea(s, space):
            if s.crowd[space] > 0 and s.space[space] & EATERS != 0:
                return Fault.SWIMMER_SHOULD_BE_EATEN
        elif board.PIECE_OF[space] < 0:
            return Fault.LAND_IS_WRONG
        elif s.crowd[space] > box.PIECE_ROOM:
            return 9
    for person in range(box.PEOPLE):
        if s.place[person] < board.SPACES:
            everyone -= 1
            if s.crowd[s.place[person]] != crowd_in(s, s.place[person]):
                return Fault.LAND_IS_WRONG
    return Fault.LAND_IS_WRONG if everyone != 0 else 0


@rule
def crowd_in(s: State, space: int) -> int:
    """Count the people who stand or swim in a space."""
    count = 0
    for person in range(box.PEOPLE):
        if s.place[person] == space:
            count += 1
    return count


@rule_apart
def fault_of_symbols(s: State) -> int:
    for terrain in range(len(TERRAINS)):
        counts = 0
        left = 0
        for piece in range(board.PIECES):
            if board.TERRAIN_OF[piece] == terrain:
                counts += 1 << COUNT_BITS * s.symbol[piece]
                left += 0 if is_sea(s, board.PIECE_SPACES[piece]) else 1
        if counts != box.SYMBOL_COUNTS[terrain]:
            return Fault.UNDERSIDES_ARE_WRONG
        if left != s.land_left[terrain]:
            return Fault.LAND_IS_WRONG
    if box.CENTRE_SYMBOL >= 0 and s.symbol[board.CENTRE] != box.CENTRE_SYMBOL:
        return Fault.UNDERSIDES_ARE_WRONG
    return 0


@rule
def fault_of_turn(s: State) -> int:
    if s.phase == Phase.MOVE and s.points == 0:
        return Fault.PHASE_IS_WRONG
    if (s.sinking >= 0) != (s.phase == Phase.RELOCATE or s.phase == Phase.RELOCATE_TO):
        return Fault.PHASE_IS_WRONG
    return fault_of_phase(s)
