"""Invariants of every position."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.counts import COUNT_BITS
from archipel.rules.hex_sea.invariants import Fault, Invariants
from archipel.rules.hex_sea.places import WAITING
from archipel.rules.kit import rule
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import SPACES, TILE_OF, TILES
from archipel.rules.the_island.sea import SEA
from archipel.rules.the_island.state import EATERS, NO_VALUE, ON_BOARD, OUT, Action, Phase, State

FAULTS: Final = (
    "",
    "an explorer is nowhere, or of a colour that does not play (IS-C1)",
    "a boat takes three at most, all of whom are aboard it (IS-M2)",
    "the number of explorers left on the board is wrong",
    "a boat is on land, or two share a space (IS-B2)",
    "a creature is on land or in two places (IS-X6)",
    "a space shows a creature that is not there, or does not show one that is",
    "land and tiles differ",
    "the tiles' backs are not those of the box (IS-C3)",
    "a green tile is in a hand, or a hand belongs to nobody (IS-K5)",
    "a swimmer shares a space with a shark or a serpent (IS-M11)",
    "the values of a colour are not those of the box (IS-C2)",
    "who is to decide what is out of range",
    "the volcano was found, but the game goes on (IS-E1)",
)


INVARIANTS: Final = Invariants(SEA)
fault_at_sea = INVARIANTS.fault_at_sea
fault_of_phase = INVARIANTS.fault_of_phase


@rule
def fault(s: State) -> int:
    """0, or the number of the first fault in `FAULTS`."""
    number = fault_at_sea(s, s.phase < Phase.PLAY_TILE)
    if number == 0:
        number = fault_of_swimmers(s)
    if number == 0:
        number = fault_of_tiles(s)
    if number == 0:
        number = fault_of_values(s)
    if number == 0:
        number = fault_of_turn(s)
    return number


@rule
def fault_of_swimmers(s: State) -> int:
    for explorer in range(box.EXPLORERS):
        place = s.place[explorer]
        if place < SPACES and is_sea(s, place):
            if s.space[place] & EATERS != 0 and not is_threatened(s, place):
                return Fault.SWIMMER_SHOULD_BE_EATEN
    return 0


@rule
def is_threatened(s: State, space: int) -> bool:
    """Whether a creature has just entered a space and seats can still defend against it."""
    return s.phase == Phase.DEFEND and s.creature[s.chosen - Action.CREATURE] == space


@rule
def fault_of_tiles(s: State) -> int:
    for space in range(SPACES):
        tile = TILE_OF[space]
        if is_sea(s, space) == (tile >= 0 and s.holder[tile] == ON_BOARD):
            return Fault.LAND_IS_WRONG
    for terrain in range(len(box.TERRAINS)):
        counts = 0
        left = 0
        for tile in range(TILES):
            if s.terrain[tile] == terrain:
                counts += 1 << COUNT_BITS * s.back[tile]
                left += 1 if s.holder[tile] == ON_BOARD else 0
        if counts != box.BACK_COUNTS[terrain]:
            return Fault.UNDERSIDES_ARE_WRONG
        if left != s.land_left[terrain]:
            return Fault.LAND_IS_WRONG
    for tile in range(TILES):
        if s.holder[tile] < ON_BOARD or s.seats <= s.holder[tile] < OUT or s.holder[tile] > OUT:
            return 9
        if 0 <= s.holder[tile] < OUT and s.back[tile] < box.FIRST_RED:
            return 9
        if s.back[tile] == box.VOLCANO and s.holder[tile] == OUT and s.phase != Phase.OVER:
            if s.last_one == 0 and s.sunken == 0:
                return 13
    return 0


@rule
def fault_of_values(s: State) -> int:
    for colour in range(box.COLOURS):
        counts = box.VALUE_COUNTS
        for explorer in range(colour * box.PER_COLOUR, (colour + 1) * box.PER_COLOUR):
            value = s.value[explorer]
            if (value == NO_VALUE) != (s.place[explorer] == WAITING):
                return 11
            if value < NO_VALUE or value > box.HIGHEST_VALUE or (s.all_equal != 0 and value > 1):
                return 11
            if value != NO_VALUE and s.all_equal == 0:
                counts -= 1 << COUNT_BITS * value
                if counts < 0 or counts & BORROWED != 0:
                    return 11
    return 0


# A bit above each count that fits in the bits below it: it is set where a count fell below 0.
BORROWED: Final = sum(1 << (COUNT_BITS * value + COUNT_BITS - 1) for value in range(7))


@rule
def fault_of_turn(s: State) -> int:
    if s.to_move < 0 or s.to_move >= s.seats:
        return Fault.PHASE_IS_WRONG
    return fault_of_phase(s)
