"""Metrics of both games: turns, and the last space of each person."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from archipel.rules.hex_sea.board import HexBoard
from archipel.rules.hex_sea.places import ABOARD, LOST, WAITING
from archipel.rules.hex_sea.sea import S, Sea
from archipel.rules.kit import rule
from archipel.rules.metrics import OWN, ROUNDS_BEGUN, SURVIVORS, TURNS, WHOLE_GAME, Metrics, Place

TURN: Final = OWN  # whose turn it was, from 1
LAST_SPACE: Final = OWN + 1  # per person, from 1; 0 if not placed, or lost before

FIGURES: Final = ("saved", "lost")


def sea_metrics(
    board: HexBoard, land_of: Sequence[int], people: int, endings: Iterable[str], sea: Sea[S]
) -> Metrics:
    """The metrics of a game; ``land_of`` is the land of each space by its number, or negative."""
    rise = math.sqrt(3) / 2
    spaces = zip(board.names, board.half_columns, board.rows, land_of, strict=True)
    places = tuple(
        Place(name, column / 2, round(row * rise, 4), "land" if land >= 0 else "")
        for name, column, row, land in spaces
    )
    rules, size = MetricRules(sea), LAST_SPACE + people
    return Metrics(size, FIGURES, tuple(endings), places, "hexagons", rules.follow, rules.figure)


@dataclass(frozen=True)
class MetricRules(Generic[S]):
    """The rules that collect the metrics."""

    sea: Sea[S]

    @rule
    def follow(self, s: S, course: list[int], lost: list[int]) -> None:
        """Count turns and people from the end of the set-up on. A turn without a decision is missed
        only if the next decision is of the same seat."""
        if s.phase > self.sea.last_of_set_up:
            if course[TURN] == 0:
                course[TURN] = s.turn + 1
            course[TURNS] += (s.turn + 1 - course[TURN]) % s.seats
            course[TURN] = s.turn + 1
            course[ROUNDS_BEGUN] = course[TURNS] // s.seats + 1
            self.follow_people(s, course, lost)

    @rule
    def follow_people(self, s: S, course: list[int], lost: list[int]) -> None:
        survivors = 0
        for person in range(self.sea.people):
            place = s.place[person]
            last = LAST_SPACE + person
            if place == LOST and course[last] > 0:
                lost[course[last] - 1] += 1
                course[last] = 0
            elif place < LOST:
                survivors += 1
                if place >= ABOARD:
                    place = s.boat[place - ABOARD]
                if place < self.sea.spaces:
                    course[last] = place + 1
        course[SURVIVORS] = survivors

    @rule
    def saved_or_lost(self, s: S, seat: int, which: int) -> int:
        """Return the number of a seat's people who are saved (0) or lost (1)."""
        count = 0
        for person in range(self.sea.people):
            if s.place[person] != WAITING and self.sea.seat_of(s, person) == seat:
                if which == 0 and self.sea.is_saved(s, person):
                    count += 1
                if which == 1 and s.place[person] == LOST:
                    count += 1
        return count

    @rule
    def figure(self, s: S, course: list[int], seat: int, which: int) -> int:
        return s.ending if seat == WHOLE_GAME else self.saved_or_lost(s, seat, which)
