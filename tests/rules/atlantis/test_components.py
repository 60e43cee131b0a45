"""The components, and box files that replace them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from archipel.game import Game
from archipel.rules.atlantis import knowledge
from archipel.rules.atlantis.board import BOARD, FIRST_NEAR, LANDING, NEAR, PIECE_SPACES, SPACES
from archipel.rules.atlantis.box_files import BOX, VARIABLE, Box, load_box
from archipel.rules.atlantis.components import (
    ANIMALS,
    BOATS,
    FIRST_OF_KIND,
    PEOPLE,
    PER_TRIBE,
    SPUN_KIND,
    SPUN_PART,
    parts_of_spinner,
)
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.atlantis.names import NAMES, OUTCOME_NAMES
from archipel.rules.atlantis.spinner import spin
from archipel.rules.contract import NotationError
from archipel.rules.data_files import DataFileError
from archipel.rules.kit import Stream, clone
from archipel.rules.options import OptionError
from archipel.testing.every_outcome import every_outcome
from tests.rules.atlantis.tables import (
    actions,
    look,
    pieces,
    play,
    sink,
    spaces_of,
    state_of,
    table,
)


def neighbours(space: str) -> set[str]:
    place = BOARD.names.index(space)
    return {NAMES.space(NEAR[at]) for at in range(FIRST_NEAR[place], FIRST_NEAR[place + 1])}


# ---- AT-C1 --------------------------------------------------------------------------------------


@pytest.mark.rule("AT-C1")
def test_the_box_has_37_pieces_48_people_12_boats_and_24_animals() -> None:
    assert [len(spaces_of(terrain)) for terrain in ("plain", "hill", "mountain")] == [18, 12, 7]
    assert (PEOPLE, PER_TRIBE, BOATS, ANIMALS) == (48, 12, 12, 24)
    assert FIRST_OF_KIND == [0, 6, 12, 18, 24]
    assert list(ATLANTIS.seats) == [2, 3, 4]
    for seats in (1, 5):
        with pytest.raises(OptionError):
            ATLANTIS.make_options(seats)


@pytest.mark.rule("AT-C1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_player_has_one_tribe_of_twelve(seats: int) -> None:
    game = Game.new("atlantis", seats, seed=1)
    assert state_of(game).left == [12] * seats + [0] * (4 - seats)
    words = game.position.text
    for number, tribe in enumerate(("red", "blue", "yellow", "green")):
        assert (f"{tribe}=" in words) == (number < seats)
    with pytest.raises(NotationError, match="does not play"):
        table(seats=2, yellow="g6")


# ---- AT-C2, AT-C3, AT-C6 ------------------------------------------------------------------------


@pytest.mark.rule("AT-C2")
def test_the_island_is_three_rings_around_the_largest_mountain() -> None:
    ring = {"g6"}
    inside: set[str] = set()
    for terrain, size in (("mountain", 6), ("hill", 12), ("plain", 18)):
        inside |= ring
        ring = {space for old in ring for space in neighbours(old)} - inside
        assert len(ring) == size
        assert ring <= set(spaces_of(terrain))
    assert len(PIECE_SPACES) == 37
    assert NAMES.space(BOX.centre) == "g6"


@pytest.mark.rule("AT-C2")
def test_the_centre_is_shuffled_with_the_other_mountains() -> None:
    found = Counter(state_of(Game.new("atlantis", 2, seed=seed)).symbol[18] for seed in range(60))
    assert NAMES.space(PIECE_SPACES[18]) == "g6"
    assert set(found) == {0, 1, 2, 3, 5}


@pytest.mark.rule("AT-C2")
@pytest.mark.parametrize("symbol", [0, 1])
def test_the_centre_gets_its_symbol_if_the_box_fixes_it(
    monkeypatch: pytest.MonkeyPatch, symbol: int
) -> None:
    monkeypatch.setattr(knowledge, "CENTRE_SYMBOL", symbol)
    for seed in range(8):
        s = ATLANTIS.new(ATLANTIS.make_options(2), Stream(seed))
        assert s.symbol[18] == symbol
        assert ATLANTIS.fault(s) == 0


@pytest.mark.rule("AT-C2", "AT-C7")
def test_a_box_file_can_fix_the_symbol_of_the_centre(tmp_path: Path) -> None:
    answer = output_with_box(
        tmp_path,
        {"centre_symbol": "shark"},
        "games = [Game.new('atlantis', 2, seed=seed) for seed in range(8)]\n"
        "print({game.position.text.split('g6:')[1].split(',')[0] for game in games})\n"
        "print([game.definition.fault(game.state) for game in games])\n"
        "world = games[0].definition.resample(games[0].state, 0, Stream(4))\n"
        "print(games[0].definition.position_text(world).split('g6:')[1].split(',')[0])",
    )
    assert answer.splitlines() == ["{'shark'}", str([0] * 8), "shark"]


@pytest.mark.rule("AT-C3")
def test_each_coral_island_has_one_landing() -> None:
    assert [NAMES.space(space) for space in LANDING] == ["b1", "b10", "l1", "l10"]
    assert BOARD.shores == ("nw", "ne", "sw", "se")
    for landing, island in (("b1", "nw"), ("b10", "ne"), ("l1", "sw"), ("l10", "se")):
        game = table(red="boat1", boats=landing)
        game.play("person R1")
        assert [text for text in actions(game) if "ashore" in text] == [f"ashore {island}"]
    for beside in ("b2", "c1"):
        game = table(red="boat1", boats=beside)
        game.play("person R1")
        assert not [text for text in actions(game) if "ashore" in text]


@pytest.mark.rule("AT-C6")
def test_adjacent_spaces_share_a_side() -> None:
    assert neighbours("d4") == {"c3", "c4", "d3", "d5", "e4", "e5"}
    assert neighbours("g2") == {"f2", "f3", "g1", "g3", "h2", "h3"}
    assert neighbours("b1") == {"b2", "c1"}  # the Coral Island beside it is no space
    for space in range(SPACES):
        name = NAMES.space(space)
        assert len(neighbours(name)) <= 6
        assert all(name in neighbours(other) for other in neighbours(name))


@pytest.mark.rule("AT-C6")
def test_a_coral_island_holds_any_number_of_people() -> None:
    game = table(red="boat1,nw,nw,nw,nw,nw,nw,nw,nw,m1", boats="b1")
    play(game, "person R1", "ashore nw")
    assert look(game, "red").split(",").count("nw") == 9


# ---- AT-C4 --------------------------------------------------------------------------------------


@pytest.mark.rule("AT-C4")
def test_each_terrain_has_its_own_counts_of_symbols() -> None:
    for seed in range(3):
        text = look(Game.new("atlantis", 3, seed=seed), "land")
        land = dict(part.split(":") for part in text.split(","))
        assert len(land) == 37
        counts = {
            terrain: Counter(land[space] for space in spaces_of(terrain))
            for terrain in ("plain", "hill", "mountain")
        }
        assert counts["plain"] == Counter(monster=3, shark=4, octopus=3, dolphin=4, boat=4)
        assert counts["hill"] == Counter(
            monster=2, shark=1, octopus=2, dolphin=1, boat=4, whirlpool=2
        )
        assert counts["mountain"] == Counter(monster=1, shark=1, octopus=1, dolphin=1, whirlpool=3)


@pytest.mark.rule("AT-C4")
def test_symbols_use_every_animal_and_all_boats_but_two_in_a_game_for_two() -> None:
    for seats, used in ((2, 10), (3, 12), (4, 12)):
        game = Game.new("atlantis", seats, seed=5)
        symbols = Counter(state_of(game).symbol)
        assert [symbols[kind] for kind in range(4)] == [6, 6, 6, 6]
        assert symbols[4] + len(pieces(game, "boats")) == used


# ---- AT-C5 --------------------------------------------------------------------------------------


@pytest.mark.rule("AT-C5")
def test_the_spinner_has_24_equal_parts() -> None:
    parts = Counter(zip(SPUN_KIND, SPUN_PART, strict=True))
    assert len(SPUN_KIND) == 24
    assert parts == {
        (kind, part): 3 if kind == 3 else 1 for kind in range(4) for part in (1, 2, 3, 4)
    }
    assert len(set(OUTCOME_NAMES)) == 24
    assert [name for name in OUTCOME_NAMES if "T" in name] == [
        *("monster-T", "shark-T", "octopus-T", "dolphin-T/1", "dolphin-T/2", "dolphin-T/3")
    ]


@pytest.mark.rule("AT-C5", "AT-W1")
def test_a_spin_shows_every_part_equally_often() -> None:
    start = state_of(table(sharks="a1", octopuses="a2", dolphins="a3", monsters="a4"))
    found: Counter[tuple[int, int]] = Counter()

    def turn(chance: Any) -> tuple[int, int]:
        s = clone(start)
        spin(s, chance)
        return s.spun, s.part

    for _, _, shown in every_outcome(turn):
        found[shown] += 1
    assert found == Counter(zip(SPUN_KIND, SPUN_PART, strict=True))


# ---- AT-C8, AT-C9, AT-C10: certain, likely and reconstructed components -------------------------


@pytest.mark.rule("AT-C8", "AT-C9", "AT-C10")
@pytest.mark.parametrize("file", ["board.json", "components.json"])
def test_each_data_file_lists_certain_likely_and_reconstructed_facts(file: str) -> None:
    data = json.loads(files("archipel.rules.atlantis").joinpath("data", file).read_text("utf-8"))
    for certainty in ("certain", "likely", "reconstructed"):
        assert data[certainty]
        assert all(isinstance(note, str) and note for note in data[certainty])


@pytest.mark.rule("AT-C8", "AT-C9", "AT-C10")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_last_chapter_of_the_booklet_cites_its_sources(language: str) -> None:
    last = ATLANTIS.booklet(language).chapters[-1]
    assert [(rule.id, rule.sources) for rule in last] == [
        ("AT-C7", ("D",)),
        ("AT-C8", ("R",)),
        ("AT-C9", ("F",)),
        ("AT-C10", ("D",)),
    ]


@pytest.mark.rule("AT-C8")
def test_component_counts_match_the_rulebook() -> None:
    assert (BOX.animals, BOX.boats, BOX.people) == ((6, 6, 6, 6), 12, 12)
    assert [len(exits) for exits in BOARD.exits] == [1, 1, 1, 1]
    assert [len(starts) for starts in BOX.boat_starts] == [2, 4]
    assert sum(map(sum, BOX.symbols)) == len(PIECE_SPACES) == 37
    assert BOX.sectors == (1, 1, 1, 3)


@pytest.mark.rule("AT-C8", "AT-C9", "AT-C10")
def test_a_box_file_can_contain_notes_on_its_sources(tmp_path: Path) -> None:
    notes = {"about": "mine", "certain": ["all"], "likely": [], "reconstructed": []}
    assert load_changed_box(tmp_path, **notes) == BOX


@pytest.mark.rule("AT-C10")
def test_parts_of_the_spinner_can_differ_in_width() -> None:
    parts = [part for _, part in parts_of_spinner((1, 1, 1, 3), (4, 4, 2, 2))]
    assert parts == [1, 1, 2, 2, 3, 4] * 6
    assert parts_of_spinner(BOX.sectors, BOX.parts) == list(zip(SPUN_KIND, SPUN_PART, strict=True))


@pytest.mark.rule("AT-C9")
def test_boats_start_at_the_ends_of_the_axes() -> None:
    """The ends of the axes are the two sea spaces beside the island that are farthest apart, and
    those straight above and below the centre."""
    two, more = ([NAMES.space(space) for space in starts] for starts in BOX.boat_starts)
    assert two == ["g2", "g10"]
    assert sorted(more) == ["c5", "g10", "g2", "k5"]
    assert set(two) <= set(more)
    assert look(Game.new("atlantis", 2, seed=1), "boats").split(",")[:2] == two
    assert sorted(look(Game.new("atlantis", 4, seed=1), "boats").split(",")[:4]) == sorted(more)


@pytest.mark.rule("AT-C10")
def test_symbols_per_terrain_and_spinner_parts_are_as_reconstructed() -> None:
    totals = [sum(counts[symbol] for counts in BOX.symbols) for symbol in range(6)]
    assert totals == [*BOX.animals, BOX.boats - len(BOX.boat_starts[1]), 5]
    assert BOX.symbols == ((3, 4, 3, 4, 4, 0), (2, 1, 2, 1, 4, 2), (1, 1, 1, 1, 0, 3))
    assert BOX.parts == (1, 1, 1, 1)


# ---- AT-C7: box files ---------------------------------------------------------------------------


def output_with_box(folder: Path, data: dict[str, Any], program: str) -> str:
    """The output of a program that runs with a box file of the user."""
    file = folder / "mine.json"
    file.write_text(json.dumps(data))
    script = (
        "from archipel.rules.atlantis.definition import ATLANTIS\n"
        "from archipel.rules.contract import register\n"
        "from archipel.rules.kit import Stream\n"
        "from archipel.game import Game\n"
        f"register(ATLANTIS)\n{program}"
    )
    environment = {**os.environ, VARIABLE: str(file), "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    ).stdout


SMALL = {
    "rows": [
        {"name": "a", "indent": 1, "spaces": "~~~~~~"},
        {"name": "b", "indent": 0, "spaces": "~~ppp~~"},
        {"name": "c", "indent": 1, "spaces": "~phhp~"},
        {"name": "d", "indent": 0, "spaces": "~phMhp~"},
        {"name": "e", "indent": 1, "spaces": "~phhp~"},
        {"name": "f", "indent": 0, "spaces": "~~~~~~~"},
    ],
    "safe_islands": {"west": ["a1"], "east": ["f7"], "north": ["a6"], "south": ["f1"]},
    "boat_starts": {"two_players": ["d1", "d7"], "more_players": ["d1", "d7", "c1", "c6"]},
    "symbols": {
        "monster": {"plain": 1, "hill": 1, "mountain": 0},
        "shark": {"plain": 1, "hill": 1, "mountain": 0},
        "octopus": {"plain": 2, "hill": 1, "mountain": 0},
        "dolphin": {"plain": 2, "hill": 1, "mountain": 0},
        "boat": {"plain": 3, "hill": 2, "mountain": 0},
        "whirlpool": {"plain": 0, "hill": 0, "mountain": 1},
    },
    "people_per_tribe": 4,
    "spinner": {
        "sectors": {"monster": 1, "shark": 1, "octopus": 1, "dolphin": 0},
        "parts": {"1": 2, "2": 2, "3": 1, "T": 1},
    },
}


def load_changed_box(tmp_path: Path, **changes: Any) -> Box:
    file = tmp_path / "box.json"
    file.write_text(json.dumps(changes))
    return load_box(file)


@pytest.mark.rule("AT-C7")
def test_a_game_on_another_board_plays_to_the_end_without_faults(tmp_path: Path) -> None:
    answer = output_with_box(
        tmp_path,
        SMALL,
        "faults = set()\n"
        "game = Game.new('atlantis', 3, seed=2)\n"
        "choice = Stream(7)\n"
        "while not game.is_over:\n"
        "    legal = game.legal\n"
        "    game.play(legal[choice.draw(len(legal))])\n"
        "    faults.add(game.definition.fault(game.state))\n"
        "    assert game.definition.parse_position(game.position.text) == game.state\n"
        "print(faults, game.position.text.split('land=')[0].split()[1] != 'board=BOARD')".replace(
            "BOARD", BOX.name
        ),
    )
    assert answer == "{0} True\n"


@pytest.mark.rule("AT-C7")
def test_a_box_file_keeps_the_defaults_of_parts_it_leaves_out(tmp_path: Path) -> None:
    parts = {"1": 2, "2": 2, "3": 1, "T": 1}
    box = load_changed_box(tmp_path, spinner={"sectors": dict.fromkeys(KINDS, 1), "parts": parts})
    assert box.board == BOX.board
    assert box.parts == (2, 2, 1, 1)
    assert box.name != BOX.name
    assert load_box().name == BOX.name


KINDS = ("monster", "shark", "octopus", "dolphin")


@pytest.mark.rule("AT-C7")
def test_a_position_of_another_board_is_refused() -> None:
    with pytest.raises(NotationError, match="another board"):
        table(board="0badf00d")
    assert look(Game.new("atlantis", 2, seed=1), "board") == BOX.name


@pytest.mark.rule("AT-C7")
@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"rows": []}, "expected a list of rows"),
        ({"rows": [{"name": "a", "indent": 0, "spaces": "~x"}]}, "'x' is not one of"),
        ({"rows": [{"name": "a", "indent": 0, "spaces": "~~"}], "safe_islands": {"n": ["a1"]}},
         "0 spaces are marked M; expected 1"),
        ({"safe_islands": {"nw": ["b1", "b2"]}}, "expected exits: 1"),
        ({"safe_islands": {"nw": ["g6"]}}, "not a sea space"),
        ({"boat_starts": {"two_players": ["g2"], "more_players": []}}, "expected 2 different"),
        ({"boat_starts": {"two_players": ["g2", "g2"], "more_players": []}}, "2 different"),
        ({"boat_starts": {"two_players": ["g2", "a1"], "more_players": []}}, "not a sea space be"),
        ({"boat_starts": {"two_players": ["g2", "g3"], "more_players": []}}, "not a sea space be"),
        ({"boat_starts": {"two_players": ["g2", "z9"], "more_players": []}}, "no space 'z9'"),
        ({"symbols": {"monster": 3}}, "an entry for each of monster, shark"),
        ({"centre_symbol": "boat"}, "no mountain bears boat"),
        ({"centre_symbol": "volcano"}, "is not null or one of"),
        ({"animals": {"monster": 6}}, "animals: expected an entry for each"),
        ({"animals": dict.fromkeys(KINDS, 10)}, "10 is not a number from 1 to 9"),
        ({"boats": 3}, "3 is not a number from 4"),
        ({"people_per_tribe": 13}, "13 is not a number from 1 to 12"),
        ({"spinner": {"sectors": dict.fromkeys(KINDS, 0),
                      "parts": dict.fromkeys("123T", 1)}}, "shows nothing"),
        ({"spinner": {"sectors": dict.fromkeys(KINDS, 1), "parts": {"1": 1}}}, "1, 2, 3, T"),
        ({"bots": 3}, "there is no such part"),
        ({"rows": [{"name": "a", "indent": 0, "spaces": "~"}] * 27}, "rows, 26 at most"),
        ({"rows": {"a": "~~"}}, "expected a list of rows"),
        ({"rows": [{"name": "a", "indent": [0], "spaces": "~"}]}, r"indent \[0\] is not a number"),
        ({"rows": [{"name": "a", "indent": 10**9, "spaces": "~"}]}, "is not a number from 0 to"),
        ({"safe_islands": {"nw": [["b1"]]}}, "expected exits: 1"),
        ({"safe_islands": ["b1"]}, "expected names with their exits"),
        ({"safe_islands": {"NW": ["b1"]}}, "a name is made of small letters"),
        ({"safe_islands": {"nw 2": ["b1"]}}, "a name is made of small letters"),
        ({"safe_islands": {"lost": ["b1"]}}, "and is not lost"),
        ({"safe_islands": {"nw": ["b1"], "ne": ["b10"]}}, "2 Coral Islands; expected 4"),
        ({"boat_starts": {"two_players": [["g2"], ["g10"]], "more_players": []}}, "2 different"),
        ({"centre_symbol": ["boat"]}, "is not null or one of"),
        ({"animals": [1, 2]}, "an entry for each"),
        ({"boats": True}, "True is not a number"),
    ],
)  # fmt: skip
def test_an_invalid_box_file_is_refused_with_a_reason(
    tmp_path: Path, changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(DataFileError, match=complaint):
        load_changed_box(tmp_path, **changes)


@pytest.mark.rule("AT-C2", "AT-C3")
def test_a_board_with_an_unreachable_landing_is_refused(tmp_path: Path) -> None:
    """The landing is a single sea space in the corner, without neighbours."""
    ours = json.loads((files("archipel.rules.atlantis") / "data" / "board.json").read_text())
    rows = [dict(row) for row in ours["rows"]]
    rows[0] = {"name": "a", "indent": 25, "spaces": "~"}
    islands = ours["safe_islands"] | {"nw": ["a1"]}
    with pytest.raises(DataFileError, match=r"nw: no boat gets from .* to its landing, a1"):
        load_changed_box(tmp_path, rows=rows, safe_islands=islands)


@pytest.mark.rule("AT-C7")
def test_a_malformed_box_file_raises_data_file_error(tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    for content in (
        b"[" * 100_000,
        b"\xff\xfe",
        b"",
        b'{"boats": 1' + b"0" * 5000 + b"}",
        b"1" * 2**20,
    ):
        file.write_bytes(content)
        with pytest.raises(DataFileError):
            load_box(file)
    with pytest.raises(DataFileError):
        load_box(tmp_path)


@pytest.mark.rule("AT-C7", "AT-C4")
def test_each_terrain_needs_as_many_symbols_as_pieces(tmp_path: Path) -> None:
    symbols = json.loads(json.dumps(SMALL["symbols"]))
    with pytest.raises(DataFileError, match="9 for plain, but the board has 18 such pieces"):
        load_changed_box(tmp_path, symbols=symbols)


@pytest.mark.rule("AT-C7")
def test_an_unreadable_box_file_is_refused_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="cannot be read"):
        load_box(tmp_path / "none.json")
    (tmp_path / "text.json").write_text("rows:")
    with pytest.raises(DataFileError, match="not a JSON file"):
        load_box(tmp_path / "text.json")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(DataFileError, match="expected an object"):
        load_box(tmp_path / "list.json")


@pytest.mark.rule("AT-C4", "AT-K4")
def test_sinking_a_piece_reveals_the_symbol_dealt_to_it() -> None:
    game = table(land="d4:dolphin", red="g6", phase="sink")
    sink(game, "d4")
    assert pieces(game, "dolphins") == ["d4"]
    assert look(game, "sunk") == "d4:dolphin"


def test_equal_streams_resample_equal_worlds_for_every_seat() -> None:
    game = Game.new("atlantis", 2, seed=9)
    assert ATLANTIS.resample(game.state, 0, Stream(1)) == ATLANTIS.resample(
        game.state, 1, Stream(1)
    )
