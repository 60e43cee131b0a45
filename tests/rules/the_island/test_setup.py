"""Setup and placement."""

from __future__ import annotations

from collections import Counter

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError, RuleError
from archipel.rules.hex_sea.places import ABOARD
from archipel.rules.kit import Stream, differences
from archipel.rules.options import OptionError
from archipel.rules.the_island.board import BOARD, TILE_SPACES
from archipel.rules.the_island.components import BOX
from archipel.rules.the_island.definition import THE_ISLAND
from archipel.rules.the_island.names import NAMES
from archipel.rules.the_island.position import SWITCHES
from archipel.rules.the_island.setup import boat_starts_beside
from archipel.rules.the_island.state import State
from tests.rules.the_island.tables import actions, look, play, seen, state_of, table
from tests.support.scrambled import scrambled

TILE_NAMES = {NAMES.space(space) for space in TILE_SPACES}


def fresh(seats: int = 2, seed: int = 1, **options: object) -> Game:
    return Game.new("the-island", seats, seed=seed, **options)


@pytest.mark.rule("IS-S1")
def test_serpents_start_on_the_marked_spaces() -> None:
    game = fresh()
    assert look(game, "serpents") == "b1,c11,g6,k1,l10"
    assert look(game, "sharks") == "-,-,-,-,-,-"


@pytest.mark.rule("IS-S2")
def test_tiles_are_dealt_at_random_with_their_backs() -> None:
    terrains = Counter[int]()
    backs = Counter[int]()
    for seed in range(300):
        s = state_of(fresh(seed=seed))
        assert s.holder == [-1] * 40
        terrains[s.terrain[0]] += 1
        backs[s.back[39]] += 1
    assert 90 < terrains[0] < 150
    assert 90 < terrains[1] < 150
    assert 35 < terrains[2] < 85
    assert set(backs) == set(range(12))
    assert 25 < backs[0] < 70  # 6 of 40 are sharks


@pytest.mark.rule("IS-S2", "IS-I2")
def test_tile_backs_are_hidden_from_all_seats() -> None:
    game = fresh(3)
    for seat in (None, 0, 1, 2):
        assert all(part.endswith("?") for part in seen(game, seat, "land").split(","))


@pytest.mark.rule("IS-S3")
def test_each_player_has_ten_explorers_and_boats_start_in_stock() -> None:
    game = fresh(3)
    for colour in ("white", "yellow", "sky"):
        assert look(game, colour) == ",".join(["-"] * 10)
    assert "vermilion" not in game.position.text
    assert look(game, "boats") == ",".join(["-"] * 12)


@pytest.mark.rule("IS-S4")
def test_the_first_player_is_random_unless_set() -> None:
    drawn = Counter(fresh(3, seed).to_move for seed in range(300))
    assert set(drawn) == {0, 1, 2}
    assert min(drawn.values()) > 70
    for first in (1, 2, 3):
        assert fresh(3, first=first).to_move == first - 1
    with pytest.raises(OptionError, match="IS-S4"):
        fresh(2, first=3)


@pytest.mark.rule("IS-S4", "IS-S5", "IS-S6")
@pytest.mark.parametrize("first", [1, 2, 3])
def test_placement_and_play_start_with_the_first_player(first: int) -> None:
    game = fresh(3, first=first)
    movers = []
    while look(game, "phase").startswith(("place", "name")):
        if look(game, "phase") != "name_value":
            movers.append(game.to_move)
        game.play(game.legal[0])
    assert movers == [(first - 1 + number) % 3 for number in range(30 + 6)]
    assert look(game, "phase") == "move"
    assert game.to_move == first - 1
    for colour in ("white", "yellow", "sky"):
        assert "-" not in look(game, colour)


@pytest.mark.rule("IS-S5")
def test_an_explorer_is_placed_on_any_empty_tile() -> None:
    game = fresh(first=1)
    assert {text.removeprefix("place ") for text in actions(game)} == TILE_NAMES
    play(game, "place f5", "white 6")
    assert look(game, "white").startswith("f5,-")
    assert "place f5" not in actions(game)
    assert len(actions(game)) == 39
    with pytest.raises(RuleError, match="IS-S5"):
        game.play("place f5")
    with pytest.raises(RuleError, match="IS-S5"):
        game.play("place a1")


@pytest.mark.rule("IS-S5", "IS-C2")
def test_a_player_places_any_of_their_remaining_values() -> None:
    game = fresh(first=1)
    game.play("place f5")
    assert actions(game) == [f"white {value}" for value in range(1, 7)]
    play(game, "white 6", "place f6", "yellow 6", "place f7")
    assert actions(game) == [f"white {value}" for value in range(1, 6)]
    with pytest.raises(RuleError, match="IS-C2"):
        game.play("white 6")
    with pytest.raises(NotationError, match="not a colour of seat 1"):
        game.play("yellow 1")


@pytest.mark.rule("IS-S5", "IS-S7")
def test_a_player_sees_only_their_own_values() -> None:
    game = fresh(first=1)
    play(game, "place f5", "white 6", "place f6", "yellow 4")
    assert seen(game, 0, "white").startswith("f5:6,-")
    assert seen(game, 1, "white").startswith("f5?,-")
    assert seen(game, 1, "yellow").startswith("f6:4,-")
    assert seen(game, 0, "yellow").startswith("f6?,-")
    assert seen(game, None, "white").startswith("f5?,-")


@pytest.mark.rule("IS-S8")
def test_the_tile_is_chosen_before_the_value_and_is_public() -> None:
    game = fresh(first=1)
    game.play("place f5")
    assert look(game, "phase") == "name_value"
    assert look(game, "chosen") == "f5"
    assert game.to_move == 0
    game.play("white 2")
    assert game.to_move == 1


@pytest.mark.rule("IS-S8")
def test_the_last_explorer_is_placed_without_a_question() -> None:
    """The last two of one value do ask, so that opponents do not learn that they are equal."""
    placed = "d4:1,d5:1,d6:2,d7:2,e4:3,e5:3,e6:4,e7:5"
    others = "f3:1,f4:1,f5:1,f6:2,f7:2,f8:3,f9:3,f10:4"
    game = table(phase="place_explorer", white=placed, yellow=others)
    game.play("place g3")
    assert actions(game) == ["white 1", "white 6"]
    game.undo()
    alike = "d4:6,d5:2,d6:2,d7:3,e4:3,e5:4,e6:5,e7:1"
    game = table(phase="place_explorer", white=alike, yellow=others)
    game.play("place g3")
    assert actions(game) == ["white 1"]
    play(game, "white 1", "place g4", "yellow 5", "place g5")
    assert look(game, "white").endswith(",g3,g5")
    assert game.to_move == 1
    assert state_of(game).value[8:10] == [1, 1]


@pytest.mark.rule("IS-S8", "IS-V3")
def test_all_equal_asks_only_for_a_choice_of_colour() -> None:
    game = fresh(first=1, all_equal=True)
    game.play("place f5")
    assert look(game, "white").startswith("f5,")
    assert game.to_move == 1
    game = fresh(first=1, all_equal=True, two_colours=True)
    game.play("place f5")
    assert actions(game) == ["white 1", "sky 1"]


@pytest.mark.rule("IS-S6")
def test_a_boat_is_placed_next_to_the_island() -> None:
    game = table(phase="place_boat", white=TEN_A, yellow=TEN_B, serpents="b1,c11,g6,k1,l10")
    free = {text.removeprefix("place ") for text in actions(game)}
    assert len(free) == 28
    assert "g6" not in free  # the lake has a serpent
    for name in free:
        space = BOARD.names.index(name)
        assert any(NAMES.space(near) in TILE_NAMES for near in BOARD.neighbours[space])
    game.play("place e3")
    assert "place e3" not in actions(game)
    for text in ("place e3", "place g6", "place a1", "place f5"):
        with pytest.raises(RuleError, match="IS-S6"):
            game.play(text)


TEN_A = "d4,d5,d6,d7,e4,e5,e6,e7,e8,f3"
TEN_B = "f4,f5,f6,f7,f8,f9,f10,g3,g4,g5"


@pytest.mark.rule("IS-S6", "IS-S3")
def test_play_begins_after_each_player_places_two_boats() -> None:
    game = table(phase="place_boat", white=TEN_A, yellow=TEN_B, serpents="b1,c11,g6,k1,l10")
    for space in ("e3", "d3", "c4"):
        assert look(game, "phase") == "place_boat"
        game.play(f"place {space}")
    assert game.to_move == 1
    game.play("place c5")
    assert look(game, "boats").startswith("e3,d3,c4,c5,-")
    assert look(game, "phase") == "move"
    assert game.to_move == 0
    assert look(game, "points") == "3"


@pytest.mark.rule("IS-S6")
def test_a_boat_cannot_be_placed_on_a_serpent() -> None:
    game = table(phase="place_boat", white=TEN_A, yellow=TEN_B, serpents="e3,c11,g6,k1,l10")
    assert "place e3" not in actions(game)


@pytest.mark.rule("IS-S7", "IS-I5")
def test_values_are_hidden_when_the_last_boat_is_placed() -> None:
    game = table(
        phase="place_boat",
        white="d4:6,d5,d6,d7,e4,e5,e6,e7,e8,f3",
        yellow=TEN_B,
        boats="e3,d3,c4",
        turn=2,
    )
    assert seen(game, 0, "white").startswith("d4:6")
    game.play("place c5")
    for seat in (None, 0, 1):
        assert all(part.endswith("?") for part in seen(game, seat, "white").split(","))


@pytest.mark.rule("IS-S7")
@pytest.mark.parametrize(("memory", "knows"), [("-", ""), ("1", "0"), ("2", "1"), ("12", "01")])
def test_open_memory_shows_players_their_own_values_throughout(memory: str, knows: str) -> None:
    game = table(memory=memory, white="d4:6,nw:1,lost:2", yellow="d5:5,nw:1,lost:2")
    for seat, colour in enumerate(("white", "yellow")):
        for watcher in (None, 0, 1):
            shown = ":" in seen(game, watcher, colour)
            assert shown == (watcher == seat and str(seat) in knows)


@pytest.mark.rule("IS-S7")
def test_open_memory_is_an_option_for_all_or_some_seats() -> None:
    assert state_of(fresh(3)).memory == 0
    assert state_of(fresh(3, open_memory=True)).memory == 0b111
    assert state_of(fresh(3, open_memory="13")).memory == 0b101  # bots at seats 1 and 3
    for wrong in ("4", "31", "11", "x"):
        with pytest.raises(OptionError, match="open_memory"):
            fresh(3, open_memory=wrong)
    for given in (False, True, "2"):
        game = fresh(3, open_memory=given)
        assert THE_ISLAND.read_options(game.state)["open_memory"] == given


@pytest.mark.rule("IS-S9")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_quick_set_up_places_everything(seats: int) -> None:
    for seed in range(20):
        game = fresh(seats, seed, auto_setup=True, first=2)
        s = state_of(game)
        assert look(game, "phase") == "move"
        assert game.to_move == 1
        placed = s.place[: 10 * seats]
        assert len(set(placed)) == 10 * seats
        assert {NAMES.space(place) for place in placed} <= TILE_NAMES
        assert sum(space < 133 for space in s.boat) == 2 * seats
        for boat in range(2 * seats):
            seat = (1 + boat) % seats
            near = BOARD.neighbours[s.boat[boat]]
            assert any(s.place[explorer] in near for explorer in range(seat * 10, seat * 10 + 10))


@pytest.mark.rule("IS-S9")
def test_quick_set_up_is_random_and_follows_the_options() -> None:
    places = Counter(state_of(fresh(2, seed, auto_setup=True)).place[0] for seed in range(200))
    assert len(places) == 40
    values = Counter(state_of(fresh(2, seed, auto_setup=True)).value[0] for seed in range(200))
    assert set(values) == set(BOX.values)
    crowded = state_of(fresh(4, 3, auto_setup=True, crowded=True)).place
    assert max(Counter(crowded).values()) == 2
    equal = state_of(fresh(2, 3, auto_setup=True, all_equal=True, two_colours=True))
    assert equal.value == [1] * 40


@pytest.mark.rule("IS-S9")
def test_quick_set_up_shows_players_their_own_values() -> None:
    game = fresh(3, auto_setup=True)
    assert "?" not in seen(game, 0, "white")
    assert ":" not in seen(game, 0, "yellow")
    assert ":" not in seen(game, None, "white")


@pytest.mark.rule("IS-S9")
def test_quick_set_up_places_a_boat_anywhere_if_no_explorer_is_near_a_start() -> None:
    inner = "e5,e6,e7,f5,f8,g4,g8,h5,h8,i5"
    game = table(phase="place_boat", white=inner, yellow=TEN_A)
    assert bin(boat_starts_beside(state_of(game), 0)).count("1") == 28
    assert bin(boat_starts_beside(state_of(game), 1)).count("1") < 15


@pytest.mark.rule("IS-S1", "IS-S2")
def test_set_up_resets_a_used_state() -> None:
    used = state_of(fresh(4, 9, auto_setup=True))
    used.place[3] = ABOARD + 2
    used.aboard[2][0] = 1
    used.idle_turns = 3
    used.turn = 0
    used.memory = 0
    clean = State(seats=4, turn=0)
    THE_ISLAND.set_up(used, Stream(5))
    THE_ISLAND.set_up(clean, Stream(5))
    assert used == clean


@pytest.mark.rule("IS-S2", "IS-S3", "IS-S4", "IS-S9")
@pytest.mark.parametrize("auto_setup", [False, True])
def test_set_up_overwrites_every_field(auto_setup: bool) -> None:
    options = THE_ISLAND.make_options(3, auto_setup=auto_setup)
    new = THE_ISLAND.new(options, Stream(5))
    used, blank = scrambled(new), THE_ISLAND.blank(options)
    for option in ("seats", *SWITCHES, "memory", "auto_setup", "turn"):
        setattr(used, option, getattr(blank, option))
    THE_ISLAND.set_up(used, Stream(5))
    assert differences(used, new) == []
