"""What studies follow: turns, who is left, and where people were before they were lost."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.board import BOARD, PIECE_OF, SPACES
from archipel.rules.atlantis.components import PEOPLE
from archipel.rules.atlantis.position import ENDINGS
from archipel.rules.atlantis.sea import SEA
from archipel.rules.atlantis.state import PLACE, State
from archipel.rules.course import Course
from archipel.rules.hex_sea import following
from archipel.rules.kit import rule

follow_turns = SEA(following.follow_turns)
follow_people = SEA(following.follow_people)
saved_or_lost = SEA(following.saved_or_lost)


@rule
def follow(s: State, course: list[int], lost: list[int]) -> None:
    if s.phase > PLACE:
        follow_turns(s, course)
        follow_people(s, course, lost)


@rule
def figure(s: State, course: list[int], seat: int, which: int) -> int:
    return s.ending if seat < 0 else saved_or_lost(s, seat, which)


COURSE: Final = Course(
    following.LAST_SPACE + PEOPLE,
    following.FIGURES,
    tuple(ENDINGS),
    following.places_of(BOARD, ["land" if PIECE_OF[space] >= 0 else "" for space in range(SPACES)]),
    "hexagons",
    follow,
    figure,
)
