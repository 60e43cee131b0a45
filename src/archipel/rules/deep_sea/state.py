"""The position: what lies where, and who is to decide what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.deep_sea.components import (
    CHIPS,
    LONGEST_LINE,
    MOST_SEATS,
    MOST_UNITS_HELD,
)
from archipel.rules.kit import array, rule, scalar, state

# Phases: what is asked of the seat to move.
THROW: Final = 0
SEARCH: Final = 1
LAY: Final = 2
OVER: Final = 3

# Actions. PUT and LAY are counted on by the place in the hand.
DIVE: Final = 0
TURN_BACK: Final = 1
SWIM_ON: Final = 2
NOTHING: Final = 3
TAKE: Final = 4
PUT: Final = 5
LAY_DOWN: Final = PUT + MOST_UNITS_HELD
ACTIONS: Final = LAY_DOWN + MOST_UNITS_HELD

MOST_LEGAL: Final = 1 + MOST_UNITS_HELD

SUBMARINE: Final = -1  # the place of a diver who is not on the line
NOBODY: Final = -1
UNKNOWN: Final = -1  # a chip's value in a view
DISC: Final = 0  # a space of the line with no unit on it

# Option drop_order (DS-E8).
AS_TAKEN: Final = 0
AS_CHOSEN: Final = 1


@state
@dataclass(slots=True)
class State:
    """A unit is a set of chips, one bit each: a single chip or a pile (DS-E4).

    Chips are numbered by their space on the line at set-up, so their level is known to all; their
    values are another matter."""

    # Options.
    seats: int = scalar("i1")
    drop_order: int = scalar("i1")
    # Whose decision it is.
    phase: int = scalar("i1")
    to_move: int = scalar("i1")
    round_number: int = scalar("i1")  # from 0
    # Who starts the next round as far as is known: at first the first diver of the game, if the
    # table names one; then whoever came home last (DS-E6).
    starter: int = scalar("i1", NOBODY)
    # The sea.
    air: int = scalar("i1")
    line_length: int = scalar("i1")
    line: list[int] = array("u4", LONGEST_LINE)
    value: list[int] = array("i1", CHIPS, fill=UNKNOWN)
    # The divers.
    place: list[int] = array("i1", MOST_SEATS)
    turned: list[int] = array("i1", MOST_SEATS)
    home: list[int] = array("i1", MOST_SEATS)
    load: list[int] = array("i1", MOST_SEATS)
    hand: list[list[int]] = array("u4", MOST_SEATS, MOST_UNITS_HELD)
    treasure: list[int] = array("u4", MOST_SEATS)
    points: list[int] = array("i2", MOST_SEATS)
    # For the stalemate (DS-E7): whether this turn changed anything, and how many in a row did not.
    stirred: int = scalar("i1")
    idle_turns: int = scalar("i1")
    # While the drowned lose their units (DS-E3): how many more the outermost pile takes.
    pile_room: int = scalar("i1")


@rule
def seat_to_move(s: State) -> int:
    return NOBODY if s.phase == OVER else s.to_move


@rule
def farthest_out(s: State) -> int:
    """The diver on the line farthest from the submarine, or nobody."""
    farthest = NOBODY
    depth = SUBMARINE
    for diver in range(s.seats):
        if s.place[diver] > depth:
            farthest = diver
            depth = s.place[diver]
    return farthest


@rule
def divers_not_home(s: State) -> int:
    count = 0
    for diver in range(s.seats):
        if s.home[diver] == 0:
            count += 1
    return count


@rule
def is_occupied(s: State, space: int) -> bool:
    for diver in range(s.seats):
        if s.place[diver] == space:
            return True
    return False


@rule
def leave_hand(s: State, diver: int, slot: int) -> int:
    """The unit at a place of the hand leaves it; the later ones move up (DS-T11)."""
    unit = s.hand[diver][slot]
    s.load[diver] -= 1
    for later in range(slot, s.load[diver]):
        s.hand[diver][later] = s.hand[diver][later + 1]
    s.hand[diver][s.load[diver]] = DISC
    return unit
