"""Set-up: the deal, the boats, and the placement of people."""

from __future__ import annotations

from collections import Counter

import pytest

from archipel.game import Game
from archipel.rules.atlantis.definition import ATLANTIS
from archipel.rules.atlantis.setup import set_up
from archipel.rules.contract import NotationError
from archipel.rules.kit import Stream, differences
from archipel.rules.options import OptionError
from tests.rules.atlantis.tables import (
    actions,
    look,
    pieces,
    play,
    refused,
    seen,
    spaces_of,
    state_of,
    table,
)
from tests.support.scrambled import scrambled


@pytest.mark.rule("AT-S1")
def test_pieces_are_shuffled_within_their_terrain() -> None:
    layouts = {tuple(state_of(Game.new("atlantis", 2, seed=seed)).symbol) for seed in range(20)}
    assert len(layouts) == 20
    for space in ("d4", "e5", "f6"):
        found = {
            look(Game.new("atlantis", 2, seed=seed), "land").split(f"{space}:")[1].split(",")[0]
            for seed in range(60)
        }
        assert len(found) >= 5, space
        assert ("whirlpool" in found) == (space != "d4")  # a plain never hides one


@pytest.mark.rule("AT-S1", "AT-S6")
def test_all_undersides_are_hidden_at_the_start() -> None:
    game = Game.new("atlantis", 3, seed=4)
    for seat in (None, 0, 1, 2):
        assert seen(game, seat, "land").count("?") == 37


@pytest.mark.rule("AT-S2")
@pytest.mark.parametrize(
    ("seats", "starts"),
    [
        (2, ["g2", "g10"]),
        (3, ["c5", "g10", "k5", "g2"]),
        (4, ["c5", "g10", "k5", "g2"]),
    ],
)
def test_two_boats_start_for_two_players_and_four_for_more(seats: int, starts: list[str]) -> None:
    game = Game.new("atlantis", seats, seed=1)
    assert pieces(game, "boats") == starts
    assert all(sum(crew) == 0 for crew in state_of(game).aboard)


@pytest.mark.rule("AT-S3", "AT-S5")
def test_players_place_one_person_each_in_turn() -> None:
    game = Game.new("atlantis", 3, seed=1, first=2)
    placed = []
    for number, space in enumerate(("g6", "g6", "g6", "g5", "d4", "f5")):
        placed.append(game.to_move)
        game.play(f"place {space}")
        assert sum(12 - look(game, tribe).count("-") for tribe in ("red", "blue", "yellow")) == (
            number + 1
        )
    assert placed == [1, 2, 0, 1, 2, 0]
    assert look(game, "blue").startswith("g6,g5,-")
    assert look(game, "yellow").startswith("g6,d4,-")
    assert look(game, "red").startswith("g6,f5,-")


@pytest.mark.rule("AT-S3")
def test_at_set_up_a_plain_holds_one_person_and_other_pieces_three() -> None:
    game = Game.new("atlantis", 2, seed=1, first=1)
    play(game, "place d4", "place e5", "place e5", "place f6", "place f6", "place f6")
    assert refused(game, "place d4") == "AT-S3"
    assert refused(game, "place f6") == "AT-S3"
    assert "place e5" in actions(game)
    game.play("place e5")
    assert refused(game, "place e5") == "AT-S3"
    assert len(actions(game)) == 37 - 3
    assert refused(game, "place c4") == "AT-S3"  # the sea


@pytest.mark.rule("AT-S3")
def test_a_plain_holds_three_people_after_set_up() -> None:
    game = table(red="d4,e5", blue="d4,m1")
    game.play("person R2")
    assert "to d4" in actions(game)
    game.play("to d4")
    assert people_on(game, "d4") == 3


def people_on(game: Game, space: str) -> int:
    return look(game, "red").split(",").count(space) + look(game, "blue").split(",").count(space)


@pytest.mark.rule("AT-S3", "AT-S5")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_place_twelve_people_and_the_first_player_takes_the_first_turn(seats: int) -> None:
    for first in range(seats):
        game = Game.new("atlantis", seats, seed=first, first=first + 1)
        count = 0
        while look(game, "phase") == "place":
            game.play(game.legal[0])
            count += 1
        assert count == 12 * seats
        assert (game.to_move, look(game, "points")) == (first, "3")


@pytest.mark.rule("AT-S4")
@pytest.mark.parametrize("seats", [2, 4])
def test_animals_and_other_boats_start_in_the_stock(seats: int) -> None:
    game = Game.new("atlantis", seats, seed=1)
    for word in ("monsters", "sharks", "octopuses", "dolphins"):
        assert look(game, word) == ",".join(["-"] * 6)
    assert look(game, "boats").split(",").count("-") == 12 - (2 if seats == 2 else 4)


@pytest.mark.rule("AT-S5")
def test_the_first_player_is_random_or_set_by_an_option() -> None:
    drawn = Counter(Game.new("atlantis", 4, seed=seed).to_move for seed in range(200))
    assert set(drawn) == {0, 1, 2, 3}
    assert min(drawn.values()) > 25
    for first in range(3):
        assert Game.new("atlantis", 3, seed=1, first=first + 1).to_move == first
    with pytest.raises(OptionError, match="no seat 4"):
        ATLANTIS.make_options(3, first=4)


@pytest.mark.rule("AT-S5")
def test_play_is_clockwise() -> None:
    game = table(seats=3, turn=2, red="g6", blue="g7", yellow="g5")
    order = []
    for space in ("d4", "d5", "d6", "d7"):
        order.append(game.to_move)
        play(game, "stop")
        game.play(f"sink {space}", chance="monster-1")
        while look(game, "phase").startswith("animal"):
            game.play("pass")
    assert order == [1, 2, 0, 1]


@pytest.mark.rule("AT-S3")
def test_impossible_positions_during_placement_are_refused() -> None:
    game = table(phase="place", turn=2, red="g6")
    assert game.to_move == 1
    for red, blue, turn in (("g6,g6,g6", "g7", 2), ("g6,g6", "g7", 1), ("g6", "-,g7", 1)):
        with pytest.raises(NotationError):
            table(phase="place", turn=turn, red=red, blue=blue)


@pytest.mark.rule("AT-S1")
def test_set_up_clears_the_board_of_an_earlier_game() -> None:
    options = ATLANTIS.make_options(2, first=1)
    fresh = ATLANTIS.new(options, Stream(5))
    used = state_of(table(red="boat1,g6", boats="c4,x", sharks="a1", swam="R2", sunk="d4"))
    used.turn = 0
    set_up(used, Stream(5))
    assert used == fresh
    assert set(spaces_of("plain")) >= {"d4"}


@pytest.mark.rule("AT-S1", "AT-S4", "AT-S5")
@pytest.mark.parametrize("seats", [2, 3])
def test_set_up_overwrites_every_field_of_a_used_state(seats: int) -> None:
    options = ATLANTIS.make_options(seats)
    new = ATLANTIS.new(options, Stream(5))
    used, blank = scrambled(new), ATLANTIS.blank(options)
    for option in ("seats", "swimmers_land", "wiped_out_ends", "turn"):
        setattr(used, option, getattr(blank, option))
    ATLANTIS.set_up(used, Stream(5))
    assert differences(used, new) == []
