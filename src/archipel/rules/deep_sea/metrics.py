"""Metrics for studies: divers who come home or drown, and how far out.

A diver on the way home holds a unit (DS-T7), so a diver who came home in a round has more treasure
after it (DS-E2). All other divers on the line drowned.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.deep_sea.components import CHIPS, LONGEST_LINE, MOST_SEATS
from archipel.rules.deep_sea.state import SUBMARINE, Phase, State
from archipel.rules.kit import rule
from archipel.rules.metrics import OWN, ROUNDS_BEGUN, SURVIVORS, TURNS, Metrics, Place

WAS_THROW: Final = OWN  # whether the previous decision was a throw, which is a turn
ROUND: Final = OWN + 1
PLACE: Final = OWN + 2  # from here on, one entry per seat: its place at the last decision
TREASURE: Final = PLACE + MOST_SEATS  # before this round
HOME: Final = TREASURE + MOST_SEATS
DROWNED: Final = HOME + MOST_SEATS
DEEPEST: Final = DROWNED + MOST_SEATS
ROOM: Final = DEEPEST + MOST_SEATS

FIGURES: Final = ("home", "drowned", "chips", "deepest")
ENDINGS: Final = ("rounds", "empty_line")


@rule
def follow(s: State, course: list[int], lost: list[int]) -> None:
    if course[ROUNDS_BEGUN] == 0:
        course[ROUNDS_BEGUN] = 1
        course[SURVIVORS] = s.seats
        for diver in range(s.seats):
            course[PLACE + diver] = SUBMARINE
    course[TURNS] += course[WAS_THROW]
    course[WAS_THROW] = 1 if s.phase == Phase.THROW else 0
    if s.phase == Phase.OVER or s.round_number != course[ROUND]:
        end_of_round(s, course, lost)
    if s.phase < Phase.LAY:  # later the places of the drowned are cleared one by one
        for diver in range(s.seats):
            course[PLACE + diver] = s.place[diver]
            course[DEEPEST + diver] = max(course[DEEPEST + diver], s.place[diver] + 1)


@rule
def end_of_round(s: State, course: list[int], lost: list[int]) -> None:
    home = 0
    for diver in range(s.seats):
        if course[TREASURE + diver] != s.treasure[diver]:
            home += 1
            course[HOME + diver] += 1
            course[TREASURE + diver] = s.treasure[diver]
        elif course[PLACE + diver] != SUBMARINE:
            course[DROWNED + diver] += 1
            lost[course[PLACE + diver]] += 1
    course[SURVIVORS] = home
    course[ROUND] = s.round_number
    if s.phase != Phase.OVER:
        course[ROUNDS_BEGUN] += 1


@rule
def figure(s: State, course: list[int], seat: int, which: int) -> int:
    if seat < 0:
        return 0 if s.line_length > 0 else 1
    if which == 0:
        return course[HOME + seat]
    if which == 1:
        return course[DROWNED + seat]
    if which == 3:
        return course[DEEPEST + seat]
    chips = 0
    for chip in range(CHIPS):
        chips += s.treasure[seat] >> chip & 1
    return chips


_PLACES: Final = tuple(Place(str(space + 1), space, 0.0) for space in range(LONGEST_LINE))
METRICS: Final = Metrics(ROOM, FIGURES, ENDINGS, _PLACES, "line", follow, figure)
