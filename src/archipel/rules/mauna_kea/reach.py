"""Flood fill: which cells are connected, with rows of cells as bits.

`State.reach` is the set being grown: one number per row of cells, the west cell in the low bit.
"""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.box_format import CELLS_OF_A_COVE
from archipel.rules.mauna_kea.components import MOST_EXPLORERS, ROW_BITS, RowGround, Terrain
from archipel.rules.mauna_kea.grid import CELL_COLUMN, CELL_ROW, CELLS, COLUMNS, ROWS_OF_CELLS
from archipel.rules.mauna_kea.state import OWNED, State


@rule
def clear_reach(s: State) -> None:
    for row in range(ROWS_OF_CELLS):
        s.reach[row] = 0


@rule
def mark(s: State, cell: int) -> None:
    s.reach[CELL_ROW[cell]] |= 1 << CELL_COLUMN[cell]


@rule
def is_marked(s: State, cell: int) -> bool:
    return s.reach[CELL_ROW[cell]] >> CELL_COLUMN[cell] & 1 != 0


@rule
def is_reach_empty(s: State) -> bool:
    for row in range(ROWS_OF_CELLS):
        if s.reach[row] != 0:
            return False
    return True


@rule
def ground_in_row(s: State, ground: int, row: int) -> int:
    """The cells of a row with this ground."""
    bits = 0
    first = (row >> 1) * COLUMNS
    for column in range(COLUMNS):
        space = first + column
        found = ROW_BITS[ground][s.tile[space]][s.turn[space] * 2 + (row & 1)]
        bits |= found << (2 * column)
    return bits


@rule
def fill_along(bits: int, ground: int) -> int:
    """Grow a set within a row."""
    grown = (bits | bits << 1 | bits >> 1) & ground
    while grown != bits:
        bits = grown
        grown = (bits | bits << 1 | bits >> 1) & ground
    return bits


@rule
def grow_row(s: State, row: int, ground: int) -> bool:
    """Add the cells of a row with this ground that touch the set. Return whether there were any."""
    bits = s.reach[row] | s.reach[row] << 1 | s.reach[row] >> 1
    if row > 0:
        bits |= s.reach[row - 1]
    if row + 1 < ROWS_OF_CELLS:
        bits |= s.reach[row + 1]
    bits = fill_along(bits & ground, ground)
    if bits & ~s.reach[row] == 0:
        return False
    s.reach[row] |= bits
    return True


@rule
def is_near(s: State, row: int) -> bool:
    """Whether a row or one of its neighbours has marked cells."""
    near = s.reach[row]
    if row > 0:
        near |= s.reach[row - 1]
    if row + 1 < ROWS_OF_CELLS:
        near |= s.reach[row + 1]
    return near != 0


@rule_apart
def somebody_can_leave(s: State) -> bool:
    """MK-E1: whether an explorer is connected to a boat by jungle, lake and empty spaces."""
    for seat in range(s.seats):
        for explorer in range(MOST_EXPLORERS):
            if s.explorer[seat][explorer] >= 0:
                mark(s, s.explorer[seat][explorer])
    found = False
    growing = True
    down = True
    while growing and not found:  # sweep down the board, then up, and so on
        growing = False
        for number in range(ROWS_OF_CELLS):
            row = number if down else ROWS_OF_CELLS - 1 - number
            if is_near(s, row) and grow_row(s, row, ground_in_row(s, RowGround.OPEN, row)):
                growing = True
        found = reaches_a_boat(s)
        down = not down
    clear_reach(s)
    return found


@rule
def reaches_a_boat(s: State) -> bool:
    for boat in range(box.BOATS):
        if s.boat[boat] < OWNED:
            for number in range(CELLS_OF_A_COVE):
                if is_marked(s, box.COVE_CELLS[s.layout][s.boat[boat]][number]):
                    return True
    return False


@rule_apart
def find_way(s: State, seat: int, explorer: int, ground: int) -> None:
    """Mark the cells that a card leads an explorer to: across jungle or lake to a cell of the same
    kind (MK-X5), or across mountains to jungle or lake (MK-X6)."""
    start = s.explorer[seat][explorer]
    mark(s, start)
    growing = True
    while growing:
        growing = False
        for row in range(ROWS_OF_CELLS):
            if is_near(s, row):
                # MK-X5: artefacts block the way.
                passing = free_in_row(s, ground, row) & ~artefacts_in_row(s, row)
                if grow_row(s, row, passing):
                    growing = True
    if ground == Terrain.MOUNTAIN:  # at least one mountain cell must be crossed
        s.reach[CELL_ROW[start]] ^= 1 << CELL_COLUMN[start]
    reach_out(s, ground)


@rule
def reach_out(s: State, ground: int) -> None:
    """The last step of a card: from the marked cells to cells where the way may end."""
    above = 0
    for row in range(ROWS_OF_CELLS):
        here = s.reach[row]
        below = s.reach[row + 1] if row + 1 < ROWS_OF_CELLS else 0
        bits = here | here << 1 | here >> 1 | above | below
        above = here
        if bits != 0:
            ends = ground if ground != Terrain.MOUNTAIN else RowGround.JUNGLE_OR_LAKE
            s.reach[row] = bits & free_in_row(s, ends, row)


@rule
def free_in_row(s: State, ground: int, row: int) -> int:
    """MK-M1: the cells of a row with this ground and without explorers."""
    bits = ground_in_row(s, ground, row)
    for seat in range(s.seats):
        for explorer in range(MOST_EXPLORERS):
            cell = s.explorer[seat][explorer]
            if cell >= 0 and CELL_ROW[cell] == row:
                bits &= ~(1 << CELL_COLUMN[cell])
    return bits


@rule
def artefacts_in_row(s: State, row: int) -> int:
    bits = 0
    for artefact in range(box.ARTEFACTS):
        cell = s.artefact[artefact]
        if 0 <= cell < CELLS and CELL_ROW[cell] == row:
            bits |= 1 << CELL_COLUMN[cell]
    return bits


@rule
def legal_cells(s: State, actions: list[int]) -> int:
    """The marked cells in ascending order."""
    count = 0
    for cell in range(CELLS):
        if is_marked(s, cell):
            actions[count] = cell
            count += 1
    return count
