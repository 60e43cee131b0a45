"""Metrics for studies: turns, survivors, and the spaces where lava killed explorers."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import rule
from archipel.rules.mauna_kea.components import ARTEFACTS, MOST_EXPLORERS, MOST_SEATS
from archipel.rules.mauna_kea.end import is_saved_by
from archipel.rules.mauna_kea.grid import COLUMNS, SPACE_NUMBERS, SPACES
from archipel.rules.mauna_kea.invariants import count_explorers
from archipel.rules.mauna_kea.notation import ENDINGS
from archipel.rules.mauna_kea.state import ExplorerPlace, Phase, State
from archipel.rules.metrics import OWN, ROUNDS_BEGUN, SURVIVORS, TURNS, Metrics, Place

LAST_SPACE: Final = OWN  # per seat and explorer, from 1; 0: not placed, or lost already
ROOM: Final = OWN + MOST_SEATS * MOST_EXPLORERS

FIGURES: Final = ("saved", "lifted", "lost", "artefacts")


@rule
def follow(s: State, course: list[int], lost: list[int]) -> None:
    if s.phase <= Phase.PLACE:
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
            if cell == ExplorerPlace.LOST and course[last] > 0:
                lost[course[last] - 1] += 1
                course[last] = 0
            if cell != ExplorerPlace.LOST and cell != ExplorerPlace.UNPLACED:
                survivors += 1
    course[SURVIVORS] = survivors


@rule
def figure(s: State, course: list[int], seat: int, which: int) -> int:
    if seat < 0:
        return s.ending
    if which < 2:
        return count_explorers(s, seat, ExplorerPlace.LIFTED if which else ExplorerPlace.SAVED)
    if which == 2:
        return count_explorers(s, seat, ExplorerPlace.LOST)
    count = 0
    for artefact in range(ARTEFACTS):
        if is_saved_by(s, artefact, seat):
            count += 1
    return count


_PLACES: Final = tuple(
    Place(name, space % COLUMNS, space // COLUMNS, "volcano" if space == SPACES // 2 else "land")
    for name, space in SPACE_NUMBERS.items()
)
METRICS: Final = Metrics(
    ROOM,
    FIGURES,
    tuple(name.replace("-", "_") if name != "-" else name for name in ENDINGS),
    _PLACES,
    "squares",
    follow,
    figure,
)
