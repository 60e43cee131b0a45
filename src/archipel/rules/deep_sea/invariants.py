"""Invariants of every position."""

from __future__ import annotations

from typing import Final

from archipel.rules.deep_sea import components as box
from archipel.rules.deep_sea.state import DISC, SUBMARINE, Phase, State, divers_not_home
from archipel.rules.kit import rule

FAULTS: Final = (
    "",
    "a chip is in two places or in none",
    "a hand does not match its load",
    "two divers share a space, or one is beyond the line",
    "the air is out of range",
    "points differ from the treasure",
    "a diver is home and on the line, or has turned back with nothing",
    "something lies beyond the end of the line",
    "a diver who is home is asked to act",
    "a chip's value is not one of its level",
    "a diver in the submarine, but not home, holds something or has turned back",
    "a diver who holds six chips stands on a seventh (DS-T11)",
)


@rule
def fault(s: State) -> int:
    """Return 0, or the number of the first fault in `FAULTS`."""
    if not every_chip_is_somewhere(s):
        return 1
    for diver in range(s.seats):
        for slot in range(len(s.hand[diver])):
            if (s.hand[diver][slot] != DISC) != (slot < s.load[diver]):
                return 2
        place = s.place[diver]
        if place < SUBMARINE or place >= s.line_length:
            return 3
        for other in range(diver):
            if place != SUBMARINE and s.place[other] == place:
                return 3
        if s.points[diver] != treasure_points(s, diver):
            return 5
        if place != SUBMARINE and (s.home[diver] != 0 or (s.turned[diver] > s.load[diver])):
            return 6
        if place == SUBMARINE and s.home[diver] == 0 and not is_empty_handed(s, diver):
            return 10
        if place != SUBMARINE and s.load[diver] == box.MOST_UNITS_HELD and s.line[place] != DISC:
            return 11
    if s.air < 0 or s.air > box.FULL_AIR:
        return 4
    for space in range(s.line_length, len(s.line)):
        if s.line[space] != DISC:
            return 7
    if s.phase != Phase.OVER and (s.home[s.to_move] != 0 or divers_not_home(s) == 0):
        return 8
    for chip in range(box.CHIPS):
        if s.value[chip] // box.VALUES_PER_LEVEL != chip // (box.CHIPS // box.LEVELS):
            return 9
    return 0


@rule
def is_empty_handed(s: State, diver: int) -> bool:
    """Whether a diver holds nothing and faces out, unless the round is over for the diver."""
    if s.load[diver] != 0:
        return False
    return s.turned[diver] == 0 or s.phase == Phase.LAY or s.phase == Phase.OVER


@rule
def every_chip_is_somewhere(s: State) -> bool:
    """Whether each chip is exactly once on the line, in a hand or in a treasure."""
    found = 0
    total = 0
    for space in range(s.line_length):
        found |= s.line[space]
        total += s.line[space]
    for diver in range(s.seats):
        found |= s.treasure[diver]
        total += s.treasure[diver]
        for slot in range(s.load[diver]):
            found |= s.hand[diver][slot]
            total += s.hand[diver][slot]
    return found == box.ALL_CHIPS and total == box.ALL_CHIPS  # equal sums: no chip was met twice


@rule
def treasure_points(s: State, seat: int) -> int:
    points = 0
    for chip in range(box.CHIPS):
        if s.treasure[seat] >> chip & 1 != 0:
            points += s.value[chip]
    return points
