"""Bit-row flood fill, compared with a cell-by-cell search."""

from __future__ import annotations

import random

import pytest

from archipel.rules.mauna_kea.components import (
    ARTEFACTS,
    BOATS,
    COVE_CELLS,
    COVES,
    KINDS,
    LEAST_TURN,
    MOST_EXPLORERS,
    Terrain,
    Tile,
)
from archipel.rules.mauna_kea.grid import CELLS, COLUMNS, SPACES, cell_at
from archipel.rules.mauna_kea.reach import (
    clear_reach,
    find_way,
    is_reach_empty,
    legal_cells,
    somebody_can_leave,
)
from archipel.rules.mauna_kea.setup import set_up
from archipel.rules.mauna_kea.state import (
    OWNED,
    ArtefactPlace,
    ExplorerPlace,
    State,
    is_occupied,
    terrain_at,
)
from tests.support.recording_tape import RecordingTape

WALKED = (Terrain.JUNGLE, Terrain.LAKE)
ROUNDS = 150


def random_board(choice: random.Random, barren: float) -> State:
    """A random board, with explorers and artefacts anywhere."""
    s = State(seats=choice.choice((2, 4)))
    set_up(s, RecordingTape())
    for space in range(SPACES):
        if s.tile[space] != Tile.VOLCANO:
            kinds = [*range(Tile.FIRST_LAVA), *range(Tile.FIRST_START, KINDS)]
            tile = choice.choice(kinds)
            if choice.random() < barren:
                tile = choice.choice((Tile.EMPTY, *range(Tile.FIRST_LAVA, Tile.FIRST_START)))
            s.tile[space] = tile
            turn = choice.randrange(4)
            s.turn[space] = (
                turn if Tile.FIRST_LAVA <= tile < Tile.FIRST_START else LEAST_TURN[tile][turn]
            )
    walkable = [cell for cell in range(CELLS) if terrain_at(s, cell) in WALKED]
    choice.shuffle(walkable)
    for seat in range(s.seats):
        for explorer in range(3):
            s.explorer[seat][explorer] = (
                walkable.pop() if choice.random() < 0.5 and walkable else ExplorerPlace.LOST
            )
    for seat, corner in enumerate((0, CELLS - 1)):  # sometimes the last explorer in a corner
        if corner in walkable and choice.random() < 0.5:
            walkable.remove(corner)
            s.explorer[seat][MOST_EXPLORERS - 1] = corner
    for artefact in range(ARTEFACTS):
        s.artefact[artefact] = (
            choice.choice(walkable) if walkable and choice.random() < 0.7 else ArtefactPlace.GONE
        )
    for artefact, cell in enumerate((0, CELLS - 1)):  # sometimes in the corners
        if cell in walkable and choice.random() < 0.5:
            s.artefact[artefact] = cell
    coves = choice.sample(range(COVES), BOATS)
    for boat in range(BOATS):
        s.boat[boat] = coves[boat] if choice.random() < 0.3 else OWNED
    return s


def neighbours(cell: int) -> list[int]:
    """The neighbours of a cell, computed without the tables of the rules."""
    space, quarter = divmod(cell, 4)
    row, column = divmod(space, COLUMNS)
    x, y = 2 * column + quarter % 2, 2 * row + quarter // 2
    around = [cell_at(x + dx, y + dy) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    return [other for other in around if other >= 0]


def flooded(start: set[int], over: set[int]) -> set[int]:
    """All cells that can be reached across some cells, including the start."""
    reached, waiting = set(start), list(start)
    while waiting:
        for other in neighbours(waiting.pop()):
            if other in over and other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached


def ends(s: State, start: int, ground: int) -> set[int]:
    """The cells where a card for this terrain can end (MK-X5, MK-X6)."""
    free = {cell for cell in range(CELLS) if not is_occupied(s, cell)}
    covered = {cell for cell in range(CELLS) if terrain_at(s, cell) == ground} & free
    if ground == Terrain.MOUNTAIN:
        crossed = flooded({start}, covered) - {start}
        beyond = {other for cell in crossed for other in neighbours(cell)}
        return {cell for cell in beyond & free if terrain_at(s, cell) in WALKED}
    passed = flooded({start}, covered - set(s.artefact))
    return {other for cell in passed for other in neighbours(cell)} & covered | passed - {start}


@pytest.mark.rule("MK-X5", "MK-X6", "MK-M1")
@pytest.mark.parametrize("ground", [*WALKED, Terrain.MOUNTAIN])
def test_card_destinations_match_the_cell_search(ground: int) -> None:
    choice = random.Random(ground)
    lengths = set()
    for _ in range(ROUNDS):
        s = random_board(choice, choice.choice((0.0, 0.3)))
        for seat in range(s.seats):
            for explorer in range(3):
                start = s.explorer[seat][explorer]
                if start < 0:
                    continue
                find_way(s, seat, explorer, ground)
                actions = [0] * CELLS
                found = actions[: legal_cells(s, actions)]
                assert found == sorted(ends(s, start, ground))
                lengths.add(len(found))
                clear_reach(s)
                assert is_reach_empty(s)
                assert s.reach == [0] * len(s.reach)
    assert len(lengths) > 5  # from no destination to many


@pytest.mark.rule("MK-E1")
def test_somebody_can_leave_matches_the_cell_search() -> None:
    choice = random.Random(4)
    answers = []
    for _ in range(4 * ROUNDS):
        s = random_board(choice, choice.choice((0.2, 0.5, 0.7)))
        open_cells = {
            cell
            for cell in range(CELLS)
            if terrain_at(s, cell) in WALKED or s.tile[cell // 4] == Tile.EMPTY
        }
        start = {cell for row in s.explorer for cell in row if cell >= 0}
        touched = {
            cell for place in s.boat if place < OWNED for cell in COVE_CELLS[s.layout][place]
        }
        answers.append(bool(flooded(start, open_cells) & touched))
        assert somebody_can_leave(s) == answers[-1]
        assert is_reach_empty(s)
    assert 0.1 < sum(answers) / len(answers) < 0.9
