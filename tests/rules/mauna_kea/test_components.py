"""The components and their data files."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from archipel.game import Game
from archipel.record import Record, RecordError, parse_record
from archipel.rules.contract import NotationError
from archipel.rules.kit.core.layout import layout
from archipel.rules.mauna_kea import components
from archipel.rules.mauna_kea.box_files import (
    BOX,
    BOX_NAME,
    PARTS,
    VARIABLE,
    load_box,
    name_of_box,
    package_data,
    read_box,
)
from archipel.rules.mauna_kea.box_format import BoxError
from archipel.rules.mauna_kea.components import pattern_of
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.grid import CELL_NUMBERS, space_name
from archipel.rules.mauna_kea.state import State
from archipel.rules.options import OptionError
from tests.rules.mauna_kea.tables import actions, look, play, table


def spaces(layout: int, letter: str) -> list[str]:
    board = BOX.boards[layout]
    return [space_name(n) for n in range(81) if board.spaces[n] == letter]


@pytest.mark.rule("MK-C1")
@pytest.mark.parametrize(("seats", "each"), [(2, 5), (3, 4), (4, 3)])
def test_explorers_per_player_depend_on_the_player_count(seats: int, each: int) -> None:
    game = Game.new("mauna-kea", seats, seed=1)
    assert look(game, "explorers1") == ",".join("-" * each)
    for seat in range(seats):
        assert sum(1 for place in game.state.explorer[seat][:each] if place == -1) == each


@pytest.mark.rule("MK-C1")
@pytest.mark.parametrize("seats", [1, 5])
def test_other_than_two_to_four_players_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match="2 to 4 players"):
        Game.new("mauna-kea", seats)


@pytest.mark.rule("MK-C1")
def test_the_box_has_the_component_counts_of_the_rulebook() -> None:
    s = MAUNA_KEA.new(MAUNA_KEA.make_options(2), Game.new("mauna-kea", seed=1)._chance)
    assert sum(s.bag) == 94
    assert sum(s.bag[: components.TERRAIN_KINDS]) == 70
    assert sum(s.bag[components.Tile.FIRST_LAVA :]) == 24
    assert (
        sum(tile in range(components.Tile.FIRST_START, components.KINDS) for tile in s.tile) == 24
    )
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
        {"boats": "1,1,1,1,1,1,1,1,1"},
    ],
)
def test_a_position_cannot_hold_more_pieces_than_the_box(words: dict[str, str]) -> None:
    with pytest.raises(NotationError, match="MK-C1"):
        table(**words)


@pytest.mark.rule("MK-C2")
@pytest.mark.parametrize("layout", [0, 1])
def test_each_board_has_its_spaces_and_eight_coves(layout: int) -> None:
    board = BOX.boards[layout]
    assert spaces(layout, "V") == ["e5"]
    assert [board.spaces.count(letter) for letter in "SE."] == [24, 4, 52]
    cells = [cell for _, cells in board.coves for cell in cells]
    assert len(cells) == len(set(cells)) == 32
    for name, touched in board.coves:
        assert len(touched) == 4, name
        assert all(components.COVE_AT[layout][cell] >= 0 for cell in touched)


@pytest.mark.rule("MK-C2")
def test_two_coves_lie_on_each_side() -> None:
    coves = dict(BOX.boards[0].coves)
    names = {number: name for name, number in CELL_NUMBERS.items()}
    assert [names[cell] for cell in coves["n1"]] == ["b1nw", "b1ne", "c1nw", "c1ne"]
    assert [names[cell] for cell in coves["e2"]] == ["i7ne", "i7se", "i8ne", "i8se"]
    assert [sum(name[0] == side for name in coves) for side in "nesw"] == [2, 2, 2, 2]


@pytest.mark.rule("MK-C3")
def test_the_two_layouts_differ_only_in_start_spaces() -> None:
    assert spaces(0, "E") == ["e4", "d5", "f5", "e6"]
    assert spaces(1, "E") == ["d4", "f4", "d6", "f6"]
    assert MAUNA_KEA.make_options(2)["layout"] == "orthogonal"
    assert spaces(0, "S") != spaces(1, "S")
    assert BOX.boards[0].coves == BOX.boards[1].coves
    assert BOX.boards[0].flows == BOX.boards[1].flows


@pytest.mark.rule("MK-C3")
def test_explorers_start_on_the_printed_spaces_of_the_layout() -> None:
    orthogonal = Game.new("mauna-kea", 2, seed=1)
    diagonal = Game.new("mauna-kea", 2, seed=1, layout="diagonal")
    assert {text[3:5] for text in actions(orthogonal)} == {"e4", "d5", "f5", "e6"}
    assert {text[3:5] for text in actions(diagonal)} == {"d4", "f4", "d6", "f6"}


@pytest.mark.rule("MK-C4")
def test_tile_points_boat_places_and_lava_exits() -> None:
    assert {tile.points for tile in BOX.terrain} == {1, 2, 3}
    assert all(components.POINTS[kind] == 0 for kind in range(components.Tile.FIRST_LAVA, 62))
    assert {boat.places for boat in BOX.boats} == {1, 2, 3}
    for flow in ("north", "east", "south", "west"):
        tiles = [tile for tile in BOX.lava if tile.flow == flow]
        assert sum(tile.count for tile in tiles) == 6
        assert sum(tile.count for tile in tiles if len(tile.exits) == 2) == 1
        assert {tile.exits for tile in tiles if len(tile.exits) == 1} == {"F", "L", "R"}
    dots = {tile.flow: tile.exits[0] for tile in BOX.lava if tile.shape == "fork"}
    assert dots == {"north": "L", "east": "R", "south": "L", "west": "R"}


@pytest.mark.rule("MK-C5")
def test_tiles_turn_clockwise_and_are_never_mirrored() -> None:
    jjlm = components.TILE_NUMBERS["jjlm2"]
    assert [pattern_of(jjlm, turn) for turn in range(4)] == ["JJLM", "LJMJ", "MLJJ", "JMJL"]


@pytest.mark.rule("MK-C5")
@pytest.mark.parametrize(
    ("tile", "turns"),
    [("jjjj3", []), ("jmmj2", [0, 1]), ("jjmm2", [0, 1, 2, 3]), ("jjjl3", [0, 1, 2, 3])],
)
def test_equal_orientations_are_offered_once(tile: str, turns: list[int]) -> None:
    game = play(table(front1=tile), "tile 1", "at d4")
    if turns:
        assert actions(game) == [f"turn {turn}" for turn in turns]
    else:
        assert look(game, "board") == "d4:jjjj3"


@pytest.mark.rule("MK-C5")
def test_equal_tiles_are_offered_once() -> None:
    game = table(front1="jjjl3,jmmm1,jmmm1,jmlm1")
    tiles = [text for text in actions(game) if text.startswith(("tile", "spend"))]
    assert tiles == ["tile 1", "tile 2", "tile 4", "spend 1", "spend 2", "spend 4"]


# ---- invalid data files -------------------------------------------------------------------------


def error_for(file: str, change: Callable[[Any], None]) -> str:
    """The error message for a changed file."""
    found = {part: (f"{part}.json", copy.deepcopy(package_data(part))) for part in PARTS}
    change(found[file.removesuffix(".json")][1])
    with pytest.raises(BoxError) as refused:
        read_box(found)
    assert str(refused.value).startswith(file)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def put(*path: Any) -> Callable[[Any], None]:
    """Set the value at a path."""

    def change(data: Any) -> None:
        for step in path[:-2]:
            data = data[step]
        data[path[-2]] = path[-1]

    return change


def drop_west_lava(data: Any) -> None:
    data["tiles"] = [tile for tile in data["tiles"] if tile["flow"] != "west"]
    data["tiles"][0]["count"] += 6


BOARD = "board_orthogonal.json"
DIAGONAL = "board_diagonal.json"
TERRAIN = "terrain_tiles.json"
START = "start_tiles.json"
LAVA = "lava_tiles.json"
BOATS = "boats.json"
CARDS = "cards.json"
ALL_BUT_NORTH = ("east", "south", "west")


@pytest.mark.rule("MK-C1", "MK-C2", "MK-C3", "MK-C4", "MK-C6")
@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        (BOARD, put("spaces", 0, "S...S...."), "25 spaces for start tiles"),
        (BOARD, put("spaces", 0, "....S..."), "9 rows of 9"),
        (BOARD, put("spaces", 0, "..?.S...."), "letters"),
        (BOARD, put("spaces", 3, ".S.S.S.S."), "3 printed start spaces"),
        (BOARD, put("spaces", 4, "S.SE.ES.S"), "0 volcanoes"),
        (BOARD, put("spaces", 4, "S.SVEES.S"), "volcano is in the middle, on e5"),
        (BOARD, put("spaces", 4, "E.SSVES.S"), "a5 is not next to the volcano"),
        (BOARD, put("printed", "JJMJ"), "mountain"),
        (BOARD, put("printed", "JJJ"), "pattern"),
        (BOARD, put("coves", 0, "cells", 0, "b2nw"), "edge"),
        (BOARD, put("coves", 0, "cells", 0, "z1nw"), "not a cell"),
        (BOARD, put("coves", 0, "cells", ["b1nw", "b1ne"]), "2 cells at cove n1"),
        (BOARD, put("coves", 0, "cells", ["a1nw", "b1ne", "c1nw", "c1ne"]), "side by side"),
        (BOARD, put("coves", 0, "cells", ["g1nw", "g1ne", "h1nw", "h1ne"]), "two coves"),
        (BOARD, put("coves", 0, "name", "n2"), "7 coves"),
        (BOARD, put("coves", 0, "name", "1"), "a name is made of small letters"),
        (BOARD, put("flows", 0, "first", "e3"), "first space is e4"),
        (BOARD, put("flows", 0, "heading", "up"), "heading"),
        (BOARD, put("flows", 0, "name", "up"), "'up' is none of north, east"),
        (BOARD, put("flows", 0, "arrow", "wavy"), "'wavy' is none of single"),
        (BOARD, lambda data: data["flows"].pop(), "3 flows"),
        (BOARD, put("layout", "round"), "layout: 'round' is none of"),
        (BOARD, put("layout", "diagonal"), "layout: not as expected"),
        (BOARD, lambda data: data.pop("coves"), "coves is missing"),
        (BOARD, put("coves", 7), "something else should"),
        (DIAGONAL, put("printed", "JJJL"), "printed: not as expected"),
        (DIAGONAL, lambda data: data["flows"].reverse(), "flows: not as expected"),
        (TERRAIN, put("tiles", 0, "count", 7), "71 terrain tiles, but there are 70"),
        (TERRAIN, put("tiles", 0, "points", 4), "points: 4 is not a whole number from 1 to 3"),
        (TERRAIN, put("tiles", 0, "points", "3"), "points: '3' is not a whole number"),
        (TERRAIN, put("tiles", 0, "count", 6.0), "count: 6.0 is not a whole number"),
        (TERRAIN, put("tiles", 0, "count", True), "count: True is not a whole number"),
        (TERRAIN, put("tiles", 1, "pattern", "JJJX"), "four of J, L and M"),
        (TERRAIN, put("tiles", 8, "pattern", "LJMJ"), "turned"),
        (TERRAIN, put("tiles", 0, "count", 0), "0 is not a whole number from 1"),
        (START, put("tiles", 0, "artefacts", {"nw": "grey"}), "8 spots for grey"),
        (START, put("tiles", 0, "artefacts", {"ne": "black"}), "mountain"),
        (START, put("tiles", 0, "artefacts", {"up": "black"}), "spot up"),
        (START, put("tiles", 0, "name", "s02"), "23 start tiles"),
        (START, put("tiles", 0, "name", "jjjj3"), "jjjj3 is the name of a terrain tile"),
        (START, put("tiles", 0, "name", "S 1"), "a name is made of"),
        (LAVA, put("tiles", 0, "count", 4), "25 lava tiles"),
        (LAVA, put("tiles", 0, "flow", "up"), "'up' is none of north"),
        (LAVA, put("tiles", 0, "shape", "fork"), "15 names of lava tiles"),
        (LAVA, put("tiles", 0, "exits", "B"), "exits"),
        (LAVA, put("tiles", 0, "exits", "LRF"), "exits"),
        (LAVA, put("tiles", 3, "dot", "F"), "dot"),
        (LAVA, put("tiles", 3, "dot", ""), "dot"),
        (LAVA, drop_west_lava, "flow west has no tile"),
        (BOATS, put("boats", 0, "places", 0), "0 is not a whole number from 1 to 3"),
        (BOATS, put("boats", 0, "name", "b2"), "7 boats"),
        (BOATS, put("boats", 0, "colour", "pink"), "'pink' is none of brown"),
        (BOATS, put("boats", []), "0 boats"),
        (CARDS, put("cards", 0, "count", 4), "4 jungle cards"),
        (CARDS, put("cards", 0, "card", "swamp"), "'swamp' is none of jungle"),
        (CARDS, lambda data: data["cards"].insert(0, data["cards"].pop()), "come first"),
        (CARDS, put("cards", 5, "count", 2), "16 objectives"),
        (CARDS, put("cards", 5, "needs", {"gold": 1}), "'gold' is none of white"),
        (CARDS, put("cards", 5, "needs", {"white": 2}), "is called '2white'"),
        (CARDS, put("cards", 5, "needs", {}), "is called ''"),
        (CARDS, put("cards", 5, "points", -1), "-1 is not a whole number from 0"),
        (CARDS, put("cards", 0, "points", 1), "is called ''"),
        (CARDS, put("cards", 14, "needs", {"boat": "pink"}), "pink"),
        (CARDS, put("cards", 13, "cancels_penalties", 1), "true or false"),
        (CARDS, put("cards", []), "come first"),
    ],
)
def test_invalid_files_are_refused(file: str, change: Callable[[Any], None], words: str) -> None:
    assert words in error_for(file, change)


@pytest.mark.rule("MK-C6", "MK-X10")
def test_a_box_needs_two_cards_that_cancel_penalties() -> None:
    def change(data: Any) -> None:
        cards = {card["card"]: card for card in data["cards"]}
        cards["no-penalty"]["count"], cards["2explorers"]["count"] = 1, 3

    assert "1 cards that cancel penalties, but there are 2" in error_for(CARDS, change)


# ---- MK-C6: custom boxes ------------------------------------------------------------------------


def boats_with_three_places() -> Any:
    data = package_data("boats")
    for boat in data["boats"]:
        boat["places"] = 3
    return data


@pytest.mark.rule("MK-C6")
def test_a_folder_or_file_overrides_the_shipped_parts(tmp_path: Path) -> None:
    (tmp_path / "boats.json").write_text(json.dumps(boats_with_three_places()))
    (tmp_path / "notes.txt").write_text("from the box in the attic")
    folder = load_box(tmp_path)
    assert [boat.places for boat in folder.boats] == [3] * 8
    assert folder.boards == BOX.boards
    file = tmp_path / "mine" / "box.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"boats": boats_with_three_places()}))
    assert load_box(file) == folder
    assert load_box() == BOX


@pytest.mark.rule("MK-C6")
def test_boxes_with_equal_contents_have_equal_names(tmp_path: Path) -> None:
    data = package_data("boats")
    data["certain"] = ["any note"]
    (tmp_path / "boats.json").write_text(json.dumps(data, indent=4))
    assert name_of_box(load_box(tmp_path)) == BOX_NAME
    (tmp_path / "boats.json").write_text(json.dumps(boats_with_three_places()))
    assert name_of_box(load_box(tmp_path)) != BOX_NAME


@pytest.mark.rule("MK-C6")
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("boats.json", "{", "boats.json: not a JSON file"),
        ("boats.json", "[]", "something else should"),
        ("boats.json", "{}", "boats.json: boats is missing"),
        ("boots.json", "{}", "boots.json: there is no such part; the parts are board_orthogonal"),
        ("boats.txt", "{}", "none of the files is there"),
    ],
)
def test_an_invalid_folder_is_refused_with_a_reason(
    tmp_path: Path, name: str, content: str, words: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(BoxError) as refused:
        load_box(tmp_path)
    assert words in str(refused.value)
    assert str(refused.value).startswith(str(tmp_path))
    assert "\n" not in str(refused.value)


@pytest.mark.rule("MK-C6")
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "it cannot be read: there is no such file"),
        ("boats:", "not a JSON file"),
        ("[]", "expected an object"),
        ('{"boots": {}}', "boots: there is no such part"),
        ('{"boats": {"boats": []}}', "box.json: boats: 0 boats, but there are 8 (MK-C1)"),
    ],
)
def test_an_invalid_box_file_is_refused_with_a_reason(
    tmp_path: Path, content: str | None, words: str
) -> None:
    file = tmp_path / "box.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(BoxError) as refused:
        load_box(file)
    assert words in str(refused.value)


@pytest.mark.rule("MK-C6")
def test_positions_and_records_of_another_box_are_refused() -> None:
    game = Game.new("mauna-kea", 2, seed=1)
    assert look(game, "box") == BOX_NAME
    with pytest.raises(NotationError, match=f"another box than the one in use, {BOX_NAME}"):
        table(box="0badf00d")
    record = str(Record(game, ("Ana", "Ben")))
    assert parse_record(record).game.position == game.position
    with pytest.raises(RecordError, match="another box"):
        parse_record(record.replace(BOX_NAME, "0badf00d"))


@pytest.mark.rule("MK-C6")
def test_whole_games_run_with_a_custom_box(tmp_path: Path) -> None:
    """Other patterns, more lava in one flow, other boats, another board."""
    terrain = [
        {"pattern": "JJJJ", "points": 1, "count": 40},
        {"pattern": "JLMJ", "points": 3, "count": 30},
    ]
    lava = [
        {"flow": "north", "shape": "cross", "exits": "FR", "dot": "R", "count": 21},
        *({"flow": flow, "shape": "ahead", "exits": "F", "count": 1} for flow in ALL_BUT_NORTH),
    ]
    board = package_data("board_orthogonal")
    board["spaces"][0], board["spaces"][8] = "S...S....", "........."
    parts = {
        "terrain_tiles": {"tiles": terrain},
        "lava_tiles": {"tiles": lava},
        "boats": boats_with_three_places(),
        "board_orthogonal": board,
    }
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(parts))
    program = (
        "from archipel.game import Game\n"
        "from archipel.rules.kit import Stream\n"
        "from archipel.rules.mauna_kea.box_files import BOX_NAME\n"
        "faults = set()\n"
        "for expert in (False, True):\n"
        "    game = Game.new('mauna-kea', 4, seed=2, expert=expert)\n"
        "    choice = Stream(7)\n"
        "    while not game.is_over:\n"
        "        legal = game.legal\n"
        "        game.play(legal[choice.draw(len(legal))])\n"
        "        faults.add(game.definition.fault(game.state))\n"
        "        assert game.definition.parse_position(game.position.text) == game.state\n"
        "print(faults, BOX_NAME)\n"
    )
    environment = {**os.environ, VARIABLE: str(file), "PYTHONPATH": os.pathsep.join(sys.path)}
    answer = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert answer == f"{{0}} {name_of_box(load_box(file))}\n"


def test_every_data_file_lists_certain_and_reconstructed_facts() -> None:
    for part in PARTS:
        assert package_data(part)["certain"]
        assert package_data(part)["reconstructed"]


def test_a_state_takes_less_than_700_bytes() -> None:
    assert layout(State).itemsize < 700, "of which 144 are room for waves (`State.reach`)"
