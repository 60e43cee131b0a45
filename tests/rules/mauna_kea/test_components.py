"""What is in the box, and the files that say so."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from archipel.rules.mauna_kea import components
from archipel.rules.mauna_kea.box import DataError, load_box, read_file
from archipel.rules.mauna_kea.components import BOX, pattern_of
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.geometry import CELL_NUMBERS, space_name
from archipel.rules.mauna_kea.state import State
from archipel.rules.options import OptionError
from tests.rules.mauna_kea.tables import actions, look, play, table


def spaces(layout: int, letter: str) -> list[str]:
    board = BOX.boards[layout]
    return [space_name(n) for n in range(81) if board.spaces[n] == letter]


@pytest.mark.rule("MK-C1")
@pytest.mark.parametrize(("seats", "each"), [(2, 5), (3, 4), (4, 3)])
def test_explorers_by_the_number_of_players(seats: int, each: int) -> None:
    game = Game.new("mauna-kea", seats, seed=1)
    assert look(game, "explorers1") == ",".join("-" * each)
    for seat in range(seats):
        assert sum(1 for place in game.state.explorer[seat][:each] if place == -1) == each


@pytest.mark.rule("MK-C1")
@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_players(seats: int) -> None:
    with pytest.raises(OptionError, match="2 to 4 players"):
        Game.new("mauna-kea", seats)


@pytest.mark.rule("MK-C1")
def test_how_many_of_everything() -> None:
    s = MAUNA_KEA.new(MAUNA_KEA.make_options(2), Game.new("mauna-kea", seed=1)._chance)
    assert sum(s.bag) == 94
    assert sum(s.bag[: components.TERRAIN_KINDS]) == 70
    assert sum(s.bag[components.FIRST_LAVA :]) == 24
    assert sum(tile in range(components.FIRST_START, components.KINDS) for tile in s.tile) == 24
    assert [components.COLOUR.count(colour) for colour in range(3)] == [17, 7, 1]
    assert all(place >= 0 for place in s.artefact)
    assert len(s.boat) == 8
    assert components.CARDS == 30


@pytest.mark.rule("MK-C1")
@pytest.mark.parametrize(
    "words",
    [
        {"front1": "llll1,llll1,llll1"},
        {"board": "a1:s01,a2:s01"},
        {"explorers1": "e4nw,e4ne,e4sw,e4se,d5nw,d5ne"},
        {"black": "e4nw,e4nw"},
        {"out": "north-fork*2"},
        {"boats": "n1,n2"},
    ],
)
def test_no_more_than_there_are(words: dict[str, str]) -> None:
    with pytest.raises(NotationError, match="MK-C1"):
        table(**words)


@pytest.mark.rule("MK-C2")
@pytest.mark.parametrize("layout", [0, 1])
def test_the_board(layout: int) -> None:
    board = BOX.boards[layout]
    assert spaces(layout, "V") == ["e5"]
    assert [board.spaces.count(letter) for letter in "SE."] == [24, 4, 52]
    cells = [cell for _, cells in board.coves for cell in cells]
    assert len(cells) == len(set(cells)) == 32
    for name, touched in board.coves:
        assert len(touched) == 4, name
        assert all(components.COVE_AT[layout][cell] >= 0 for cell in touched)


@pytest.mark.rule("MK-C2")
def test_where_the_coves_lie() -> None:
    coves = dict(BOX.boards[0].coves)
    names = {number: name for name, number in CELL_NUMBERS.items()}
    assert [names[cell] for cell in coves["n1"]] == ["b1nw", "b1ne", "c1nw", "c1ne"]
    assert [names[cell] for cell in coves["e2"]] == ["i7ne", "i7se", "i8ne", "i8se"]
    assert [sum(name[0] == side for name in coves) for side in "nesw"] == [2, 2, 2, 2]


@pytest.mark.rule("MK-C3")
def test_the_two_layouts() -> None:
    assert spaces(0, "E") == ["e4", "d5", "f5", "e6"]
    assert spaces(1, "E") == ["d4", "f4", "d6", "f6"]
    assert MAUNA_KEA.make_options(2)["layout"] == "orthogonal"
    assert spaces(0, "S") != spaces(1, "S")
    assert BOX.boards[0].coves == BOX.boards[1].coves
    assert BOX.boards[0].flows == BOX.boards[1].flows


@pytest.mark.rule("MK-C3")
def test_explorers_start_where_the_layout_says() -> None:
    orthogonal = Game.new("mauna-kea", 2, seed=1)
    diagonal = Game.new("mauna-kea", 2, seed=1, layout="diagonal")
    assert {text[3:5] for text in actions(orthogonal)} == {"e4", "d5", "f5", "e6"}
    assert {text[3:5] for text in actions(diagonal)} == {"d4", "f4", "d6", "f6"}


@pytest.mark.rule("MK-C4")
def test_tiles_and_boats() -> None:
    assert {tile.points for tile in BOX.terrain} == {1, 2, 3}
    assert all(components.POINTS[kind] == 0 for kind in range(components.FIRST_LAVA, 62))
    assert {boat.places for boat in BOX.boats} == {1, 2, 3}
    for flow in ("north", "east", "south", "west"):
        tiles = [tile for tile in BOX.lava if tile.flow == flow]
        assert sum(tile.count for tile in tiles) == 6
        assert sum(tile.count for tile in tiles if len(tile.exits) == 2) == 1
        assert {tile.exits for tile in tiles if len(tile.exits) == 1} == {"F", "L", "R"}
    dots = {tile.flow: tile.exits[0] for tile in BOX.lava if tile.shape == "fork"}
    assert dots == {"north": "L", "east": "R", "south": "L", "west": "R"}


@pytest.mark.rule("MK-C5")
def test_a_quarter_turn_is_clockwise_and_never_a_mirror() -> None:
    jjlm = components.TILE_NUMBERS["jjlm2"]
    assert [pattern_of(jjlm, turn) for turn in range(4)] == ["JJLM", "LJMJ", "MLJJ", "JMJL"]


@pytest.mark.rule("MK-C5")
@pytest.mark.parametrize(
    ("tile", "turns"),
    [("jjjj3", []), ("jmmj2", [0, 1]), ("jjmm2", [0, 1, 2, 3]), ("jjjl3", [0, 1, 2, 3])],
)
def test_orientations_that_look_alike_are_one(tile: str, turns: list[int]) -> None:
    game = play(table(front1=tile), "tile 1", "at d4")
    if turns:
        assert actions(game) == [f"turn {turn}" for turn in turns]
    else:
        assert look(game, "board") == "d4:jjjj3"


@pytest.mark.rule("MK-C5")
def test_tiles_that_are_alike_are_one_choice() -> None:
    game = table(front1="jjjl3,jmmm1,jmmm1,jmlm1")
    tiles = [text for text in actions(game) if text.startswith(("tile", "spend"))]
    assert tiles == ["tile 1", "tile 2", "tile 4", "spend 1", "spend 2", "spend 4"]


# ---- files that do not fit ----------------------------------------------------------------------


def broken(file: str, change: Callable[[Any], None]) -> str:
    """What is said about a file that was changed."""

    def read(name: str) -> Any:
        data = copy.deepcopy(read_file(name))
        if name == file:
            change(data)
        return data

    with pytest.raises(DataError) as refused:
        load_box(read)
    assert str(refused.value).startswith(file)
    return str(refused.value)


def put(*path: Any) -> Callable[[Any], None]:
    """Set what is found along a path to the last of it."""

    def change(data: Any) -> None:
        for step in path[:-2]:
            data = data[step]
        data[path[-2]] = path[-1]

    return change


BOARD = "board_orthogonal.json"


@pytest.mark.rule("MK-C1", "MK-C2", "MK-C4", "MK-L2")
@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        (BOARD, put("spaces", 0, "S...S...."), "25 spaces for start tiles"),
        (BOARD, put("spaces", 0, "....S..."), "9 rows of 9"),
        (BOARD, put("spaces", 0, "..?.S...."), "letters"),
        (BOARD, put("spaces", 3, ".S.S.S.S."), "3 printed start spaces"),
        (BOARD, put("spaces", 4, "S.SE.ES.S"), "0 volcanoes"),
        (BOARD, put("printed", "JJMJ"), "mountain"),
        (BOARD, put("printed", "JJJ"), "pattern"),
        (BOARD, put("coves", 0, "cells", 0, "b2nw"), "edge"),
        (BOARD, put("coves", 0, "cells", 0, "z1nw"), "not a cell"),
        (BOARD, put("coves", 0, "cells", ["b1nw", "b1ne"]), "2 cells at cove n1"),
        (BOARD, put("coves", 0, "cells", ["g1nw", "b1ne", "c1nw", "c1ne"]), "two coves"),
        (BOARD, put("coves", 0, "name", "n2"), "7 coves"),
        (BOARD, put("flows", 0, "first", "e3"), "first space is e4"),
        (BOARD, put("flows", 0, "heading", "up"), "heading"),
        (BOARD, put("flows", 0, "name", "east"), "3 flows"),
        (BOARD, put("layout", "round"), "layout"),
        ("terrain_tiles.json", put("tiles", 0, "count", 7), "71 terrain tiles"),
        ("terrain_tiles.json", put("tiles", 0, "points", 4), "points are 1, 2 or 3"),
        ("terrain_tiles.json", put("tiles", 1, "pattern", "JJJX"), "four of J, L and M"),
        ("terrain_tiles.json", put("tiles", 8, "pattern", "LJMJ"), "turned"),
        ("terrain_tiles.json", put("tiles", 0, "count", 0), "at least 1"),
        ("start_tiles.json", put("tiles", 0, "artefacts", {"nw": "grey"}), "8, 7|8 spots"),
        ("start_tiles.json", put("tiles", 0, "artefacts", {"ne": "black"}), "mountain"),
        ("start_tiles.json", put("tiles", 0, "artefacts", {"up": "black"}), "spot up"),
        ("start_tiles.json", put("tiles", 0, "name", "s02"), "23 start tiles"),
        ("lava_tiles.json", put("tiles", 0, "count", 4), "25 lava tiles"),
        ("lava_tiles.json", put("tiles", 0, "flow", "up"), "the flows are"),
        ("lava_tiles.json", put("tiles", 0, "exits", "B"), "exits"),
        ("lava_tiles.json", put("tiles", 3, "dot", "F"), "dot"),
        ("boats.json", put("boats", 0, "places", 0), "places are 1, 2 or 3"),
        ("boats.json", put("boats", 0, "name", "b2"), "7 boats"),
        ("cards.json", put("cards", 0, "count", 4), "4 jungle cards"),
        ("cards.json", put("cards", 0, "card", "swamp"), "first come jungle"),
        ("cards.json", put("cards", 5, "count", 2), "16 objectives"),
        ("cards.json", put("cards", 5, "needs", {"gold": 1}), "gold"),
        ("cards.json", put("cards", 14, "needs", {"boat": "pink"}), "pink"),
        ("cards.json", put("cards", []), "malformed|first come"),
    ],
)
def test_files_are_checked(file: str, change: Callable[[Any], None], words: str) -> None:
    assert any(word in broken(file, change) for word in words.split("|"))


@pytest.mark.rule("MK-C2")
def test_a_cove_that_cannot_be_reached_is_refused() -> None:
    def wall(data: Any) -> None:
        data["spaces"] = ["....S....", "...S.S...", "..S.S.S..", ".S.S.S.S.", "S.S.VES.S"]
        data["spaces"] += [".S.S.S.S.", "..S.S.S..", "...S.S...", "....S...."]

    assert "printed start spaces" in broken(BOARD, wall)


def test_a_file_that_is_no_json_is_refused() -> None:
    def read(name: str) -> Any:
        if name == "boats.json":
            return json.loads("{")
        return read_file(name)

    with pytest.raises(DataError, match=r"boats\.json: not JSON"):
        load_box(read)


def test_every_file_says_what_is_certain() -> None:
    names = ["boats", "cards", "lava_tiles", "start_tiles", "terrain_tiles"]
    for name in [*names, "board_orthogonal", "board_diagonal"]:
        data = read_file(f"{name}.json")
        assert data["certain"]
        assert data["reconstructed"]


def test_a_state_is_small() -> None:
    layout = pytest.importorskip("archipel.rules.kit.compiling").layout
    assert layout(State).itemsize < 600
