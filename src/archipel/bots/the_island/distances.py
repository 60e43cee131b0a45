"""How far things are from one another on the board, and from safety: tables and a formula."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import rule
from archipel.rules.the_island.board import BOARD, SPACES

ROW_OF: Final = list(BOARD.rows)
HALF_COLUMN_OF: Final = list(BOARD.half_columns)


@rule
def distance(one: int, other: int) -> int:
    """Steps between two spaces, whatever lies between them."""
    rows = abs(ROW_OF[one] - ROW_OF[other])
    halves = abs(HALF_COLUMN_OF[one] - HALF_COLUMN_OF[other])
    return rows + max(0, halves - rows) // 2


def _to_nearest_exit() -> list[int]:
    exits = [space for shore in BOARD.exits for space in shore]
    return [min(distance(space, found) for found in exits) for space in range(SPACES)]


#: Steps from a space to the nearest exit of a safe island, whatever lies between.
TO_EXIT: Final = _to_nearest_exit()
