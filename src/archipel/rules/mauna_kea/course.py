"""What studies follow: turns, who is left, and the space where lava met an explorer."""

from __future__ import annotations

from typing import Final

from archipel.rules.course import OWN, ROUNDS_BEGUN, SURVIVORS, TURNS, Course, Place
from archipel.rules.kit import rule
from archipel.rules.mauna_kea.components import ARTEFACTS, MOST_EXPLORERS, MOST_SEATS
from archipel.rules.mauna_kea.end import is_saved_by
from archipel.rules.mauna_kea.geometry import COLUMNS, SPACES, space_name
from archipel.rules.mauna_kea.position_names import ENDINGS
from archipel.rules.mauna_kea.state import LIFTED, LOST, PLACE, SAVED, UNPLACED, State

LAST_SPACE: Final = OWN  # per seat and explorer, from 1; 0: not placed, or lost already
ROOM: Final = OWN + MOST_SEATS * MOST_EXPLORERS

FIGURES: Final = ("saved", "lifted", "lost", "artefacts")


@rule
def follow(s: State, course: list[int], lost: list[int]) -> None:
    if s.phase <= PLACE:
        return
    course[TURNS] = s.turn_number
    course[ROUNDS_BEGUN] = s.turn_number // s.seats + 1
    survivors = 0
    for seat in range(s.seats):
        for explorer in range(MOST_EXPLORERS):
            cell = s.explorer[seat][explorer]
            last = LAST_SPACE + seat * MOST_EXPLORERS + explorer
            if cell >= 0:
                course[last] = cell // 4 + 1
            if cell == LOST and course[last] > 0:
                lost[course[last] - 1] += 1
                course[last] = 0
            if cell != LOST and cell != UNPLACED:
                survivors += 1
    course[SURVIVORS] = survivors


@rule
def figure(s: State, course: list[int], seat: int, which: int) -> int:
    if seat < 0:
        return s.ending
    count = 0
    if which == 3:
        for artefact in range(ARTEFACTS):
            if is_saved_by(s, artefact, seat):
                count += 1
        return count
    fate = SAVED if which == 0 else LIFTED if which == 1 else LOST
    for explorer in range(MOST_EXPLORERS):
        if s.explorer[seat][explorer] == fate:
            count += 1
    return count


COURSE: Final = Course(
    ROOM,
    FIGURES,
    tuple(name.replace("-", "_") if name != "-" else name for name in ENDINGS),
    tuple(
        Place(
            space_name(space),
            space % COLUMNS,
            space // COLUMNS,
            "volcano" if space == SPACES // 2 else "land",
        )
        for space in range(SPACES)
    ),
    "squares",
    follow,
    figure,
)
