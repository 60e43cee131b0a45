"""The end of a round."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from tests.rules.deep_sea.tables import actions, dive, look, state_of, table


def tail(game: Game, count: int) -> str:
    """The outermost units of the line."""
    return ",".join(look(game, "line").split(",")[-count:])


# ---- when ---------------------------------------------------------------------------------------


@pytest.mark.rule("DS-E1")
def test_the_round_ends_when_all_are_home() -> None:
    game = table(air=20, diver1="2<[a1]", diver2="home[a2]", starter=2)
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert look(game, "air") == "25"


@pytest.mark.rule("DS-E1")
def test_the_round_goes_on_while_someone_is_out() -> None:
    game = table(seats=3, air=20, diver1="2<[a1]", diver2="home[a2]", diver3="sub>", starter=2)
    dive(game, 3, 3)
    assert look(game, "round") == "1"
    assert game.to_move == 2


@pytest.mark.rule("DS-E1")
@pytest.mark.parametrize(("air", "round_number"), [(1, "2"), (2, "2"), (3, "1")])
def test_exactly_nothing_is_empty(air: int, round_number: str) -> None:
    game = table(air=air, diver1="4>[a1,a2]", diver2="9>")
    dive(game, 3, 3)
    game.play("nothing")
    assert look(game, "round") == round_number


@pytest.mark.rule("DS-E1", "DS-E3")
def test_the_diver_who_emptied_the_tank_still_searches() -> None:
    game = table(air=1, diver1="4>[a1]", diver2="9>", turn=1)
    dive(game, 1, 2)
    assert actions(game) == ["nothing", "take"]
    game.play("take")
    assert look(game, "round") == "2"
    assert tail(game, 2) == "d8,a1+a7"


@pytest.mark.rule("DS-E1", "DS-E2")
def test_coming_home_with_the_last_breath_counts() -> None:
    game = table(air=2, diver1="3<[c1,d1]", diver2="9>[a1]")
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert look(game, "treasure1") == "c1,d1"
    assert look(game, "treasure2") == "-"
    assert tail(game, 1) == "a1"


@pytest.mark.rule("DS-E1")
def test_nobody_else_acts_once_the_air_is_gone() -> None:
    game = table(seats=3, air=1, diver1="3>[c1]", diver2="1<[d1]", diver3="2<[d2]")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "round") == "2"
    assert look(game, "treasure2") == "-"
    assert look(game, "treasure3") == "-"


@pytest.mark.rule("DS-E1")
def test_a_round_without_air_is_no_position_to_play_from() -> None:
    with pytest.raises(NotationError, match="DS-E1"):
        table(air=0)


# ---- those home ---------------------------------------------------------------------------------


@pytest.mark.rule("DS-E2", "DS-E1")
def test_those_home_lose_nothing() -> None:
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


# ---- those outside ------------------------------------------------------------------------------


@pytest.mark.rule("DS-E3", "DS-E8")
def test_lost_units_are_laid_in_piles_of_three_beyond_the_end() -> None:
    game = table(air=1, diver1="9>[a1,b1,c1,d1,a2]", diver2="3>")
    dive(game, 1, 1)
    game.play("nothing")
    assert tail(game, 3) == "d8,a1+b1+c1,a2+d1"
    assert len(look(game, "line").split(",")) == 29


@pytest.mark.rule("DS-E3")
def test_the_farthest_diver_is_first_and_piles_run_on() -> None:
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
def test_a_full_pile_is_not_continued() -> None:
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
def test_a_single_lost_unit_is_the_outermost() -> None:
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
    assert tail(game, 3) == "d8,a1+a2+a3+b1+b2+b3+c1+c2+c3,d1"


@pytest.mark.rule("DS-E3")
def test_those_outside_have_nothing_left() -> None:
    game = table(air=1, diver1="9>[a1,b1]", diver2="3<[c1]")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "diver1") == "sub>"
    assert look(game, "diver2") == "sub>"
    assert state_of(game).load == [0] * 6
    assert all(unit == 0 for hand in state_of(game).hand for unit in hand)


@pytest.mark.rule("DS-E4")
def test_a_small_pile_is_not_filled_up_later() -> None:
    game = table(round=2, air=1, line="...,a1+a2", diver1="3>[b1]", diver2="2>")
    dive(game, 3, 3)
    game.play("nothing")
    assert tail(game, 3) == "d8,a1+a2,b1"


@pytest.mark.rule("DS-E4")
def test_room_on_a_pile_of_another_round_does_not_matter() -> None:
    game = table(round=2, air=1, pile_room=1, line="...,a1+a2", diver1="3>[b1]", diver2="2>")
    dive(game, 3, 3)
    game.play("nothing")
    assert tail(game, 3) == "d8,a1+a2,b1"


@pytest.mark.rule("DS-E4", "DS-T3")
def test_a_pile_is_one_space() -> None:
    game = table(line="a1,b1+b2+b3,c1+c2,a2,...", diver1="sub>")
    dive(game, 1, 2)
    assert look(game, "diver1") == "3>"
    game.play("take")
    assert look(game, "diver1") == "3>[c1+c2]"


# ---- closing up ---------------------------------------------------------------------------------


@pytest.mark.rule("DS-E5")
def test_gaps_are_closed_in_order_when_someone_drowned() -> None:
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
def test_gaps_are_closed_when_nobody_drowned() -> None:
    game = table(line="o,a3,o,o,b4,o,...,o", diver1="2<[a1]", diver2="home[d8]", starter=2)
    dive(game, 3, 3)
    assert look(game, "line").startswith("a3,b4,a2,a4,")
    assert tail(game, 1) == "d7"
    assert len(look(game, "line").split(",")) == 30
    assert state_of(game).line[30:] == [0] * 13


# ---- the next round -----------------------------------------------------------------------------


@pytest.mark.rule("DS-E6")
def test_the_farthest_diver_outside_starts() -> None:
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
def test_the_farthest_diver_may_be_the_one_who_just_moved() -> None:
    game = table(air=1, diver1="8>[a1]", diver2="10>[b1]")
    dive(game, 2, 3)
    game.play("nothing")
    assert game.to_move == 0


@pytest.mark.rule("DS-E6")
@pytest.mark.parametrize("last", [1, 2, 3])
def test_if_all_are_home_the_last_to_come_home_starts(last: int) -> None:
    divers = {f"diver{seat}": f"home[a{seat}]" for seat in (1, 2, 3)}
    game = table(
        seats=3, starter=last % 3 + 1, turn=last, **(divers | {f"diver{last}": f"1<[a{last}]"})
    )
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert game.to_move == last - 1


@pytest.mark.rule("DS-E6")
def test_the_starter_is_not_the_one_who_came_home_when_someone_drowned() -> None:
    game = table(seats=3, air=1, diver1="2<[a1]", diver2="9>", diver3="4>[b1]")
    dive(game, 3, 3)
    assert look(game, "treasure1") == "a1"
    assert game.to_move == 1


@pytest.mark.rule("DS-E6")
def test_a_new_round_starts_afresh() -> None:
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
def test_one_who_never_left_the_submarine_is_not_outside() -> None:
    game = table(
        seats=3, air=1, line="a1,a2", diver1="1<[d1]", diver2="home[d2]", starter=2, treasure3="..."
    )
    dive(game, 1, 1)
    assert look(game, "round") == "2"
    assert game.to_move == 0  # the last one home; nobody was on the line


@pytest.mark.rule("DS-E10", "DS-E6")
def test_a_diver_on_the_line_starts_before_one_in_the_submarine() -> None:
    game = table(seats=3, air=1, diver1="2<[d1]", diver2="sub>", diver3="1>")
    dive(game, 3, 3)
    assert game.to_move == 2


# ---- stalemate ----------------------------------------------------------------------------------


def two_at_the_end(**words: object) -> Game:
    """A line of three discs with its end and the space before it taken: nobody can move."""
    given = {"line": "a1,o,o", "diver1": "3>", "diver2": "2>", "treasure1": "..."} | words
    return table(**given)


@pytest.mark.rule("DS-E7")
def test_the_round_ends_when_every_diver_in_turn_changed_nothing() -> None:
    game = two_at_the_end()
    dive(game, 3, 3)
    assert look(game, "round") == "1"
    assert look(game, "idle") == "1"
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert game.to_move == 0  # the farthest outside
    assert look(game, "line") == "a1"


@pytest.mark.rule("DS-E7")
def test_stalemate_counts_divers_not_seats() -> None:
    game = two_at_the_end(
        seats=3, diver1="3>", diver2="home[d1]", diver3="2>", treasure1="...", starter=2
    )
    dive(game, 3, 3)
    assert look(game, "round") == "1"
    assert game.to_move == 2
    dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert look(game, "treasure2") == "d1"


@pytest.mark.rule("DS-E7")
def test_one_diver_alone_is_stuck_after_one_turn() -> None:
    game = two_at_the_end(diver1="3>", diver2="home[d1]", starter=2)
    dive(game, 3, 3)
    assert look(game, "round") == "2"


@pytest.mark.rule("DS-E7", "DS-T4")
def test_those_blocked_in_the_submarine_are_counted() -> None:
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
def test_a_turn_that_changes_something_starts_the_count_anew(last: str) -> None:
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
def test_taking_without_moving_is_a_change() -> None:
    game = two_at_the_end(line="a1,o,a2", diver1="3>", diver2="2>", turn=2)
    dive(game, 3, 3)
    assert look(game, "idle") == "1"
    dive(game, 3, 3)
    game.play("take")
    assert look(game, "idle") == "0"
    assert look(game, "round") == "1"


@pytest.mark.rule("DS-E7", "DS-T6")
def test_declining_to_take_without_moving_is_no_change() -> None:
    game = two_at_the_end(line="a1,o,a2", diver1="3>", diver2="2>", turn=2)
    dive(game, 3, 3)
    dive(game, 3, 3)
    game.play("nothing")
    assert look(game, "round") == "2"


@pytest.mark.rule("DS-E7")
def test_putting_down_the_last_unit_is_a_change() -> None:
    game = two_at_the_end(line="a1,o,o", diver1="3>[a2]", diver2="2>", turn=2)
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
def test_a_stalemate_costs_nobody_who_is_home() -> None:
    game = two_at_the_end(
        seats=3, diver1="3>", diver2="home[d8]", diver3="2>", treasure1="...", starter=2
    )
    dive(game, 1, 1)
    dive(game, 1, 1)
    assert look(game, "treasure2") == "d8"
    assert game.to_move == 0


@pytest.mark.rule("DS-E7")
def test_a_stalemate_is_no_position_to_play_from() -> None:
    with pytest.raises(NotationError, match="DS-E7"):
        two_at_the_end(idle=2)


# ---- the order of one's own units ---------------------------------------------------------------


@pytest.mark.rule("DS-E8")
def test_laying_in_the_order_taken_asks_nobody() -> None:
    game = table(air=1, diver1="9>[d1,a1,c1,b1]", diver2="3>[a2,a3]", drop_order="taken")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "round") == "2"
    assert tail(game, 3) == "d8,a1+c1+d1,a2+a3+b1"


@pytest.mark.rule("DS-E8", "DS-E3")
def test_the_drowned_choose_the_order_of_their_units() -> None:
    game = table(
        seats=3,
        air=1,
        drop_order="chosen",
        diver1="3>[a1,a2]",
        diver2="20>[b1,c1,d1,d2]",
        diver3="12>[b2]",
    )
    dive(game, 1, 1)
    game.play("nothing")
    assert game.to_move == 1
    assert look(game, "phase") == "lay"
    assert actions(game) == ["lay 1", "lay 2", "lay 3", "lay 4"]
    game.play("lay 3")
    assert look(game, "diver2") == "20>[b1,c1,d2]"
    assert tail(game, 2) == "d8,d1"
    assert look(game, "pile_room") == "2"
    assert actions(game) == ["lay 1", "lay 2", "lay 3"]
    game.play("lay 1")
    assert actions(game) == ["lay 1", "lay 2"]
    game.play("lay 2")
    # The fourth unit and the one of the next diver go by themselves; then the nearest is asked.
    assert game.to_move == 0
    assert tail(game, 3) == "d8,b1+d1+d2,b2+c1"
    assert look(game, "pile_room") == "1"
    game.play("lay 2")
    assert look(game, "round") == "2"
    assert game.to_move == 1
    assert tail(game, 3) == "b1+d1+d2,a2+b2+c1,a1"


@pytest.mark.rule("DS-E8")
def test_a_single_unit_is_not_asked_about() -> None:
    game = table(air=1, drop_order="chosen", diver1="3>[a1]", diver2="9>[b1]")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "round") == "2"
    assert tail(game, 2) == "d8,a1+b1"


@pytest.mark.rule("DS-E8", "DS-E2")
def test_units_brought_home_are_treasure_before_anyone_lays_down() -> None:
    game = table(air=1, drop_order="chosen", diver1="2<[a1]", diver2="9>[b1,b2]")
    dive(game, 3, 3)
    assert look(game, "phase") == "lay"
    assert look(game, "treasure1") == "a1"
    assert look(game, "starter") == "2"


@pytest.mark.rule("DS-E8")
def test_a_position_may_be_in_the_middle_of_laying_down() -> None:
    game = table(
        drop_order="chosen",
        phase="lay",
        air=0,
        turn=2,
        pile_room=1,
        starter=2,
        line="...,a1+a2",
        diver1="sub>",
        diver2="9>[b1,b2,b3]",
    )
    game.play("lay 2")
    game.play("lay 2")
    assert look(game, "round") == "2"
    assert tail(game, 2) == "a1+a2+b2,b1+b3"


@pytest.mark.rule("DS-E8", "DS-E11")
@pytest.mark.parametrize(
    "words",
    [
        {"drop_order": "taken"},
        {"diver2": "9>[b1]"},
        {"round": 3},
        {"diver1": "12>[c1,c2]"},
    ],
)
def test_nobody_else_is_asked_to_lay_down(words: dict[str, object]) -> None:
    given: dict[str, object] = {
        "drop_order": "chosen",
        "phase": "lay",
        "air": 0,
        "turn": 2,
        "diver2": "9>[b1,b2]",
    }
    with pytest.raises(NotationError, match="phase=lay"):
        table(**(given | words))


# ---- the last round -----------------------------------------------------------------------------


@pytest.mark.rule("DS-E9")
def test_after_the_last_round_treasure_is_kept_and_units_are_lost() -> None:
    game = table(round=3, air=1, line="o,a8,...", diver1="9>[a1,b1]", diver2="home[d1]", starter=2)
    dive(game, 1, 2)
    game.play("nothing")
    assert game.is_over
    assert look(game, "treasure2") == "d1"
    assert look(game, "diver1") == "sub>"
    assert look(game, "line").startswith("o,a8,a2,")  # the gap is not closed
    assert tail(game, 2) == "d8,a1+b1"
    assert look(game, "air") == "0"  # nor is the tank filled
    assert look(game, "round") == "3"
    assert look(game, "pile_room") == "0"


@pytest.mark.rule("DS-E9")
@pytest.mark.parametrize("round_number", [1, 2])
def test_a_round_with_an_empty_line_is_not_played(round_number: int) -> None:
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
    assert game.outcome.reason == "end.empty_line"


@pytest.mark.rule("DS-E9", "DS-E3")
def test_lost_units_make_a_line_to_dive_for() -> None:
    game = table(air=1, line="o,o,o", diver1="2<[d8]", diver2="3>[d7]", treasure1="...")
    dive(game, 3, 3)
    assert look(game, "line") == "d7"
    assert look(game, "round") == "2"


@pytest.mark.rule("DS-E9")
def test_an_empty_line_is_no_position_to_play_from() -> None:
    with pytest.raises(NotationError, match="DS-E9"):
        table(line="-", treasure1="...")


@pytest.mark.rule("DS-E11")
def test_at_the_very_end_nobody_is_asked_about_the_order() -> None:
    game = table(round=3, air=1, drop_order="chosen", diver1="9>[d1,a1,c1,b1]", diver2="3>[a2,a3]")
    dive(game, 1, 1)
    game.play("nothing")
    assert game.is_over
    assert tail(game, 3) == "d8,a1+c1+d1,a2+a3+b1"


@pytest.mark.rule("DS-E11", "DS-E8")
def test_in_the_second_round_the_order_still_matters() -> None:
    game = table(round=2, air=1, drop_order="chosen", diver1="9>[d1,a1]", diver2="3>")
    dive(game, 1, 2)
    game.play("nothing")
    assert actions(game) == ["lay 1", "lay 2"]
