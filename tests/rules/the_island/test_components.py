"""The components of the box and the data files that define them."""

from __future__ import annotations

import copy
import json
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.board import BoardError, read_board
from archipel.rules.kit.core.layout import layout
from archipel.rules.options import OptionError
from archipel.rules.the_island import board, components
from archipel.rules.the_island.board import BOARD, check_board
from archipel.rules.the_island.components import BOX, read_components
from archipel.rules.the_island.definition import THE_ISLAND
from archipel.rules.the_island.names import NAMES
from archipel.rules.the_island.state import State
from archipel.testing.every_outcome import every_outcome
from tests.rules.the_island.tables import actions, look, state_of, table

PACKAGE = files("archipel.rules.the_island")


def data(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PACKAGE.joinpath(f"data/{name}.json").read_text("utf-8"))
    return found


@pytest.mark.rule("IS-C1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_can_play(seats: int) -> None:
    game = Game.new("the-island", seats, seed=1)
    assert game.seats == seats
    assert sum(f"hand{seat}=" in game.position.text for seat in range(1, 7)) == seats


@pytest.mark.rule("IS-C1")
@pytest.mark.parametrize("seats", [0, 1, 5])
def test_other_player_counts_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match="2 to 4 players"):
        Game.new("the-island", seats)


@pytest.mark.rule("IS-C1", "IS-C3")
def test_a_new_game_has_the_tiles_of_the_box() -> None:
    s = state_of(Game.new("the-island", 3, seed=5))
    assert Counter(s.terrain) == {0: 16, 1: 16, 2: 8}
    for terrain in range(3):
        backs = Counter(s.back[tile] for tile in range(40) if s.terrain[tile] == terrain)
        assert [backs[symbol] for symbol in range(12)] == [
            [3, 3, 1, 0, 0, 3, 2, 1, 1, 1, 1, 0],
            [2, 2, 3, 2, 0, 1, 0, 1, 1, 1, 1, 2],
            [1, 0, 0, 4, 1, 0, 0, 0, 0, 0, 1, 1],
        ][terrain]


@pytest.mark.rule("IS-C1")
def test_a_state_has_the_pieces_of_the_box() -> None:
    s = State()
    assert len(s.place) == 40
    assert len(s.boat) == 12
    assert BOX.creatures == (5, 6, 5)
    assert len(s.creature) == 16
    # The stock is enough for all tiles (IS-K11).
    assert sum(counts[0] for counts in BOX.backs) == 6
    assert sum(counts[1] for counts in BOX.backs) == 5
    assert sum(counts[2] for counts in BOX.backs) + 4 * 2 == 12


@pytest.mark.rule("IS-C2")
def test_each_colour_has_the_ten_values() -> None:
    assert BOX.values == (1, 1, 1, 2, 2, 3, 3, 4, 5, 6)
    s = state_of(Game.new("the-island", 4, seed=5, auto_setup=True))
    for colour in range(4):
        assert sorted(s.value[colour * 10 : colour * 10 + 10]) == [1, 1, 1, 2, 2, 3, 3, 4, 5, 6]


@pytest.mark.rule("IS-C2")
def test_a_position_cannot_have_surplus_or_unknown_values() -> None:
    with pytest.raises(NotationError, match="IS-C2"):
        table(white="d4:6,d5:6")
    with pytest.raises(NotationError, match="IS-C2"):
        table(white="d4:7")


@pytest.mark.rule("IS-C4")
def test_the_die_shows_each_creature_equally_often() -> None:
    game = table(land="d4b", white="a1", yellow="a2", phase="remove")
    s = game.state
    shown = Counter[str]()
    for outcomes, probability, _ in every_outcome(
        lambda chance: THE_ISLAND.apply(THE_ISLAND.seen(s, 0), game.legal[0], chance)
    ):
        assert len(outcomes) == 1
        shown[THE_ISLAND.outcomes_text(s, 0, outcomes)] += int(12 * probability)
    assert shown == {"serpent": 4, "shark": 4, "whale": 4}


@pytest.mark.rule("IS-C4")
def test_an_unknown_die_face_is_refused() -> None:
    game = table(land="d4b", white="a1", yellow="a2", phase="remove")
    with pytest.raises(NotationError, match="IS-C4"):
        game.play("remove d4", dice="dragon")


@pytest.mark.rule("IS-C5")
def test_the_board_has_133_spaces_and_a_symmetric_island() -> None:
    assert BOARD.size == 133
    assert [BOARD.rows.count(row) for row in range(13)] == [
        *(7, 10, 11, 10, 11, 12, 11, 12, 11, 10, 11, 10, 7)
    ]
    assert len(board.TILE_SPACES) == 40
    lake = BOARD.names.index("g6")
    assert BOARD.marks[lake] == "S"
    assert all(board.TILE_OF[near] >= 0 for near in BOARD.neighbours[lake])
    assert sum(board.IS_INNER) == 12
    assert len(board.BOAT_STARTS) == 28
    # The island is symmetric about the middle column.
    for space in range(133):
        mirrored = 22 - BOARD.half_columns[space]
        twin = next(
            other
            for other in range(133)
            if (BOARD.rows[other], BOARD.half_columns[other]) == (BOARD.rows[space], mirrored)
        )
        assert (board.TILE_OF[space] < 0) == (board.TILE_OF[twin] < 0)


@pytest.mark.rule("IS-C5")
def test_neighbours_are_mutual_and_an_inner_space_has_six() -> None:
    for space in range(133):
        assert list(BOARD.neighbours[space]) == sorted(set(BOARD.neighbours[space]))
        for near in BOARD.neighbours[space]:
            assert space in BOARD.neighbours[near]
    around = [NAMES.space(near) for near in BOARD.neighbours[BOARD.names.index("g6")]]
    assert around == ["f6", "f7", "g5", "g7", "h6", "h7"]
    corner = [NAMES.space(near) for near in BOARD.neighbours[BOARD.names.index("b1")]]
    assert corner == ["b2", "c1", "c2"]


@pytest.mark.rule("IS-C5")
def test_each_safe_island_has_two_exits_and_one_starts_with_a_serpent() -> None:
    exits = dict(zip(BOARD.shores, BOARD.exits, strict=True))
    named = {shore: {NAMES.space(space) for space in found} for shore, found in exits.items()}
    assert named == {
        "nw": {"b1", "c1"},
        "ne": {"b10", "c11"},
        "sw": {"k1", "l1"},
        "se": {"k11", "l10"},
    }
    starts = {NAMES.space(space) for space in board.SERPENT_STARTS}
    assert starts == {"b1", "c11", "g6", "k1", "l10"}


@pytest.mark.rule("IS-C6")
def test_a_space_without_a_tile_is_sea() -> None:
    game = table(land="f6b", white="g6,f6,f5", yellow="a1")
    # w1 swims in the lake, w2 stands on land, w3 swims on a space without a tile.
    for explorer, words in (("w1", {"swim"}), ("w2", {"swim"}), ("w3", {"swim"})):
        game.play(f"explorer {explorer}")
        assert {text.split()[0] for text in actions(game)} == words
        assert ("to f6" in actions(game), "swim f6" in actions(game)) == (False, False)
        game.undo()
    game = table(land="f6b f5b", white="f6", yellow="a1")
    game.play("explorer w1")
    assert "to f5" in actions(game)
    assert "swim g6" in actions(game)


@pytest.mark.rule("IS-C6")
def test_a_safe_island_holds_any_number_and_no_creature_reaches_it() -> None:
    white = ",".join(["nw"] * 9 + ["c2"])
    game = table(
        land="d4b", white=white, yellow="a1", phase="creature", die="shark", sharks="b2", boats="c1"
    )
    game.play("shark 1")
    assert "ashore nw" not in actions(game)
    game.play("to c2")
    assert look(game, "white") == ",".join(["nw"] * 9 + ["lost"])


def test_a_state_fits_in_512_bytes() -> None:
    assert layout(State).itemsize <= 512


# ---- data files ---------------------------------------------------------------------------------


def read_changed_board(change: dict[str, Any]) -> None:
    found = copy.deepcopy(data("board"))
    for path, value in change.items():
        target: Any = found
        *steps, last = path.split("/")
        for step in steps:
            target = target[int(step) if step.isdigit() else step]
        target[int(last) if last.isdigit() else last] = value
    made = read_board(found, "board.json", "~oS", "~S", 2)
    check_board(made, "board.json")


def replace_marks(old: str, new: str) -> dict[str, Any]:
    rows = data("board")["rows"]
    return {f"rows/{n}/spaces": row["spaces"].replace(old, new) for n, row in enumerate(rows)}


@pytest.mark.rule("IS-C5")
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rows": []}, "rows: expected a list"),
        ({"rows/0/name": "b"}, 'row 1: expected "name": "a"'),
        ({"rows/0/indent": -1}, "row a: indent -1"),
        ({"rows/1/indent": 3}, "row b: its indent"),
        ({"rows/0/spaces": ""}, "row a: spaces"),
        ({"rows/0/spaces": "~~x~~~~"}, "row a: 'x' is not one of"),
        ({"safe_islands": {}}, "safe_islands: expected names"),
        ({"safe_islands/nw": ["b1"]}, "safe island nw: expected exits: 2"),
        ({"safe_islands/nw": ["b1", "z9"]}, "'z9' is not a sea space"),
        ({"safe_islands/nw": ["b1", "f5"]}, "'f5' is not a sea space"),
        ({"safe_islands/nw": ["b1", "c11"]}, "ne: c11 is already an exit"),
        (replace_marks("S", "~"), "no space is marked S"),
        (replace_marks("o", "S"), "boats can start on 0"),
        ({"rows/0/spaces": "~" * 80}, "more than 200"),
    ],
)
def test_an_invalid_board_file_is_reported(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BoardError, match=f"^board.json: .*{complaint}"):
        read_changed_board(change)


@pytest.mark.rule("IS-C1", "IS-C2", "IS-C3", "IS-C4")
@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("tiles/shark", None, "tiles: shark: expected|shark: expected an entry"),
        ("tiles/shark/beach", 4, "there are 41, but 40 spaces"),
        ("tiles/shark/beach", -1, "-1 is not a number"),
        ("tiles/volcano/mountain", 0, "there are 39"),
        ("explorer_values", [], "a list of 1 to 10"),
        ("explorer_values", [0], "0 is not a number from 1 to 6"),
        ("boats", 7, "7 is not a number from 8 to 14"),
        ("creatures/serpent", 4, "5 spaces of the board"),
        ("creatures", {"shark": 6}, "expected an entry for each"),
        ("die_faces/whale", 0, "0 is not a number"),
    ],
)
def test_an_invalid_components_file_is_reported(path: str, value: Any, complaint: str) -> None:
    found = copy.deepcopy(data("components"))
    target: Any = found
    *steps, last = path.split("/")
    for step in steps:
        target = target[step]
    target[last] = value
    with pytest.raises(BoardError, match=complaint):
        read_components(found, "components.json")


@pytest.mark.rule("IS-C3")
def test_a_components_file_has_exactly_one_volcano() -> None:
    found = copy.deepcopy(data("components"))
    found["tiles"]["volcano"]["mountain"] = 2
    found["tiles"]["whirlpool"]["mountain"] = 3
    with pytest.raises(BoardError, match="exactly one"):
        read_components(found, "components.json")


@pytest.mark.rule("IS-C4")
def test_an_uneven_die_keeps_its_face_counts() -> None:
    found = copy.deepcopy(data("components"))
    found["die_faces"]["whale"] = 1
    assert read_components(found, "components.json").faces == (2, 2, 1)
    assert components.DIE == [0, 1, 2]
