"""The grid (MK-C2): nine by nine spaces of two by two cells, and their neighbours.

Spaces are numbered in reading order and named a1 (north-west) to i9. The cells of a space are nw,
ne, sw and se; a cell's number is 4 * space + quarter.
"""

from __future__ import annotations

from typing import Final

COLUMNS: Final = 9
SPACES: Final = COLUMNS * COLUMNS
QUARTERS: Final = 4
CELLS: Final = SPACES * QUARTERS
ROWS_OF_CELLS: Final = 2 * COLUMNS

NOWHERE: Final = -1  # beyond the edge


class Direction:
    """Clockwise: a turn to the right adds one."""

    NORTH: Final = 0
    EAST: Final = 1
    SOUTH: Final = 2
    WEST: Final = 3


DIRECTIONS: Final = 4
DIRECTION_NAMES: Final = ("north", "east", "south", "west")

QUARTER_NAMES: Final = ("nw", "ne", "sw", "se")
# MK-C5: a quarter turn clockwise moves nw to ne, ne to se, sw to nw and se to sw.
TURNED_QUARTER: Final = (1, 3, 0, 2)

_STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))


def space_name(space: int) -> str:
    row, column = divmod(space, COLUMNS)
    return f"{'abcdefghi'[column]}{row + 1}"


def cell_name(cell: int) -> str:
    return space_name(cell // QUARTERS) + QUARTER_NAMES[cell % QUARTERS]


SPACE_NUMBERS: Final = {space_name(space): space for space in range(SPACES)}
CELL_NUMBERS: Final = {cell_name(cell): cell for cell in range(CELLS)}


def cell_column(cell: int) -> int:
    return cell // QUARTERS % COLUMNS * 2 + cell % 2


def cell_row(cell: int) -> int:
    return cell // QUARTERS // COLUMNS * 2 + cell % QUARTERS // 2


def cell_at(column: int, row: int) -> int:
    """The cell in a column and row of cells, or `NOWHERE`."""
    if not (0 <= column < ROWS_OF_CELLS and 0 <= row < ROWS_OF_CELLS):
        return NOWHERE
    space = row // 2 * COLUMNS + column // 2
    return space * QUARTERS + row % 2 * 2 + column % 2


def space_at(column: int, row: int) -> int:
    inside = 0 <= column < COLUMNS and 0 <= row < COLUMNS
    return row * COLUMNS + column if inside else NOWHERE


def turned_quarter(quarter: int, turns: int) -> int:
    """The position of a tile's quarter after some quarter turns clockwise."""
    for _ in range(turns % 4):
        quarter = TURNED_QUARTER[quarter]
    return quarter


def turned_pattern(pattern: str, turns: int) -> str:
    """MK-C5: a pattern in reading order after some quarter turns clockwise."""
    cells = [""] * QUARTERS
    for quarter, letter in enumerate(pattern):
        cells[turned_quarter(quarter, turns)] = letter
    return "".join(cells)


# Tables for the rules.
NEXT_SPACE: Final = [
    [space_at(space % COLUMNS + dx, space // COLUMNS + dy) for space in range(SPACES)]
    for dx, dy in _STEPS
]
NEXT_CELL: Final = [
    [cell_at(cell_column(cell) + dx, cell_row(cell) + dy) for cell in range(CELLS)]
    for dx, dy in _STEPS
]
CELL_COLUMN: Final = [cell_column(cell) for cell in range(CELLS)]
CELL_ROW: Final = [cell_row(cell) for cell in range(CELLS)]
QUARTER_AFTER: Final = [
    [turned_quarter(quarter, turns) for quarter in range(QUARTERS)] for turns in range(4)
]
