"""What studies follow: turns, who is left, and where explorers were before they were lost."""

from __future__ import annotations

from typing import Final

from archipel.rules.course import Course
from archipel.rules.hex_sea import following
from archipel.rules.kit import rule
from archipel.rules.the_island.board import BOARD, SPACES, TILE_OF
from archipel.rules.the_island.components import EXPLORERS
from archipel.rules.the_island.position import ENDINGS
from archipel.rules.the_island.sea import SEA
from archipel.rules.the_island.state import PLACE_BOAT, State

follow_turns = SEA(following.follow_turns)
follow_people = SEA(following.follow_people)
saved_or_lost = SEA(following.saved_or_lost)


@rule
def follow(s: State, course: list[int], lost: list[int]) -> None:
    if s.phase > PLACE_BOAT:
        follow_turns(s, course)
        follow_people(s, course, lost)


@rule
def figure(s: State, course: list[int], seat: int, which: int) -> int:
    return s.ending if seat < 0 else saved_or_lost(s, seat, which)


COURSE: Final = Course(
    following.LAST_SPACE + EXPLORERS,
    following.FIGURES,
    tuple(ENDINGS),
    following.places_of(BOARD, ["land" if TILE_OF[space] >= 0 else "" for space in range(SPACES)]),
    "hexagons",
    follow,
    figure,
)
