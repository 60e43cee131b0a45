"""The order in which lost units are laid (DS-E8, DS-E11, DS-E12)."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from archipel.rules.deep_sea.definition import DEEP_SEA
from tests.rules.deep_sea.tables import actions, dive, look, table, tail


@pytest.mark.rule("DS-E8")
def test_drop_order_taken_lays_units_without_asking() -> None:
    game = table(air=1, diver1="9>[d1,a1,c1,b1]", diver2="3>[a2,a3]", drop_order="taken")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "round") == "2"
    assert tail(game, 3) == "d8,a1+c1+d1,a2+a3+b1"


@pytest.mark.rule("DS-E8", "DS-E3")
def test_drowned_divers_choose_the_order_of_their_units() -> None:
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
    # The fourth unit and diver 3's only unit are laid without asking; then diver 1 chooses.
    assert game.to_move == 0
    assert tail(game, 3) == "d8,b1+d1+d2,b2+c1"
    assert look(game, "pile_room") == "1"
    game.play("lay 2")
    assert look(game, "round") == "2"
    assert game.to_move == 1
    assert tail(game, 3) == "b1+d1+d2,a2+b2+c1,a1"


@pytest.mark.rule("DS-E8")
def test_a_single_unit_is_laid_without_asking() -> None:
    game = table(air=1, drop_order="chosen", diver1="3>[a1]", diver2="9>[b1]")
    dive(game, 1, 1)
    game.play("nothing")
    assert look(game, "round") == "2"
    assert tail(game, 2) == "d8,a1+b1"


@pytest.mark.rule("DS-E8", "DS-E2")
def test_units_brought_home_become_treasure_before_lost_units_are_laid() -> None:
    game = table(air=1, drop_order="chosen", diver1="2<[a1]", diver2="9>[b1,b2]")
    dive(game, 3, 3)
    assert look(game, "phase") == "lay"
    assert look(game, "treasure1") == "a1"
    assert look(game, "starter") == "2"


@pytest.mark.rule("DS-E8")
def test_a_position_can_start_in_the_lay_phase() -> None:
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
        {"drop_order": "piled"},
        {"diver2": "9>[b1]"},
        {"round": 3},
        {"diver1": "12>[c1,c2]"},
    ],
)
def test_an_impossible_lay_phase_is_refused(words: dict[str, object]) -> None:
    given: dict[str, object] = {
        "drop_order": "chosen",
        "phase": "lay",
        "air": 0,
        "turn": 2,
        "diver2": "9>[b1,b2]",
    }
    with pytest.raises(NotationError, match="phase=lay"):
        table(**(given | words))


@pytest.mark.rule("DS-E8")
def test_divers_choose_the_piles_of_their_lost_units_by_default() -> None:
    assert Game.new("deep-sea", 2, seed=1).options["drop_order"] == "piled"
    assert [option.choices for option in DEEP_SEA.options[1:]] == [("piled", "taken")]
    game = table(air=1, diver1="9>[d1,a1,c1,b1]", diver2="3>")
    assert look(game, "drop_order") == "piled"
    dive(game, 1, 1)
    game.play("nothing")
    assert (game.to_move, look(game, "phase")) == (0, "lay")
    assert actions(game) == ["lay 1", "lay 2", "lay 3", "lay 4"]
    game.play("lay 3")
    game.play("lay 2")
    assert actions(game) == ["lay 1", "lay 2"]
    game.play("lay 2")
    assert look(game, "round") == "2"
    assert tail(game, 3) == "d8,a1+b1+c1,d1"


@pytest.mark.rule("DS-E12")
@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        ("d1", "d1"),
        ("d1,a1", "a1+d1"),
        ("d1,a1,b1", "a1+b1+d1"),
        ("b4,b2,b3,b1", "b2+b3+b4,b1"),
        ("a1+b1,a2+b2,b3+a3,a4+b4", "a1+a2+a3+b1+b2+b3,a4+b4"),
    ],
)
def test_nobody_is_asked_about_units_of_one_pile_or_about_equal_units(hand: str, laid: str) -> None:
    game = table(air=1, diver1=f"9>[{hand}]", diver2="3>")
    dive(game, 1, 3)
    if game.to_move == 0:
        game.play("nothing")
    assert look(game, "round") == "2"
    assert tail(game, laid.count(",") + 1) == laid


@pytest.mark.rule("DS-E12")
@pytest.mark.parametrize(
    "hand",
    [
        *("b1,b2,b3,a1", "a1,b1,b2,b3", "b1,b2,a1,b3", "a1,a2,a3,a4+b1", "a1+b1,a2+b2,a3+b3,a4+a5"),
        *("b1,b2,b3,b4+a1", "a1,a2,a3,a4+d1"),
    ],
)
def test_a_unit_of_another_level_or_size_makes_a_choice(hand: str) -> None:
    game = table(air=1, diver1=f"9>[{hand}]", diver2="3>")
    dive(game, 1, 3)
    if look(game, "phase") == "search":
        game.play("nothing")
    assert actions(game) == ["lay 1", "lay 2", "lay 3", "lay 4"]


@pytest.mark.rule("DS-E12", "DS-E3")
def test_the_room_on_the_pile_of_another_diver_decides_whether_to_ask() -> None:
    """Diver 2 fills a pile but for one unit, so two units of diver 1 go to different piles."""
    words = {"air": 1, "diver1": "3>[a1,b1]"}
    asked = table(**words, diver2="9>[c1,c2]")
    dive(asked, 1, 1)
    asked.play("nothing")
    assert (asked.to_move, look(asked, "pile_room")) == (0, "1")
    asked.play("lay 2")
    assert tail(asked, 2) == "b1+c1+c2,a1"
    unasked = table(**words, diver2="9>[c1]")
    dive(unasked, 1, 1)
    unasked.play("nothing")
    assert look(unasked, "round") == "2"
    assert tail(unasked, 1) == "a1+b1+c1"


@pytest.mark.rule("DS-E12")
def test_the_rest_is_laid_once_the_order_makes_no_difference() -> None:
    game = table(air=1, diver1="9>[b1,a1,b2,b3,b4]", diver2="3>")
    dive(game, 3, 3)
    game.play("nothing")
    assert actions(game) == [f"lay {number}" for number in range(1, 6)]
    game.play("lay 2")  # the others are all alike
    assert look(game, "round") == "2"
    assert tail(game, 3) == "d8,a1+b1+b2,b3+b4"


@pytest.mark.rule("DS-E12")
def test_the_former_value_asks_about_equal_units_of_one_pile() -> None:
    game = table(air=1, drop_order="chosen", diver1="9>[b1,b2]", diver2="3>")
    dive(game, 1, 2)
    game.play("nothing")
    assert actions(game) == ["lay 1", "lay 2"]


@pytest.mark.rule("DS-E11")
@pytest.mark.parametrize("order", ["piled", "chosen"])
def test_the_last_round_lays_units_without_asking(order: str) -> None:
    game = table(round=3, air=1, drop_order=order, diver1="9>[d1,a1,c1,b1]", diver2="3>[a2,a3]")
    dive(game, 1, 1)
    game.play("nothing")
    assert game.is_over
    assert tail(game, 3) == "d8,a1+c1+d1,a2+a3+b1"


@pytest.mark.rule("DS-E11", "DS-E8")
def test_the_second_round_asks_for_the_drop_order() -> None:
    game = table(round=2, air=1, drop_order="chosen", diver1="9>[d1,a1]", diver2="3>")
    dive(game, 1, 2)
    game.play("nothing")
    assert actions(game) == ["lay 1", "lay 2"]
