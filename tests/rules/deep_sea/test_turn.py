"""A diver's turn: breathing, turning back, moving and searching."""

from __future__ import annotations

import pytest

from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import is_occupied
from tests.rules.deep_sea.tables import actions, dive, look, state_of, table
from tests.support.recording_tape import RecordingTape

#: Chips banked earlier, so that ten discs and all lost units fit on the line.
FEWER = {"treasure2": "d1-d8"}

# ---- breathing ----------------------------------------------------------------------------------


@pytest.mark.rule("DS-T1")
@pytest.mark.parametrize(
    ("hand", "air"), [("", 20), ("[a1]", 19), ("[a1,d8]", 18), ("[a1,a2,b1,b2]", 16)]
)
def test_the_air_drops_by_the_load(hand: str, air: int) -> None:
    game = table(air=20, diver1=f"4>{hand}", diver2="9>[c1,c2,c3]")
    dive(game, 1, 1)
    assert look(game, "air") == str(air)


@pytest.mark.rule("DS-T1", "DS-E4")
def test_a_pile_adds_one_to_the_load() -> None:
    game = table(air=20, diver1="4>[a1+a2+b1,c1+c2]")
    dive(game, 2, 2)
    assert look(game, "air") == "18"
    assert look(game, "diver1") == "6>[a1+a2+b1,c1+c2]"


@pytest.mark.rule("DS-T1")
def test_treasure_of_earlier_rounds_adds_nothing_to_the_load() -> None:
    game = table(round=2, air=20, diver1="4>[a1]", treasure1="b1,b2,c1")
    dive(game, 2, 2)
    assert look(game, "air") == "19"
    assert look(game, "diver1") == "7>[a1]"


@pytest.mark.rule("DS-T1")
def test_the_air_never_drops_below_zero() -> None:
    game = table(air=2, diver1="4>[a1,a2,b1,b2]")
    dive(game, 3, 3)
    assert look(game, "air") == "0"
    assert look(game, "phase") == "search"


@pytest.mark.rule("DS-T1", "DS-T2")
def test_a_unit_taken_this_turn_uses_no_air_yet() -> None:
    game = table(air=20, diver1="4>")
    dive(game, 1, 1)
    game.play("take")
    assert look(game, "air") == "20"


# ---- turning back -------------------------------------------------------------------------------


@pytest.mark.rule("DS-T2", "DS-T10")
@pytest.mark.parametrize(
    ("diver", "choices"),
    [
        ("sub>", ["dive"]),
        ("4>", ["dive"]),
        ("4>[a1]", ["dive", "turn back"]),
        ("4>[a1,a2,b1]", ["dive", "turn back"]),
        ("4<[a1]", ["swim on"]),
    ],
)
def test_only_a_diver_with_a_unit_can_turn_back_once(diver: str, choices: list[str]) -> None:
    assert actions(table(diver1=diver)) == choices


@pytest.mark.rule("DS-T2", "DS-T3")
def test_turning_back_precedes_the_throw_and_is_permanent() -> None:
    game = table(diver1="9>[a1]", diver2="sub>")
    game.play("turn back", dice=(1, 2))
    assert look(game, "diver1") == "7<[a1]"
    game.play("nothing")
    dive(game, 1, 1)
    game.play("nothing")
    assert actions(game) == ["swim on"]
    game.play("swim on", dice=(1, 2))
    assert look(game, "diver1") == "5<[a1]"


@pytest.mark.rule("DS-T2")
def test_a_diver_who_turns_back_stays_turned_if_the_throw_is_too_low() -> None:
    game = table(diver1="9>[a1,a2]", diver2="2>")
    game.play("turn back", dice=(1, 1))
    assert look(game, "diver1") == "9<[a1,a2]"


@pytest.mark.rule("DS-T2", "DS-E6")
def test_a_diver_cannot_turn_back_on_the_first_turn_of_a_round() -> None:
    game = table(air=1, diver1="3>[a1]", diver2="2>")
    dive(game, 3, 3)
    game.play("nothing")
    assert look(game, "round") == "2"
    for _ in range(2):
        assert actions(game) == ["dive"]
        dive(game, 3, 3)
        game.play("take")
    assert actions(game) == ["dive", "turn back"]


# ---- moving -------------------------------------------------------------------------------------


@pytest.mark.rule("DS-T3")
@pytest.mark.parametrize(
    ("before", "dice", "after"),
    [
        ("sub>", (1, 1), "2>"),
        ("sub>", (3, 3), "6>"),
        ("5>", (2, 3), "10>"),
        ("5>[a1]", (2, 3), "9>[a1]"),
        ("5>[a1,a2]", (1, 2), "6>[a1,a2]"),
        ("5>[a1,a2]", (1, 1), "5>[a1,a2]"),
        ("5>[a1,a2,b1]", (1, 1), "5>[a1,a2,b1]"),
        ("5>[a1,a2,b1,b2,b3,b4]", (3, 3), "5>[a1,a2,b1,b2,b3,b4]"),
        ("9<[a1,a2]", (3, 1), "7<[a1,a2]"),
        ("9<[a1,a2,a3]", (1, 1), "9<[a1,a2,a3]"),
        ("9<[a1,a2,a3]", (2, 1), "9<[a1,a2,a3]"),
    ],
)
def test_a_diver_moves_the_throw_minus_the_load(
    before: str, dice: tuple[int, int], after: str
) -> None:
    # Discs on the first ten spaces, so that a diver with six units cannot take a seventh.
    game = table(line="o,o,o,o,o,o,o,o,o,o,...", diver1=before, diver2="20>", **FEWER)
    dive(game, *dice)
    assert look(game, "diver1") == after


@pytest.mark.rule("DS-T3")
@pytest.mark.parametrize(("before", "after"), [("4>[a1]", "8>[a1]"), ("9<[a1]", "5<[a1]")])
def test_a_white_disc_counts_as_a_space(before: str, after: str) -> None:
    game = table(line="o,o,o,o,o,o,o,o,o,...", diver1=before, **FEWER)
    dive(game, 2, 3)
    assert look(game, "diver1") == after


@pytest.mark.rule("DS-T3")
@pytest.mark.parametrize(
    ("others", "place"),
    [
        ({"diver2": "6>"}, 8),  # a diver in the way
        ({"diver2": "7>"}, 8),  # a diver on the target space
        ({"diver2": "8>"}, 7),  # a diver beyond the target is not in the way
        ({"diver2": "5>", "diver3": "7>"}, 9),  # two divers, apart
        ({"diver2": "5>", "diver3": "6>", "diver4": "7>"}, 10),  # three in a row
        ({"diver2": "7>", "diver3": "8>", "diver4": "9>"}, 10),  # three from the target space on
        ({"diver2": "7>", "diver3": "9>"}, 8),
        ({"diver2": "3>", "diver3": "2>"}, 7),  # behind the diver
    ],
)
def test_a_diver_jumps_over_others_on_the_way_out(others: dict[str, str], place: int) -> None:
    game = table(seats=4, diver1="4>", **({"diver4": "20>", "diver3": "21>"} | others))
    dive(game, 1, 2)
    assert look(game, "diver1") == f"{place}>"


@pytest.mark.rule("DS-T3")
@pytest.mark.parametrize(
    ("others", "place"),
    [
        ({"diver2": "8>"}, "5"),
        ({"diver2": "6>"}, "5"),
        ({"diver2": "5>"}, "6"),
        ({"diver2": "7>", "diver3": "8<[b1]", "diver4": "9>"}, "3"),
        ({"diver2": "6>", "diver3": "5>", "diver4": "4<[b1]"}, "3"),
        ({"diver2": "11>"}, "6"),
    ],
)
def test_a_diver_jumps_over_others_on_the_way_home(others: dict[str, str], place: str) -> None:
    game = table(seats=4, diver1="10<[a1]", **({"diver4": "20>", "diver3": "21>"} | others))
    dive(game, 2, 3)
    assert look(game, "diver1") == f"{place}<[a1]"


@pytest.mark.rule("DS-T3", "DS-T8")
def test_divers_in_the_submarine_do_not_block_the_way_home() -> None:
    game = table(seats=4, diver1="2<[a1]", diver2="home[a2]", diver3="sub>", diver4="1>", starter=2)
    dive(game, 1, 1)
    assert look(game, "diver1") == "home[a1]"


# ---- the far end --------------------------------------------------------------------------------


@pytest.mark.rule("DS-T4")
def test_a_diver_stops_at_the_last_space() -> None:
    game = table(diver1="30>")
    dive(game, 3, 3)
    assert look(game, "diver1") == "32>"
    assert actions(game) == ["nothing", "take"]


@pytest.mark.rule("DS-T4")
def test_a_diver_on_the_last_space_stays_facing_out() -> None:
    game = table(diver1="32>", diver2="2>")
    dive(game, 3, 3)
    assert look(game, "diver1") == "32>"
    assert actions(game) == ["nothing", "take"]


@pytest.mark.rule("DS-T4")
def test_a_diver_at_the_end_need_not_turn_back() -> None:
    game = table(line="...,o,o", diver1="30>[a1]", diver2="2>")
    dive(game, 3, 3)
    assert look(game, "diver1") == "33>[a1]"
    game.play("nothing")
    dive(game, 1, 1)
    game.play("nothing")
    assert actions(game) == ["dive", "turn back"]


@pytest.mark.rule("DS-T4", "DS-T3")
@pytest.mark.parametrize(
    ("others", "place"),
    [
        ({"diver2": "32>"}, "31"),
        ({"diver2": "32>", "diver3": "31>"}, "30"),
        ({"diver2": "32>", "diver3": "30>"}, "31"),
        ({"diver2": "31>", "diver3": "30>"}, "32"),
        ({"diver2": "32>", "diver3": "31>", "diver4": "30>"}, "29"),
    ],
)
def test_a_diver_stops_at_the_farthest_free_space(others: dict[str, str], place: str) -> None:
    game = table(seats=4, diver1="28>", **({"diver4": "2>", "diver3": "3>"} | others))
    dive(game, 3, 3)
    assert look(game, "diver1") == f"{place}>"


@pytest.mark.rule("DS-T4", "DS-T6")
def test_a_diver_with_no_free_space_ahead_stays_and_searches() -> None:
    game = table(seats=3, diver1="30>", diver2="32>", diver3="31>")
    dive(game, 3, 3)
    assert look(game, "diver1") == "30>"
    assert actions(game) == ["nothing", "take"]


@pytest.mark.rule("DS-T4", "DS-T6")
def test_a_diver_blocked_in_the_submarine_is_not_home_and_does_not_search() -> None:
    game = table(seats=3, line="d1,d2", diver1="sub>", diver2="2>", diver3="1>", treasure3="...")
    game.play("dive", dice=(3, 3))
    assert look(game, "diver1") == "sub>"
    assert look(game, "phase") == "throw"
    assert game.to_move == 1
    game.play("dive", dice=(1, 1))
    game.play("take")
    game.play("dive", dice=(1, 1))
    game.play("take")
    assert game.to_move == 0  # still in play: a blocked diver is not home
    game.play("dive", dice=(1, 1))
    game.play("turn back", dice=(2, 3))
    game.play("turn back", dice=(3, 3))
    assert look(game, "diver3") == "home[d1]"
    game.play("dive", dice=(1, 1))
    assert look(game, "diver1") == "2>"


# ---- coming home --------------------------------------------------------------------------------


@pytest.mark.rule("DS-T5")
@pytest.mark.parametrize(
    ("place", "dice", "after"),
    [
        (1, (1, 1), "home[a1]"),
        (2, (1, 2), "home[a1]"),
        (3, (1, 2), "1<[a1]"),
        (3, (2, 2), "home[a1]"),
        (3, (3, 3), "home[a1]"),  # a throw beyond the submarine
        (1, (3, 3), "home[a1]"),
        (5, (3, 3), "home[a1]"),
        (6, (3, 3), "1<[a1]"),
    ],
)
def test_the_submarine_is_one_step_before_the_first_space(
    place: int, dice: tuple[int, int], after: str
) -> None:
    game = table(line="b1,...", diver1=f"{place}<[a1]", diver2="9>")
    dive(game, *dice)
    assert look(game, "diver1") == after


@pytest.mark.rule("DS-T5", "DS-T3")
def test_a_diver_needs_a_step_to_come_home() -> None:
    game = table(seats=3, diver1="1<[a1]", diver2="sub>", diver3="2<[a2,a3]")
    game.play("swim on", dice=(1, 1))
    assert look(game, "diver1") == "home[a1]"
    game.play("dive", dice=(3, 3))
    game.play("nothing")
    game.play("swim on", dice=(1, 1))
    assert look(game, "diver3") == "2<[a2,a3]"


@pytest.mark.rule("DS-T5", "DS-T3")
def test_occupied_spaces_are_not_counted_on_the_way_home() -> None:
    game = table(seats=4, diver1="4<[a1]", diver2="3>", diver3="2>", diver4="1>")
    dive(game, 1, 1)
    assert look(game, "diver1") == "home[a1]"


@pytest.mark.rule("DS-T5")
def test_all_divers_can_be_in_the_submarine() -> None:
    game = table(seats=3, diver1="1<[a1]", diver2="2<[a2]", diver3="3<[a3]")
    for seat in range(3):
        assert game.to_move == seat
        dive(game, 3, 3)
    assert look(game, "round") == "2"
    assert [look(game, f"treasure{seat}") for seat in (1, 2, 3)] == ["a1", "a2", "a3"]


# ---- searching ----------------------------------------------------------------------------------


@pytest.mark.rule("DS-T6")
@pytest.mark.parametrize(
    ("diver", "space", "choices"),
    [
        ("5>", "b1", ["nothing", "take"]),
        ("5>[a1,a2]", "b1", ["nothing", "take"]),
        ("5<[a1,a2]", "b1", ["nothing", "take"]),
        ("5<[a1]", "b1+b2+b3", ["nothing", "take"]),
        ("5>[a1]", "o", ["nothing", "put 1"]),
        ("5>[a1,a2,a3]", "o", ["nothing", "put 1", "put 2", "put 3"]),
        ("5<[a1,a2]", "o", ["nothing", "put 1", "put 2"]),
    ],
)
def test_space_and_hand_decide_search_choices(diver: str, space: str, choices: list[str]) -> None:
    game = table(line=f"o,o,o,o,{space},...", diver1=diver, phase="search")
    assert actions(game) == choices


@pytest.mark.rule("DS-T6")
def test_taking_a_unit_leaves_a_disc() -> None:
    game = table(diver1="3>[b1]", phase="search")
    game.play("take")
    assert look(game, "diver1") == "3>[b1,a3]"
    assert look(game, "line").startswith("a1,a2,o,a4,a5,")
    assert game.to_move == 1


@pytest.mark.rule("DS-T6")
def test_putting_down_a_unit_replaces_the_disc() -> None:
    game = table(line="a1,a2,o,...", diver1="3>[b1,b2,b3]", phase="search")
    game.play("put 2")
    assert look(game, "diver1") == "3>[b1,b3]"
    assert look(game, "line").startswith("a1,a2,b2,a3,")
    assert game.to_move == 1


@pytest.mark.rule("DS-T6")
def test_a_unit_taken_in_an_earlier_turn_can_be_put_down() -> None:
    game = table(line="a1,a2,a3,o,o,o,o,...", diver1="1>", diver2="20>", phase="search")
    game.play("take")
    dive(game, 1, 1)
    game.play("nothing")
    dive(game, 2, 2)
    assert actions(game) == ["nothing", "put 1"]
    game.play("put")
    assert look(game, "diver1") == "4>"
    assert look(game, "line").startswith("o,a2,a3,a1,o,")


@pytest.mark.rule("DS-T6", "DS-T9")
def test_a_chip_put_down_keeps_its_value() -> None:
    game = table(line="a1,a2,o,...", diver1="3>[d8,a7]", phase="search")
    game.play("put 1")
    assert "line=a1:0,a2:0,d8:15,a3:1" in game.position.text
    assert "diver1=3>[a7:3]" in game.position.text


@pytest.mark.rule("DS-T6")
def test_doing_nothing_changes_nothing() -> None:
    game = table(line="a1,a2,o,...", diver1="3>[b1]", phase="search")
    before = look(game, "line")
    game.play("nothing")
    assert look(game, "line") == before
    assert look(game, "diver1") == "3>[b1]"
    assert look(game, "phase") == "throw"
    assert game.to_move == 1


@pytest.mark.rule("DS-T6", "DS-T3")
def test_a_diver_who_did_not_move_can_take() -> None:
    game = table(line="a1,a2,o,a4,...", diver1="4>[b1,b2]", diver2="9>")
    dive(game, 1, 1)
    assert look(game, "diver1") == "4>[b1,b2]"
    game.play("take")
    assert look(game, "diver1") == "4>[b1,b2,a4]"


@pytest.mark.rule("DS-T6", "DS-T3")
def test_a_diver_who_did_not_move_can_put_down() -> None:
    game = table(line="a1,a2,o,...", diver1="3<[b1,b2]", diver2="9>")
    dive(game, 1, 1)
    assert actions(game) == ["nothing", "put 1", "put 2"]


@pytest.mark.rule("DS-T6", "DS-T5")
def test_there_is_no_search_in_the_submarine() -> None:
    game = table(diver1="2<[a1,a2]", diver2="9>")
    dive(game, 3, 3)
    assert look(game, "phase") == "throw"
    assert game.to_move == 1
    assert look(game, "diver1") == "home[a1,a2]"


@pytest.mark.rule("DS-T6", "DS-E4")
def test_a_pile_is_taken_and_put_down_whole() -> None:
    game = table(line="o,a1+b1+c1,o,o,...", diver1="2>[d1]", diver2="9>", phase="search")
    game.play("take")
    assert look(game, "diver1") == "2>[d1,a1+b1+c1]"
    dive(game, 1, 1)
    game.play("nothing")
    game.play("dive", dice=(1, 2))
    game.play("put 2")
    assert look(game, "diver1") == "3>[d1]"
    assert look(game, "line").startswith("o,o,a1+b1+c1,o,")


@pytest.mark.rule("DS-T7")
@pytest.mark.parametrize(
    ("diver", "choices"),
    [
        ("5>[a1]", ["nothing", "put 1"]),
        ("5<[a1,a2]", ["nothing", "put 1", "put 2"]),
        ("5<[a1+a2,b1]", ["nothing", "put 1", "put 2"]),
    ],
)
def test_only_a_diver_heading_home_must_keep_one_unit(diver: str, choices: list[str]) -> None:
    game = table(line="o,o,o,o,o,...", diver1=diver, phase="search")
    assert actions(game) == choices


@pytest.mark.rule("DS-T7", "DS-T13")
@pytest.mark.parametrize("hand", ["a1", "a1+a2"])
def test_a_diver_heading_home_cannot_put_down_the_last_unit(hand: str) -> None:
    game = table(line="o,o,o,o,o,...", diver1=f"5<[{hand}]", diver2="9>")
    game.play("swim on", dice=(1, 2))
    assert look(game, "diver1") == f"3<[{hand}]"
    assert look(game, "phase") == "throw"
    assert game.to_move == 1


@pytest.mark.rule("DS-T7")
def test_a_diver_heading_home_can_put_down_all_but_one_unit() -> None:
    game = table(line="o,o,o,o,o,...", diver1="5<[a1,a2]", diver2="9>", phase="search")
    game.play("put 1")
    dive(game, 1, 1)
    game.play("nothing")
    game.play("swim on", dice=(1, 1))
    assert look(game, "diver1") == "4<[a2]"
    assert game.to_move == 1


# ---- divers at home -----------------------------------------------------------------------------


@pytest.mark.rule("DS-T8")
def test_divers_at_home_are_skipped_and_use_no_air() -> None:
    game = table(
        seats=4, air=20, starter=1, diver1="home[a1,a2]", diver2="5>", diver3="home[a3]", turn=2
    )
    order = []
    for _ in range(5):
        order.append(game.to_move)
        dive(game, 1, 1)
        game.play("nothing")
    assert order == [1, 3, 1, 3, 1]
    assert look(game, "air") == "20"
    assert look(game, "diver1") == "home[a1,a2]"


@pytest.mark.rule("DS-T8")
def test_the_last_diver_outside_keeps_playing_alone() -> None:
    game = table(seats=3, starter=1, diver1="home[a1]", diver2="home[a2]", diver3="5>[a3]", turn=3)
    dive(game, 1, 1)
    game.play("nothing")
    assert game.to_move == 2
    assert look(game, "round") == "1"


# ---- throwing is an action ----------------------------------------------------------------------


@pytest.mark.rule("DS-T10")
@pytest.mark.parametrize("diver", ["4>", "4>[a1]", "4<[a1]", "4>[a1,a2,a3,b1,b2,b3]"])
def test_every_turn_starts_with_a_throw_of_two_dice(diver: str) -> None:
    game = table(line="o,o,o,o,...", diver1=diver)
    for action in game.legal:
        tape = RecordingTape()
        s = game.position.state
        DEEP_SEA.apply(s, action, tape)
        assert tape.sizes == [3, 3]


@pytest.mark.rule("DS-T10")
def test_each_die_is_a_separate_outcome() -> None:
    game = table()
    move = game.play("dive", dice=(1, 3))
    assert move.outcomes == (0, 2)


@pytest.mark.rule("DS-T10")
def test_a_search_throws_no_dice_and_can_be_undone() -> None:
    game = table(diver1="4>", diver2="9>", phase="search")
    assert game.play("take").outcomes == ()
    assert game.can_take_back
    game.undo()
    assert look(game, "diver1") == "4>"
    game.play("take")
    game.play("dive", dice=(1, 1))
    assert not game.can_take_back


@pytest.mark.rule("DS-T10")
def test_a_search_that_ends_the_round_cannot_be_undone() -> None:
    game = table(seats=3, air=0, diver1="4>[a1]", diver2="home[a2]", phase="search", starter=2)
    game.play("take")
    assert look(game, "round") == "2"
    assert not game.can_take_back


# ---- the hand -----------------------------------------------------------------------------------


@pytest.mark.rule("DS-T11")
def test_a_diver_with_six_units_cannot_move() -> None:
    game = table(line="o,o,o,a8,...", diver1="4>[a1,a2,a3,b1,b2]", diver2="9>", phase="search")
    game.play("take")
    assert look(game, "diver1") == "4>[a1,a2,a3,b1,b2,a8]"
    dive(game, 1, 1)
    game.play("nothing")
    dive(game, 3, 3)
    assert look(game, "diver1").startswith("4>")
    assert actions(game) == ["nothing", *(f"put {place}" for place in range(1, 7))]


@pytest.mark.rule("DS-T11")
def test_a_unit_taken_again_is_the_newest_in_the_hand() -> None:
    game = table(line="o,o,o,...", diver1="3>[a1,a2,a3]", diver2="9>", phase="search")
    game.play("put 1")
    assert look(game, "diver1") == "3>[a2,a3]"
    dive(game, 1, 1)
    game.play("nothing")
    dive(game, 1, 1)
    game.play("take")
    assert look(game, "diver1") == "3>[a2,a3,a1]"


@pytest.mark.rule("DS-T11", "DS-T6")
@pytest.mark.parametrize(
    ("place", "put", "kept"), [(1, "b1", "b2,b3"), (2, "b2", "b1,b3"), (3, "b3", "b1,b2")]
)
def test_put_names_a_unit_by_its_place_in_the_hand(place: int, put: str, kept: str) -> None:
    game = table(line="o,...", diver1="1>[b1,b2,b3]", phase="search")
    game.play(f"put {place}")
    assert look(game, "diver1") == f"1>[{kept}]"
    assert look(game, "line").startswith(f"{put},a1,")
    assert state_of(game).hand[0][2:] == [0, 0, 0, 0]


# ---- searches without a choice ------------------------------------------------------------------


@pytest.mark.rule("DS-T13")
def test_an_empty_handed_diver_on_a_disc_skips_the_search() -> None:
    game = table(line="a1,o,...", diver1="sub>", diver2="9>")
    game.play("dive", dice=(1, 1))
    assert look(game, "diver1") == "2>"
    assert look(game, "phase") == "throw"
    assert game.to_move == 1


@pytest.mark.rule("DS-T13", "DS-T6")
@pytest.mark.parametrize(
    ("diver", "line"),
    [("sub>", "o,a1,..."), ("1>[b1]", "o,o,o,o,..."), ("6<[b1,b2]", "o,o,o,o,o,o,...")],
)
def test_a_diver_with_a_choice_has_to_search(diver: str, line: str) -> None:
    game = table(line=line, diver1=diver, diver2="12>")
    dive(game, 1, 1)
    assert game.to_move == 0
    assert look(game, "phase") == "search"
    assert len(actions(game)) > 1


# ---- buffers and flags --------------------------------------------------------------------------


@pytest.mark.rule("DS-T10", "DS-T6", "DS-E8")
@pytest.mark.parametrize(
    "words",
    [
        {"diver1": "sub>"},
        {"diver1": "4>[a1]"},
        {"diver1": "4<[a1]"},
        {"diver1": "4>", "phase": "search"},
        {"line": "o,...", "diver1": "1>[a1,a2]", "phase": "search"},
        {"line": "o,...", "diver1": "1>[a1,a2,a3,b1,b2,b3]", "phase": "search"},
        {"drop_order": "chosen", "phase": "lay", "air": 0, "diver1": "4>[a1,a2,a3]"},
    ],
)
def test_legal_actions_fill_the_buffer_in_ascending_order(words: dict[str, object]) -> None:
    buffer = [-1] * DEEP_SEA.most_legal
    count = DEEP_SEA.legal(state_of(table(**words)), buffer)
    filled = buffer[:count]
    assert filled == sorted(set(filled))
    assert all(0 <= action < DEEP_SEA.actions for action in filled)
    assert buffer[count:] == [-1] * (DEEP_SEA.most_legal - count)


@pytest.mark.rule("DS-E7", "DS-T8")
def test_flags_are_zero_or_one() -> None:
    game = table(diver1="3>", diver2="1<[a1]")
    dive(game, 1, 1)
    assert look(game, "stirred") == "1"
    game.play("take")
    assert look(game, "stirred") == "1"
    game = table(diver1="1<[a1]", diver2="3>")
    dive(game, 3, 3)
    assert state_of(game).home[:2] == [1, 0]
    assert state_of(game).turned[:2] == [1, 0]


@pytest.mark.rule("DS-T3")
def test_unused_seats_occupy_no_space() -> None:
    s = state_of(table(diver1="3>", diver2="sub>"))
    assert is_occupied(s, 2) is True
    assert is_occupied(s, 0) is False  # the initial place of unused seats
