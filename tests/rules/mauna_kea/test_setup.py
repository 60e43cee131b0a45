"""Set-up: start tiles, boats, explorers and the first tiles in front."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import RuleError
from archipel.rules.kit import Stream
from archipel.rules.mauna_kea.components import DRAW_UNTIL
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.rules.mauna_kea.setup import deal_tiles, set_up
from archipel.rules.mauna_kea.state import State
from archipel.rules.mauna_kea.tiles import points_in_front
from archipel.rules.options import OptionError
from tests.rules.mauna_kea.tables import actions, in_bag, look, play, table
from tests.support.recording_tape import RecordingTape

TILE_DRAWS = [size for number in range(24, 0, -1) for size in (number, 4)]
BOAT_DRAWS = [8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.rule("MK-S1")
def test_start_tiles_boats_and_first_player_are_drawn_uniformly() -> None:
    tape = RecordingTape()
    MAUNA_KEA.new(MAUNA_KEA.make_options(3), tape)
    assert tape.sizes == [*TILE_DRAWS, *BOAT_DRAWS, 3]


@pytest.mark.rule("MK-S1")
@pytest.mark.parametrize(
    ("script", "board", "black"),
    [
        ([0, 0], "e1:s01,", "e1nw"),
        ([0, 1], "e1:s01.1,", "e1ne"),
        ([0, 2], "e1:s01.2,", "e1se"),
        ([0, 3], "e1:s01.3,", "e1sw"),
        ([1, 0, 0, 0], "e1:s02,d2:s01,", "d2nw"),
        ([23, 0], "e1:s24,d2:s01,", "d2nw"),
    ],
)
def test_start_tiles_lie_on_the_marked_spaces_with_their_artefacts(
    script: list[int], board: str, black: str
) -> None:
    options = MAUNA_KEA.make_options(2)
    s = MAUNA_KEA.new(options, RecordingTape(script))
    words = dict(word.split("=", 1) for word in MAUNA_KEA.position_text(s).split())
    assert words["board"].startswith(board)
    assert words["black"] == black
    assert len(words["board"].split(",")) == 24


@pytest.mark.rule("MK-S1", "MK-C5")
def test_a_symmetric_start_tile_still_turns_its_artefact_spot() -> None:
    # Tile s09 is jungle all over, with a white spot in the north-west.
    script = [8, 3]
    s = MAUNA_KEA.new(MAUNA_KEA.make_options(2), RecordingTape(script))
    words = dict(word.split("=", 1) for word in MAUNA_KEA.position_text(s).split())
    assert words["board"].startswith("e1:s09,")
    assert words["white"].startswith("e1sw,")


@pytest.mark.rule("MK-S1")
def test_every_spot_has_an_artefact_of_its_colour() -> None:
    s = MAUNA_KEA.new(MAUNA_KEA.make_options(2), RecordingTape())
    words = dict(word.split("=", 1) for word in MAUNA_KEA.position_text(s).split())
    assert words["black"] == "e1nw"
    # s02 to s08 lie on the next seven marked spaces, unturned.
    assert words["grey"] == "d2nw,f2nw,c3nw,e3nw,g3ne,b4sw,d4nw"
    assert words["white"].split(",")[0] == "f4nw"
    assert words["white"].split(",")[-2:] == ["e9nw", "e9se"]


@pytest.mark.rule("MK-S1")
def test_boats_are_shuffled_over_the_coves() -> None:
    s = MAUNA_KEA.new(MAUNA_KEA.make_options(2), RecordingTape([*[0] * 48, 7, 3, 0, 4]))
    words = dict(word.split("=", 1) for word in MAUNA_KEA.position_text(s).split())
    assert words["boats"].split(",")[:4] == ["w2", "e2", "n1", "w1"]


@pytest.mark.rule("MK-S2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_first_player_is_drawn_uniformly(seats: int) -> None:
    firsts = []
    for outcome in range(seats):
        tape = RecordingTape([*[0] * 56, outcome])
        firsts.append(MAUNA_KEA.new(MAUNA_KEA.make_options(seats), tape).first)
    assert firsts == list(range(seats))


@pytest.mark.rule("MK-S2")
def test_an_option_sets_the_first_player() -> None:
    tape = RecordingTape()
    s = MAUNA_KEA.new(MAUNA_KEA.make_options(3, first=2), tape)
    assert (s.first, s.to_move) == (1, 1)
    assert tape.sizes == [*TILE_DRAWS, *BOAT_DRAWS]
    with pytest.raises(OptionError, match=r"first.*MK-S2"):
        MAUNA_KEA.make_options(3, first=4)


@pytest.mark.rule("MK-S2")
def test_explorers_are_placed_one_at_a_time_counter_clockwise() -> None:
    game = Game.new("mauna-kea", 3, seed=1, first=2)
    order = []
    for _ in range(12):
        order.append(game.to_move)
        game.play(game.legal[0])
    assert order == [1, 0, 2] * 4
    assert look(game, "phase") == "play"


@pytest.mark.rule("MK-S2")
def test_explorers_are_placed_on_free_printed_cells() -> None:
    game = Game.new("mauna-kea", 2, seed=1)
    assert len(actions(game)) == 16
    play(game, "at e4nw")
    assert "at e4nw" not in actions(game)
    assert len(actions(game)) == 15
    for text in ("at e4nw", "at a1nw"):
        with pytest.raises(RuleError, match="MK-S2"):
            game.play(text)


LAST_PLACING = {
    "phase": "place",
    "seats": 3,
    "first": 1,
    "turn": 2,
    "explorers1": "e4nw,e4ne,e4sw,e4se",
    "explorers3": "f5nw,f5ne,f5sw,f5se",
    "explorers2": "d5nw,d5ne,d5sw",
}


@pytest.mark.rule("MK-S3")
def test_tiles_are_drawn_in_rotation_until_five_points() -> None:
    game = table(**LAST_PLACING)
    # Seats 1, 3, 2 in rotation; a seat with five points is skipped.
    play(game, "at d5se [jjjj3 jjll2 jlll1 jjjl3 jjmm2 jjjm3 jlmj2 jlll1]")
    assert look(game, "front1") == "jjjj3,jjjl3"
    assert look(game, "front3") == "jjll2,jjmm2,jlmj2"
    assert look(game, "front2") == "jjjm3,jlll1,jlll1"


@pytest.mark.rule("MK-S3")
def test_a_seat_with_five_points_draws_no_more() -> None:
    game = table(**LAST_PLACING)
    move = game.play("at d5se", chance="jjjj3 jjjj3 jjjj3 jjll2 jjll2 jjll2")
    assert len(move.outcomes) == 6
    assert [look(game, f"front{seat}") for seat in (1, 2, 3)] == ["jjjj3,jjll2"] * 3


@pytest.mark.rule("MK-S3")
def test_lava_is_replaced_at_once_and_returns_to_the_bag_after_the_deal() -> None:
    game = table(**LAST_PLACING)
    before = in_bag(game, "north-fork")
    play(game, "at d5se [north-fork west-fork jjjj3 jjjj3 jjjj3 jjll2 jjll2 east-left jjll2]")
    assert look(game, "front1") == "jjjj3,jjll2"
    assert look(game, "aside") == "-"
    assert in_bag(game, "north-fork") == before == 1
    assert look(game, "north") == "-"
    assert sum(game.state.bag) == 94 - 6


@pytest.mark.rule("MK-S3")
def test_lava_set_aside_is_not_drawn_again_during_the_deal() -> None:
    game = table(**LAST_PLACING)
    with pytest.raises(ValueError, match="bag holds 0"):
        game.play("at d5se", chance="north-fork north-fork")


@pytest.mark.rule("MK-S4")
@pytest.mark.parametrize(("first", "begins"), [(1, 1), (2, 2), (3, 0)])
def test_the_last_seat_to_place_begins_and_play_is_clockwise(first: int, begins: int) -> None:
    game = Game.new("mauna-kea", 3, seed=1, first=first)
    placed = None
    while look(game, "phase") == "place":
        placed = game.to_move
        game.play(game.legal[0])
    assert game.to_move == placed == begins
    tiles = "jjjj3 jjll2"
    for turn in range(1, 4):
        play(game, f"end play [{tiles}]")
        assert game.to_move == (begins + turn) % 3


@pytest.mark.rule("MK-S3")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_is_dealt_at_least_five_points(seats: int) -> None:
    for seed in range(40):
        s, chance = State(seats=seats), Stream(seed)
        set_up(s, chance)
        deal_tiles(s, chance)
        assert min(points_in_front(s, seat) for seat in range(seats)) >= DRAW_UNTIL
