"""The end of the game: final scores, ranking and tie-breaks."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import Outcome
from archipel.rules.deep_sea.round_end import chips_of_level, is_ahead
from tests.rules.deep_sea.tables import actions, dive, look, state_of, table


def result(*treasures: str) -> Outcome:
    """The outcome of a finished game with these treasures."""
    words = {f"treasure{seat}": chips for seat, chips in enumerate(treasures, 1)}
    game = table(seats=len(treasures), phase="over", round=3, air=0, **words)
    assert game.outcome is not None
    return game.outcome


@pytest.mark.rule("DS-G1", "DS-E9")
def test_a_game_has_three_rounds() -> None:
    game = Game.new("deep-sea", 2, seed=5)
    seen = []
    while not game.is_over:
        seen.append(int(look(game, "round")))
        game.play("take" if "take" in actions(game) else game.legal[0])
    assert sorted(set(seen)) == [1, 2, 3]
    assert seen == sorted(seen)
    assert game.outcome is not None
    assert game.outcome.reason == "rounds"


@pytest.mark.rule("DS-G1")
def test_a_finished_game_has_no_seat_to_move() -> None:
    game = table(round=3, diver1="1<[a3]", diver2="home[d1]", starter=2)
    assert game.outcome is None
    dive(game, 3, 3)
    assert game.to_move is None
    assert game.legal == []
    assert game.outcome == Outcome((1, 0), (1, 12), "end.rounds")


@pytest.mark.rule("DS-G1")
def test_the_seat_with_most_points_wins() -> None:
    outcome = result("a7,a8", "d1", "b1,b2", "-")
    assert outcome.scores == (6, 12, 8, 0)
    assert outcome.ranks == (2, 0, 1, 3)
    assert outcome.winners == (1,)


@pytest.mark.rule("DS-G1", "DS-E4")
def test_every_chip_of_a_pile_counts_towards_the_score() -> None:
    game = table(round=3, diver1="1<[d1+c1+a3]", diver2="home[d8]", starter=2)
    dive(game, 3, 3)
    assert game.outcome == Outcome((0, 1), (12 + 8 + 1, 15), "end.rounds")


@pytest.mark.rule("DS-G1")
@pytest.mark.parametrize(
    ("better", "worse", "points"),
    [
        ("d1", "c1,b1", 12),  # level 4
        ("d1,d2", "d3,c7", 24),  # two of level 4 against one
        ("d1,c1,a7", "d3,b1,b3,a3", 23),  # then level 3
        ("c1,b1", "b3,b7,a1", 12),
        ("d1,b1,a5", "d3,a7,a3,a4", 18),  # then level 2
        ("b1,a3", "a7,a5", 5),
        ("a7,a1,a2", "a3,a5", 3),  # then level 1
        ("d1,a1", "d2", 12),
        ("c1,a1,a2", "c2", 8),
    ],
)
def test_ties_are_broken_by_chip_count_from_the_highest_level(
    better: str, worse: str, points: int
) -> None:
    for treasures, winner in (((better, worse), 0), ((worse, better), 1)):
        outcome = result(*treasures)
        assert outcome.scores == (points, points)
        assert outcome.winners == (winner,)
        assert outcome.ranks[1 - winner] == 1


@pytest.mark.rule("DS-G1")
def test_seats_with_equal_score_and_levels_share_a_rank() -> None:
    outcome = result("c1,a3", "d8", "c2,a4", "a1", "a2", "-")
    assert outcome.scores == (9, 15, 9, 0, 0, 0)
    assert outcome.ranks == (1, 0, 1, 3, 3, 5)


@pytest.mark.rule("DS-G1")
def test_a_tie_for_first_place_has_two_winners() -> None:
    outcome = result("d1,a3", "d2,a4", "c1")
    assert outcome.ranks == (0, 0, 2)
    assert outcome.winners == (0, 1)


@pytest.mark.rule("DS-G1")
def test_one_high_level_chip_beats_many_low_level_chips_in_a_tie() -> None:
    outcome = result("d1", "b1,b2,a7,a3", "-")
    assert outcome.scores[:2] == (12, 12)
    assert outcome.ranks == (0, 1, 2)


@pytest.mark.rule("DS-G1")
def test_chips_of_level_counts_the_treasure_of_a_seat() -> None:
    s = state_of(table(treasure1="a1,a8,b1,c1,c2,c8", treasure2="a2,d1,d8"))
    assert [chips_of_level(s.treasure[0], level) for level in range(4)] == [2, 1, 3, 0]
    assert [chips_of_level(s.treasure[1], level) for level in range(4)] == [1, 0, 0, 2]
    assert (is_ahead(s, 0, 1), is_ahead(s, 1, 0)) == (True, False)
    assert is_ahead(s, 0, 0) is False


@pytest.mark.rule("DS-G1")
def test_a_finished_game_has_no_legal_actions() -> None:
    assert actions(table(phase="over", air=0, round=3, treasure1="a1,a2")) == []


@pytest.mark.rule("DS-G2")
def test_a_finished_game_shows_every_value_to_everyone() -> None:
    game = table(round=3, air=1, diver1="9>[a1,b1]", diver2="home[d1]", starter=2)
    dive(game, 1, 1)
    assert "?" in game.view(0).text
    game.play("nothing")
    assert game.is_over
    for seat in (0, 1, None):
        assert "?" not in game.view(seat).text
        assert game.view(seat) == game.position


@pytest.mark.rule("DS-G2", "DS-T9")
def test_values_not_brought_home_stay_hidden_until_the_game_ends() -> None:
    game = table(round=3, air=2, diver1="9>[a1,b1]", diver2="home[d1]", starter=2)
    for seat in (0, 1, None):
        assert "a1?,b1?" in game.view(seat).text
