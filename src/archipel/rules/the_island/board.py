"""The board (IS-C5): lookup tables made from ``data/board.json``."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Final

from archipel.rules.hex_sea.board import DataReader, HexBoard, read_board
from archipel.rules.hex_sea.places import ABOARD

SEA_MARK: Final = "~"
TILE_MARK: Final = "o"
SERPENT_MARK: Final = "S"

_FILE: Final = "data/board.json"


def load_board() -> HexBoard:
    """The board of the file, checked."""
    source = files("archipel.rules.the_island").joinpath(_FILE)
    board = read_board(
        json.loads(source.read_text("utf-8")),
        f"the_island/{_FILE}",
        marks=SEA_MARK + TILE_MARK + SERPENT_MARK,
        sea=SEA_MARK + SERPENT_MARK,
        exits=2,
    )
    check_board(board, f"the_island/{_FILE}")
    return board


def check_board(board: HexBoard, file: str) -> None:
    """The requirements of this game beyond the shape of a board."""
    reader = DataReader(file)
    fits = board.size + len(board.shores) <= ABOARD
    reader.require(fits, "{file}: more than {most} spaces and safe islands", most=ABOARD)
    reader.require(
        bool(board.marked(SERPENT_MARK)),
        "{file}: no space is marked {mark}: where do serpents start?",
        mark=SERPENT_MARK,
    )
    starts = sum(board.touches(space, TILE_MARK) for space in board.marked(SEA_MARK))
    reader.require(
        8 <= starts <= 60,
        "{file}: boats can start on {count} spaces; expected 8 to 60",
        count=starts,
    )


BOARD: Final = load_board()

SPACES: Final = BOARD.size
SAFE_ISLANDS: Final = len(BOARD.shores)

# The neighbours of a space are NEAR[FIRST_NEAR[space]] to NEAR[FIRST_NEAR[space + 1] - 1].
FIRST_NEAR: Final = BOARD.first_near
NEAR: Final = BOARD.near

# The safe island that a space is an exit of, or -1.
SHORE_OF: Final = BOARD.shore_of

# Tiles are numbered by their space; the tile of a space, or -1.
TILE_SPACES: Final = BOARD.marked(TILE_MARK)
TILES: Final = len(TILE_SPACES)
TILE_OF: Final = [
    TILE_SPACES.index(space) if space in TILE_SPACES else -1 for space in range(SPACES)
]

SERPENT_STARTS: Final = BOARD.marked(SERPENT_MARK)

# IS-V1: tiles that touch no sea space at set-up; the lake is sea.
IS_INNER: Final = [
    int(all(BOARD.marks[near] == TILE_MARK for near in BOARD.neighbours[space]))
    for space in TILE_SPACES
]

# IS-S6: sea spaces without a serpent that touch a tile.
BOAT_STARTS: Final = [space for space in BOARD.marked(SEA_MARK) if BOARD.touches(space, TILE_MARK)]
