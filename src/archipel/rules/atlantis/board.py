"""The board (AT-C2, AT-C3, AT-C6): lookup tables for rules."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.box_files import BOX

BOARD: Final = BOX.board

SPACES: Final = BOARD.size
CORAL_ISLANDS: Final = len(BOARD.shores)

# The neighbours of a space are NEAR[FIRST_NEAR[space]] to NEAR[FIRST_NEAR[space + 1] - 1].
FIRST_NEAR: Final = BOARD.first_near
NEAR: Final = BOARD.near

# The Coral Island that a space is the landing of, or -1; and the landing of each (AT-C3).
SHORE_OF: Final = BOARD.shore_of
LANDING: Final = [exits[0] for exits in BOARD.exits]

# Pieces are numbered by their space; the piece of a space, or -1.
TERRAIN_OF_SPACE: Final = [BOX.terrain_of(space) for space in range(SPACES)]
PIECE_SPACES: Final = [space for space in range(SPACES) if TERRAIN_OF_SPACE[space] >= 0]
PIECES: Final = len(PIECE_SPACES)
PIECE_OF: Final = [
    PIECE_SPACES.index(space) if space in PIECE_SPACES else -1 for space in range(SPACES)
]
TERRAIN_OF: Final = [TERRAIN_OF_SPACE[space] for space in PIECE_SPACES]
CENTRE: Final = PIECE_OF[BOX.centre]

# AT-S2: where boats start, with two players and with more.
STARTS_FOR_TWO: Final = list(BOX.boat_starts[0])
STARTS_FOR_MORE: Final = list(BOX.boat_starts[1])
