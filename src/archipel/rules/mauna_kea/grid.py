"""The grid (MK-C2): nine by nine spaces of two by two cells, and their neighbours.

Spaces are numbered in reading order and named a1 (north-west) to i9. The cells of a space are nw,
ne, sw and se; a cell's number is 4 * space + quarter.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import namespace

COLUMNS: Final = 9
SPACES: Final = COLUMNS * COLUMNS
QUARTERS: Final = 4
CELLS: Final = SPACES * QUARTERS
ROWS_OF_CELLS: Final = 2 * COLUMNS

NOWHERE: Final = -1  # beyond the edge


@namespace
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


# Tables for the rules.
CELL_COLUMN: Final = [cell // QUARTERS % COLUMNS * 2 + cell % 2 for cell in range(CELLS)]
CELL_ROW: Final = [cell // QUARTERS // COLUMNS * 2 + cell % QUARTERS // 2 for cell in range(CELLS)]


def cell_at(column: int, row: int) -> int:
    """The cell in a column and row of cells, or `NOWHERE`."""
    if not (0 <= column < ROWS_OF_CELLS and 0 <= row < ROWS_OF_CELLS):
        return NOWHERE
    space = row // 2 * COLUMNS + column // 2
    return space * QUARTERS + row % 2 * 2 + column % 2


NEXT_CELL: Final = [
    [cell_at(CELL_COLUMN[cell] + dx, CELL_ROW[cell] + dy) for cell in range(CELLS)]
    for dx, dy in _STEPS
]
# Two columns or rows of cells further lies the next space; NOWHERE // QUARTERS is NOWHERE.
NEXT_SPACE: Final = [
    [
        cell_at(CELL_COLUMN[cell] + 2 * dx, CELL_ROW[cell] + 2 * dy) // QUARTERS
        for cell in range(0, CELLS, QUARTERS)
    ]
    for dx, dy in _STEPS
]
# The position of each quarter of a tile after some quarter turns clockwise.
QUARTER_AFTER: Final = [list(range(QUARTERS))]
for _turns in range(3):
    QUARTER_AFTER.append([TURNED_QUARTER[quarter] for quarter in QUARTER_AFTER[-1]])


def turned_pattern(pattern: str, turns: int) -> str:
    """MK-C5: a pattern in reading order after some quarter turns clockwise."""
    return "".join(pattern[QUARTER_AFTER[turns].index(quarter)] for quarter in range(QUARTERS))
