"""What studies follow in both games: turns, and the space where each person was seen last."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from archipel.rules.course import OWN, ROUNDS_BEGUN, SURVIVORS, TURNS, WHOLE_GAME, Course, Place
from archipel.rules.hex_sea.board import HexBoard
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import LAST_OF_SET_UP, PEOPLE, SPACES, seat_of
from archipel.rules.hex_sea.people import is_saved
from archipel.rules.hex_sea.places import ABOARD, LOST, WAITING
from archipel.rules.kit import rule
from archipel.rules.kit.adoption import Adoption

TURN: Final = OWN  # whose turn it was, from 1
LAST_SPACE: Final = OWN + 1  # per person, from 1; 0: not placed, or lost already

FIGURES: Final = ("saved", "lost")


@rule
def follow(s: HasSea, course: list[int], lost: list[int]) -> None:
    if s.phase > LAST_OF_SET_UP:
        follow_turns(s, course)
        follow_people(s, course, lost)


@rule
def follow_turns(s: HasSea, course: list[int]) -> None:
    """From the end of the set-up on. Turns in which nothing is asked pass by uncounted only where
    they come back to the same seat."""
    if course[TURN] == 0:
        course[TURN] = s.turn + 1
    course[TURNS] += (s.turn + 1 - course[TURN]) % s.seats
    course[TURN] = s.turn + 1
    course[ROUNDS_BEGUN] = course[TURNS] // s.seats + 1


@rule
def follow_people(s: HasSea, course: list[int], lost: list[int]) -> None:
    survivors = 0
    for person in range(PEOPLE):
        place = s.place[person]
        last = LAST_SPACE + person
        if place == LOST and course[last] > 0:
            lost[course[last] - 1] += 1
            course[last] = 0
        elif place < LOST:
            survivors += 1
            if place >= ABOARD:
                place = s.boat[place - ABOARD]
            if place < SPACES:
                course[last] = place + 1
    course[SURVIVORS] = survivors


@rule
def saved_or_lost(s: HasSea, seat: int, which: int) -> int:
    """The figures of a seat."""
    count = 0
    for person in range(PEOPLE):
        if s.place[person] != WAITING and seat_of(s, person) == seat:
            if which == 0 and is_saved(s, person):
                count += 1
            if which == 1 and s.place[person] == LOST:
                count += 1
    return count


@rule
def figure(s: HasSea, course: list[int], seat: int, which: int) -> int:
    return s.ending if seat == WHOLE_GAME else saved_or_lost(s, seat, which)


def course_on(
    board: HexBoard, land_of: Sequence[int], people: int, endings: Iterable[str], sea: Adoption
) -> Course:
    """The course of a game; ``land_of`` tells what land lies in a space, none by less than 0."""
    return Course(
        LAST_SPACE + people,
        FIGURES,
        tuple(endings),
        places_of(board, land_of),
        "hexagons",
        sea(follow),
        sea(figure),
    )


def places_of(board: HexBoard, land_of: Sequence[int]) -> tuple[Place, ...]:
    """The spaces, as they lie on the board."""
    rise = math.sqrt(3) / 2
    return tuple(
        Place(name, column / 2, round(row * rise, 4), "land" if land >= 0 else "")
        for name, row, column, land in zip(
            board.names, board.rows, board.half_columns, land_of, strict=True
        )
    )
