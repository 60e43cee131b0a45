"""The end of a round: treasure, lost units, the next starter and stalemate."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from tests.rules.deep_sea.tables import actions, dive, look, state_of, table, tail

# ---- when a round ends --------------------------------------------------------------------------


@pytest.mark.rule("DS-E1")
def test_the_round_ends_when_all_divers_are_home() -> None:
    game = table(air=20, diver1="2<[a1]", diver2="home[a2]", starter=2)
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert look(game, "air") == "25"


@pytest.mark.rule("DS-E1")
def test_the_round_continues_while_a_diver_is_outside() -> None:
    game = table(seats=3, air=20, diver1="2<[a1]", diver2="home[a2]", diver3="sub>", starter=2)
    dive(game, 3, 3)
    assert look(game, "round") == "1"
    assert game.to_move == 2


@pytest.mark.rule("DS-E1")
@pytest.mark.parametrize(("air", "round_number"), [(1, "2"), (2, "2"), (3, "1")])
def test_the_round_ends_when_the_air_reaches_zero(air: int, round_number: str) -> None:
    game = table(air=air, diver1="4>[a1,a2]", diver2="9>")
    dive(game, 3, 3)
    game.play("nothing")
    assert look(game, "round") == round_number


@pytest.mark.rule("DS-E1", "DS-E3")
def test_the_diver_who_uses_the_last_air_still_searches() -> None:
    game = table(air=1, diver1="4>[a1]", diver2="9>", turn=1)
    dive(game, 1, 2)
    assert actions(game) == ["nothing", "take"]
    game.play("take")
    assert look(game, "round") == "2"
    assert tail(game, 2) == "d8,a1+a7"


@pytest.mark.rule("DS-E1", "DS-E2")
def test_coming_home_on_the_last_air_keeps_the_units() -> None:
    game = table(air=2, diver1="3<[c1,d1]", diver2="9>[a1]")
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert look(game, "treasure1") == "c1,d1"
    assert look(game, "treasure2") == "-"
    assert tail(game, 1) == "a1"


@pytest.mark.rule("DS-E1")
def test_no_other_diver_acts_after_the_air_runs_out() -> None:
    game = table(seats=3, air=1, diver1="3>[c1]", diver2="1<[d1]", diver3="2<[d2]")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "round") == "2"
    assert look(game, "treasure2") == "-"
    assert look(game, "treasure3") == "-"


@pytest.mark.rule("DS-E1")
def test_a_throw_phase_without_air_is_refused() -> None:
    with pytest.raises(NotationError, match="DS-E1"):
        table(air=0)


# ---- divers at home -----------------------------------------------------------------------------


@pytest.mark.rule("DS-E2", "DS-E1")
def test_divers_at_home_keep_their_units_as_treasure() -> None:
    game = table(
        seats=3,
        air=1,
        starter=3,
        diver1="9>[a1]",
        diver2="home[b1,c1]",
        diver3="home[d1]",
        treasure2="a8",
    )
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "treasure1") == "-"
    assert look(game, "treasure2") == "a8,b1,c1"
    assert look(game, "treasure3") == "d1"
    assert state_of(game).points[:3] == [0, 3 + 4 + 8, 12]
    assert tail(game, 2) == "d8,a1"


@pytest.mark.rule("DS-E2", "DS-E4", "DS-G1")
def test_every_chip_of_a_pile_scores() -> None:
    game = table(diver1="1<[a7+b1+d8,c1]", diver2="home[d1]", starter=2, treasure1="b8")
    dive(game, 3, 3)
    assert look(game, "treasure1") == "a7,b1,b8,c1,d8"
    assert state_of(game).points[0] == 3 + 4 + 7 + 8 + 15
    assert state_of(game).load[:2] == [0, 0]


@pytest.mark.rule("DS-E2")
def test_treasure_is_kept_through_later_rounds() -> None:
    game = table(round=2, air=1, diver1="9>[a1]", treasure1="d7,d8")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "treasure1") == "d7,d8"
    assert state_of(game).points[0] == 30


# ---- divers outside -----------------------------------------------------------------------------


@pytest.mark.rule("DS-E3", "DS-E8")
def test_lost_units_are_laid_in_piles_of_three_beyond_the_end() -> None:
    game = table(air=1, drop_order="taken", diver1="9>[a1,b1,c1,d1,a2]", diver2="3>")
    dive(game, 1, 1)
    game.play("nothing")
    assert tail(game, 3) == "d8,a1+b1+c1,a2+d1"
    assert len(look(game, "line").split(",")) == 29


@pytest.mark.rule("DS-E3")
def test_the_farthest_diver_lays_first_and_the_next_continues_the_pile() -> None:
    game = table(
        seats=4,
        air=1,
        diver1="3>[a1,a2]",
        diver2="12<[b1,b2]",
        diver3="20>[c1,c2,c3,c4]",
        diver4="7>",
    )
    dive(game, 1, 1)
    game.play("nothing")
    assert tail(game, 4) == "d8,c1+c2+c3,b1+b2+c4,a1+a2"


@pytest.mark.rule("DS-E3")
def test_a_full_pile_takes_no_more_units() -> None:
    game = table(seats=3, air=1, diver1="3>[a1,a2,a3]", diver2="12<[b1,b2,b3]", diver3="5>[c1]")
    dive(game, 1, 1)
    game.play("nothing")
    assert tail(game, 4) == "d8,b1+b2+b3,a1+a2+c1,a3"


@pytest.mark.rule("DS-E3")
def test_distance_is_measured_after_the_last_move() -> None:
    game = table(air=1, diver1="5>[a1]", diver2="6>[b1]", line="o,o,o,o,o,o,...")
    dive(game, 3, 3)
    game.play("nothing")
    assert game.to_move == 0
    assert tail(game, 2) == "d8,a1+b1"


@pytest.mark.rule("DS-E3")
def test_a_single_lost_unit_becomes_the_last_space() -> None:
    game = table(air=1, diver1="3>[a5]", diver2="12>")
    dive(game, 1, 1)
    game.play("nothing")
    assert tail(game, 2) == "d8,a5"


@pytest.mark.rule("DS-E3", "DS-E4")
def test_a_held_pile_counts_as_one_unit_in_a_new_pile() -> None:
    game = table(
        round=2,
        air=1,
        line="o,o,o,o,o,o,...",
        diver1="3>[a1+a2+a3,b1+b2+b3,c1+c2+c3,d1]",
        diver2="2>",
    )
    dive(game, 3, 3)
    game.play("nothing")
    for _ in range(3):
        game.play("lay 1")
    assert tail(game, 3) == "d8,a1+a2+a3+b1+b2+b3+c1+c2+c3,d1"


@pytest.mark.rule("DS-E3")
def test_drowned_divers_return_to_the_submarine_empty_handed() -> None:
    game = table(air=1, diver1="9>[a1,b1]", diver2="3<[c1]")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "diver1") == "sub>"
    assert look(game, "diver2") == "sub>"
    assert state_of(game).load == [0] * 6
    assert all(unit == 0 for hand in state_of(game).hand for unit in hand)


@pytest.mark.rule("DS-E4")
def test_a_small_pile_is_not_topped_up_in_a_later_round() -> None:
    game = table(round=2, air=1, line="...,a1+a2", diver1="3>[b1]", diver2="2>")
    dive(game, 3, 3)
    game.play("nothing")
    assert tail(game, 3) == "d8,a1+a2,b1"


@pytest.mark.rule("DS-E4")
def test_pile_room_from_an_earlier_round_is_ignored() -> None:
    game = table(round=2, air=1, pile_room=1, line="...,a1+a2", diver1="3>[b1]", diver2="2>")
    dive(game, 3, 3)
    game.play("nothing")
    assert tail(game, 3) == "d8,a1+a2,b1"


@pytest.mark.rule("DS-E4", "DS-T3")
def test_a_pile_fills_one_space() -> None:
    game = table(line="a1,b1+b2+b3,c1+c2,a2,...", diver1="sub>")
    dive(game, 1, 2)
    assert look(game, "diver1") == "3>"
    game.play("take")
    assert look(game, "diver1") == "3>[c1+c2]"


# ---- closing the gaps ---------------------------------------------------------------------------


@pytest.mark.rule("DS-E5")
def test_gaps_close_in_order_after_a_diver_drowned() -> None:
    game = table(air=1, line="o,a3,o,o,b4,o,...,o", diver1="5>[a1]", diver2="2>")
    dive(game, 1, 1)
    assert game.to_move is not None
    game.play("nothing")
    line = look(game, "line").split(",")
    assert line[:4] == ["a3", "b4", "a2", "a4"]
    assert line[-2:] == ["d8", "a1"]
    assert "o" not in line
    assert len(line) == 32


@pytest.mark.rule("DS-E5")
def test_gaps_close_when_no_diver_drowned() -> None:
    game = table(line="o,a3,o,o,b4,o,...,o", diver1="2<[a1]", diver2="home[d8]", starter=2)
    dive(game, 3, 3)
    assert look(game, "line").startswith("a3,b4,a2,a4,")
    assert tail(game, 1) == "d7"
    assert len(look(game, "line").split(",")) == 30
    assert state_of(game).line[30:] == [0] * 13


# ---- the next round -----------------------------------------------------------------------------


@pytest.mark.rule("DS-E6")
def test_the_farthest_diver_outside_starts_the_next_round() -> None:
    game = table(
        seats=4,
        air=1,
        starter=2,
        diver1="3>[a1]",
        diver2="home[b1]",
        diver3="20>",
        diver4="12>[b2]",
    )
    dive(game, 1, 1)
    game.play("nothing")
    assert game.to_move == 2  # even with nothing in hand


@pytest.mark.rule("DS-E6")
def test_the_farthest_diver_can_be_the_one_who_just_moved() -> None:
    game = table(air=1, diver1="8>[a1]", diver2="10>[b1]")
    dive(game, 2, 3)
    game.play("nothing")
    assert game.to_move == 0


@pytest.mark.rule("DS-E6")
@pytest.mark.parametrize("last", [1, 2, 3])
def test_the_last_diver_home_starts_if_nobody_drowned(last: int) -> None:
    divers = {f"diver{seat}": f"home[a{seat}]" for seat in (1, 2, 3)}
    game = table(
        seats=3, starter=last % 3 + 1, turn=last, **(divers | {f"diver{last}": f"1<[a{last}]"})
    )
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert game.to_move == last - 1


@pytest.mark.rule("DS-E6")
def test_a_drowned_diver_starts_before_the_last_diver_home() -> None:
    game = table(seats=3, air=1, diver1="2<[a1]", diver2="9>", diver3="4>[b1]")
    dive(game, 3, 3)
    assert look(game, "treasure1") == "a1"
    assert game.to_move == 1


@pytest.mark.rule("DS-E6")
def test_a_new_round_resets_air_divers_and_counters() -> None:
    game = table(seats=3, air=1, idle=0, diver1="9<[a1]", diver2="home[b1]", diver3="6>", starter=2)
    dive(game, 1, 1)
    game.play("nothing")
    expected = {
        "round": "2",
        "air": "25",
        "turn": "1",
        "phase": "throw",
        "starter": "-",
        "idle": "0",
        "stirred": "0",
        "pile_room": "0",
        **{f"diver{seat}": "sub>" for seat in (1, 2, 3)},
        "treasure1": "-",
        "treasure2": "b1",
        "treasure3": "-",
    }
    assert {word: look(game, word) for word in expected} == expected


@pytest.mark.rule("DS-E10")
def test_a_diver_still_in_the_submarine_does_not_count_as_outside() -> None:
    game = table(
        seats=3, air=1, line="a1,a2", diver1="1<[d1]", diver2="home[d2]", starter=2, treasure3="..."
    )
    dive(game, 1, 1)
    assert look(game, "round") == "2"
    assert game.to_move == 0  # the last diver home; no diver is on the line


@pytest.mark.rule("DS-E10", "DS-E6")
def test_a_diver_on_the_line_starts_before_a_diver_in_the_submarine() -> None:
    game = table(seats=3, air=1, diver1="2<[d1]", diver2="sub>", diver3="1>")
    dive(game, 3, 3)
    assert game.to_move == 2


# ---- stalemate ----------------------------------------------------------------------------------


def blocked_game(**words: object) -> Game:
    """A game with both divers stuck at the end of a line of three spaces."""
    given = {"line": "a1,o,o", "diver1": "3>", "diver2": "2>", "treasure1": "..."} | words
    return table(**given)


@pytest.mark.rule("DS-E7")
def test_the_round_ends_after_an_idle_turn_of_every_diver() -> None:
    game = blocked_game()
    dive(game, 3, 3)
    assert look(game, "round") == "1"
    assert look(game, "idle") == "1"
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert game.to_move == 0  # the farthest outside
    assert look(game, "line") == "a1"


@pytest.mark.rule("DS-E7")
def test_stalemate_ignores_divers_at_home() -> None:
    game = blocked_game(
        seats=3, diver1="3>", diver2="home[d1]", diver3="2>", treasure1="...", starter=2
    )
    dive(game, 3, 3)
    assert look(game, "round") == "1"
    assert game.to_move == 2
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert look(game, "treasure2") == "d1"


@pytest.mark.rule("DS-E7")
def test_a_lone_diver_is_in_stalemate_after_one_idle_turn() -> None:
    game = blocked_game(diver1="3>", diver2="home[d1]", starter=2)
    dive(game, 3, 3)
    assert look(game, "round") == "2"


@pytest.mark.rule("DS-E7", "DS-T4")
def test_stalemate_counts_divers_blocked_in_the_submarine() -> None:
    game = table(seats=3, line="o,o", diver1="2>", diver2="1>", treasure1="a1-d6", treasure2="...")
    dive(game, 3, 3)
    dive(game, 3, 3)
    assert look(game, "phase") == "throw"
    assert game.to_move == 2
    dive(game, 3, 3)
    assert game.is_over  # nothing was left on the line


@pytest.mark.rule("DS-E7")
@pytest.mark.parametrize(
    "last",
    [
        "1>",  # moves on
        "4>[d1]",  # cannot move, but holds something
        "4<[d1,d2]",  # stays, on the way home
        "4<[d1]",  # moves, on the way home
    ],
)
def test_a_turn_that_changes_something_resets_the_idle_count(last: str) -> None:
    game = table(
        seats=3, line="a1,o,o,o,o,o", diver1="6>", diver2="5>", diver3=last, treasure1="..."
    )
    dive(game, 3, 3)
    dive(game, 3, 3)
    assert look(game, "idle") == "2"
    dive(game, 1, 1)
    if look(game, "phase") == "search":
        game.play("nothing")
    assert look(game, "idle") == "0"
    assert look(game, "round") == "1"


@pytest.mark.rule("DS-E7", "DS-T6")
def test_taking_without_moving_resets_the_idle_count() -> None:
    game = blocked_game(line="a1,o,a2", diver1="3>", diver2="2>", turn=2)
    dive(game, 3, 3)
    assert look(game, "idle") == "1"
    dive(game, 3, 3)
    game.play("take")
    assert look(game, "idle") == "0"
    assert look(game, "round") == "1"


@pytest.mark.rule("DS-E7", "DS-T6")
def test_declining_to_take_without_moving_is_an_idle_turn() -> None:
    game = blocked_game(line="a1,o,a2", diver1="3>", diver2="2>", turn=2)
    dive(game, 3, 3)
    dive(game, 3, 3)
    game.play("nothing")
    assert look(game, "round") == "2"


@pytest.mark.rule("DS-E7")
def test_putting_down_the_last_unit_resets_the_idle_count() -> None:
    game = blocked_game(line="a1,o,o", diver1="3>[a2]", diver2="2>", turn=2)
    dive(game, 3, 3)
    dive(game, 1, 1)
    game.play("put 1")
    assert look(game, "idle") == "0"
    assert look(game, "round") == "1"
    dive(game, 3, 3)
    dive(game, 3, 3)
    game.play("nothing")
    assert look(game, "round") == "2"


@pytest.mark.rule("DS-E7")
def test_divers_at_home_keep_their_units_in_a_stalemate() -> None:
    game = blocked_game(
        seats=3, diver1="3>", diver2="home[d8]", diver3="2>", treasure1="...", starter=2
    )
    dive(game, 1, 1)
    dive(game, 1, 1)
    assert look(game, "treasure2") == "d8"
    assert game.to_move == 0


@pytest.mark.rule("DS-E7")
def test_a_position_in_stalemate_is_refused() -> None:
    with pytest.raises(NotationError, match="DS-E7"):
        blocked_game(idle=2)


# ---- the last round -----------------------------------------------------------------------------


@pytest.mark.rule("DS-E9")
def test_the_last_round_keeps_treasure_and_loses_units() -> None:
    game = table(round=3, air=1, line="o,a8,...", diver1="9>[a1,b1]", diver2="home[d1]", starter=2)
    dive(game, 1, 2)
    game.play("nothing")
    assert game.is_over
    assert look(game, "treasure2") == "d1"
    assert look(game, "diver1") == "sub>"
    assert look(game, "line").startswith("o,a8,a2,")  # the gap is not closed
    assert tail(game, 2) == "d8,a1+b1"
    assert look(game, "air") == "0"  # the air is not refilled
    assert look(game, "round") == "3"
    assert look(game, "pile_room") == "0"


@pytest.mark.rule("DS-E9")
@pytest.mark.parametrize("round_number", [1, 2])
def test_the_game_ends_when_the_line_is_empty(round_number: int) -> None:
    game = table(
        round=round_number,
        line="o,o",
        diver1="1<[d8]",
        diver2="home[d7]",
        starter=2,
        treasure1="...",
    )
    dive(game, 3, 3)
    assert game.is_over
    assert look(game, "line") == "-"
    assert look(game, "round") == str(round_number)
    assert game.outcome is not None
    assert game.outcome.reason == "empty_line"


@pytest.mark.rule("DS-E9", "DS-E3")
def test_lost_units_form_a_new_line() -> None:
    game = table(air=1, line="o,o,o", diver1="2<[d8]", diver2="3>[d7]", treasure1="...")
    dive(game, 3, 3)
    assert look(game, "line") == "d7"
    assert look(game, "round") == "2"


@pytest.mark.rule("DS-E9")
def test_a_position_with_an_empty_line_is_refused() -> None:
    with pytest.raises(NotationError, match="DS-E9"):
        table(line="-", treasure1="...")
