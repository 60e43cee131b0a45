"""The state of Deep Sea Adventure: fields, phases and actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from archipel.rules.deep_sea.components import CHIPS, LONGEST_LINE, MOST_SEATS, MOST_UNITS_HELD
from archipel.rules.deprecation import former_constants
from archipel.rules.kit import array, namespace, rule, scalar, state


@namespace
class Phase:
    """The decision that the seat to move has to make."""

    THROW: Final = 0
    SEARCH: Final = 1
    LAY: Final = 2
    OVER: Final = 3


@namespace
class Action:
    """PUT and LAY_DOWN are the first of a range: add the unit's index in the hand."""

    DIVE: Final = 0
    TURN_BACK: Final = 1
    SWIM_ON: Final = 2
    NOTHING: Final = 3
    TAKE: Final = 4
    PUT: Final = 5
    LAY_DOWN: Final = PUT + MOST_UNITS_HELD


@namespace
class DropOrder:
    """Option drop_order (DS-E8)."""

    AS_TAKEN: Final = 0
    AS_CHOSEN: Final = 1  # one by one, even where the order makes no difference (DS-E12)
    AS_PILED: Final = 2


@namespace
class Purpose:
    """What an outcome is drawn for, at the tables of a duplicate event; 0: the deal."""

    DICE: Final = 1  # add the round times the most seats, and the diver


ACTIONS: Final = Action.LAY_DOWN + MOST_UNITS_HELD
MOST_LEGAL: Final = 1 + MOST_UNITS_HELD

SUBMARINE: Final = -1  # the place of a diver who is not on the line
NOBODY: Final = -1
UNKNOWN: Final = -1  # a chip's value in a view
DISC: Final = 0  # a space of the line with no unit on it


@state
@dataclass(slots=True)
class State:
    """A unit is a set of chips, one bit each: a single chip or a pile (DS-E4).

    Chips are numbered by their space on the line at set-up, so everybody knows their levels, but
    not their values.
    """

    # Options.
    seats: int = scalar("i1")
    drop_order: int = scalar("i1")
    # The decision to make.
    phase: int = scalar("i1")
    to_move: int = scalar("i1")
    round_number: int = scalar("i1")  # from 0
    # The diver who starts the next round, if known: at first the starting player that the table
    # chose; then the last diver who came home (DS-E6).
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
    # Stalemate (DS-E7): whether this turn changed anything, and how many turns in a row did not.
    stirred: int = scalar("i1")
    idle_turns: int = scalar("i1")
    # Units that the outermost pile still takes while the drowned lose theirs (DS-E3).
    pile_room: int = scalar("i1")


@rule
def seat_to_move(s: State) -> int:
    return NOBODY if s.phase == Phase.OVER else s.to_move


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
    """DS-T11: remove a unit from a hand and return it; later units move up."""
    unit = s.hand[diver][slot]
    s.load[diver] -= 1
    for later in range(slot, s.load[diver]):
        s.hand[diver][later] = s.hand[diver][later + 1]
    s.hand[diver][s.load[diver]] = DISC
    return unit


if not TYPE_CHECKING:
    __getattr__ = former_constants(__name__, Phase, Action, DropOrder)
