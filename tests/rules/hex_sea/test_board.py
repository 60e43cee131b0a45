"""Hexagonal boards read from files."""

from __future__ import annotations

from typing import Any

import pytest

from archipel.rules.hex_sea.board import BoardError, HexBoard, read_board

SMALL: dict[str, Any] = {
    "rows": [
        {"name": "a", "indent": 1, "spaces": "~~"},
        {"name": "b", "indent": 0, "spaces": "~o~"},
        {"name": "c", "indent": 1, "spaces": "~~"},
    ],
    "safe_islands": {"west": ["b1"], "east": ["b3"]},
}


def small(**changes: Any) -> HexBoard:
    return read_board(SMALL | changes, "small.json", marks="~o", sea="~", exits=1)


def test_a_board_has_names_and_neighbours() -> None:
    board = small()
    assert board.names == ("a1", "a2", "b1", "b2", "b3", "c1", "c2")
    assert board.marked("o") == [3]
    assert [len(near) for near in board.neighbours] == [3, 3, 3, 6, 3, 3, 3]
    assert board.neighbours[3] == (0, 1, 2, 4, 5, 6)
    assert board.neighbours[0] == (1, 2, 3)
    assert board.touches(0, "o")
    assert not board.touches(3, "o")


def test_a_board_has_tables_for_the_rules() -> None:
    board = small()
    first, near = board.first_near, board.near
    for space in range(board.size):
        assert tuple(near[first[space] : first[space + 1]]) == board.neighbours[space]
    assert board.shore_of == [-1, -1, 0, -1, 1, -1, -1]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"rows": None}, "small.json: rows: expected a list of rows"),
        ({"rows": [{"name": "x"}]}, 'small.json: row 1: expected "name": "a"'),
        ({"rows": [{"name": "a", "indent": "1", "spaces": "~"}]}, "row a: indent '1'"),
        ({"rows": [{"name": "a", "indent": 1, "spaces": 3}]}, "row a: spaces"),
        ({"safe_islands": {"west": "b1"}}, "safe island west: expected exits: 1"),
        ({"safe_islands": {"west": ["b2"]}}, "safe island west: 'b2' is not a sea space"),
        ({"safe_islands": {"west": ["b1"], "east": ["b1"]}}, "east: b1 is already an exit"),
    ],
)
def test_an_invalid_board_is_reported(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BoardError, match=complaint):
        small(**changes)
