"""Moving explorers and boarding boats (chapter Moving)."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.mauna_kea import artefacts
from archipel.rules.mauna_kea.components import BOARDING_COST, BOATS, COST, COVE_AT, NO_COVE, PLACES
from archipel.rules.mauna_kea.grid import DIRECTIONS, NEXT_CELL, NOWHERE
from archipel.rules.mauna_kea.state import (
    NOBODY,
    OWNED,
    Activity,
    ArtefactPlace,
    ExplorerPlace,
    State,
    is_occupied,
    terrain_at,
)

NO_BOAT = -1


@rule
def can_step(s: State, seat: int, explorer: int, direction: int) -> bool:
    """MK-M1, MK-M2: the next cell is free jungle or lake, and the points suffice."""
    cell = NEXT_CELL[direction][s.explorer[seat][explorer]]
    if cell == NOWHERE:
        return False
    cost = COST[terrain_at(s, cell)]
    return 0 < cost <= s.pool and not is_occupied(s, cell)


@rule
def step(s: State, seat: int, explorer: int, direction: int) -> None:
    cell = NEXT_CELL[direction][s.explorer[seat][explorer]]
    s.pool -= COST[terrain_at(s, cell)]
    arrive(s, seat, explorer, cell)


@rule
def arrive(s: State, seat: int, explorer: int, cell: int) -> None:
    """MK-A2: each new cell begins a new stay."""
    s.explorer[seat][explorer] = cell
    s.handled[explorer] = 0


@rule
def boat_at(s: State, cell: int) -> int:
    """MK-B2: the boat in the cove that touches a cell, or `NO_BOAT`."""
    cove = COVE_AT[s.layout][cell]
    if cove != NO_COVE:
        for boat in range(BOATS):
            if s.boat[boat] == cove:
                return boat
    return NO_BOAT


@rule
def can_board(s: State, seat: int, explorer: int) -> bool:
    """MK-B1: costs a point, from a cell that touches a boat."""
    return s.pool >= BOARDING_COST and boat_at(s, s.explorer[seat][explorer]) != NO_BOAT


@rule
def must_leave_some(s: State, seat: int, explorer: int) -> bool:
    """MK-B1: whether it carries more than the boat has places."""
    boat = boat_at(s, s.explorer[seat][explorer])
    return artefacts.artefacts_at(s, artefacts.carrier(seat, explorer)) > PLACES[boat]


@rule
def can_choose_what_to_leave(s: State, seat: int, explorer: int) -> bool:
    """MK-C5: artefacts of one colour leave no choice."""
    colours = artefacts.colours_at(s, artefacts.carrier(seat, explorer))
    return colours & (colours - 1) != 0


@rule
def board(s: State, seat: int, explorer: int) -> None:
    """MK-B1, MK-B2: boat, explorer and load go in front of the owner."""
    boat = boat_at(s, s.explorer[seat][explorer])
    artefacts.move_all_artefacts(s, artefacts.carrier(seat, explorer), ArtefactPlace.ABOARD + boat)
    s.explorer[seat][explorer] = ExplorerPlace.SAVED
    s.boat[boat] = OWNED + seat
    s.active = NOBODY
    s.stirred = Activity.NEW


@rule
def can_do_something(s: State, seat: int, explorer: int) -> bool:
    """Whether an explorer can step, board, take or put down."""
    if s.explorer[seat][explorer] < 0:
        return False
    if s.pool > 0:
        if can_board(s, seat, explorer):
            return True
        for direction in range(DIRECTIONS):
            if can_step(s, seat, explorer, direction):
                return True
    return (
        artefacts.colours_to_put(s, seat, explorer) != 0
        or artefacts.colours_to_take(s, seat, explorer) != 0
    )
