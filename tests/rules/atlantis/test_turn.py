"""The turn: its steps, and the steps taken automatically."""

from __future__ import annotations

import pytest

from tests.rules.atlantis.tables import actions, look, people, play, refused, sink, table

NO_LAND = "plains hills mountains"


@pytest.mark.rule("AT-T1")
def test_a_turn_is_moving_then_sinking_then_spinning() -> None:
    game = table(red="g6", sharks="a4")
    assert look(game, "phase") == "move"
    play(game, "person R1", "to f6", "stop")
    assert look(game, "phase") == "sink"
    game.play("sink j7", chance="shark-1")
    assert look(game, "phase") == "animal"
    game.play("pass")
    assert (look(game, "phase"), look(game, "turn")) == ("move", "2")


@pytest.mark.rule("AT-T1")
def test_people_and_boats_share_three_movement_points() -> None:
    game = table(red="g6,d4", boats="c3")
    play(game, "person R1", "to f6")
    assert look(game, "points") == "2"
    play(game, "boat 1", "to c4")
    assert look(game, "points") == "1"
    play(game, "person R2", "board 1")
    assert look(game, "phase") == "sink"
    assert look(game, "points") == "0"


@pytest.mark.rule("AT-T1")
def test_one_person_can_use_all_points() -> None:
    game = table(red="g6")
    play(game, "person R1", "to f6", "person R1", "to e6", "person R1", "to d5")
    assert people(game, "red", 1) == ["d5"]
    assert look(game, "phase") == "sink"


@pytest.mark.rule("AT-T1")
def test_moving_is_optional_and_unused_points_are_lost() -> None:
    game = table(red="g6", blue="g7")
    game.play("stop")
    assert look(game, "points") == "0"
    sink(game, "j7")
    game.play("stop")
    sink(game, "j6")
    assert (look(game, "turn"), look(game, "points")) == ("1", "3")


@pytest.mark.rule("AT-T1")
def test_sinking_and_spinning_are_compulsory() -> None:
    game = table(red="g6")
    game.play("stop")
    assert refused(game, "stop") == "AT-T1"
    assert refused(game, "person R1") == "AT-T1"
    assert all(text.startswith("sink") for text in actions(game))


@pytest.mark.rule("AT-T2")
def test_the_sinking_step_is_skipped_when_no_piece_is_left() -> None:
    game = table(red="a1", blue="a7", sunk=NO_LAND, sharks="m7")
    game.play("stop", chance="shark-2")
    assert look(game, "phase") == "animal"
    game.play("pass")
    assert (look(game, "phase"), look(game, "turn")) == ("move", "2")


@pytest.mark.rule("AT-T2", "AT-T3")
def test_play_continues_after_the_last_piece_sinks() -> None:
    game = table(red="a1", blue="a7", sunk="plains hills f6 f7 g5 g6 g7 h6", land="h7:dolphin")
    sink(game, "h7", "shark-1")
    assert look(game, "land") == "-"
    assert (look(game, "phase"), look(game, "turn")) == ("move", "2")
    game.play("stop", chance="shark-1")
    assert (look(game, "phase"), look(game, "turn")) == ("move", "1")


@pytest.mark.rule("AT-T3")
def test_the_moving_step_is_skipped_if_nothing_can_move() -> None:
    # The swimmer on a1 is shut in by sharks; no boat is on the board.
    shut_in = {"red": "g6", "blue": "a1", "sharks": "a2,b2,b3", "phase": "sink"}
    game = table(**shut_in)
    sink(game, "j7")
    assert (look(game, "turn"), look(game, "phase")) == ("2", "sink")
    game = table(**{**shut_in, "boats": "m7"})
    sink(game, "j7")
    assert actions(game) == ["boat 1", "stop"]


@pytest.mark.rule("AT-T3")
def test_the_moving_step_ends_when_nothing_else_can_move() -> None:
    game = table(red="a1", blue="g7", sharks="a3,b4,b3")
    play(game, "person R1", "swim a2")
    assert look(game, "points") == "0"
    assert look(game, "phase") == "sink"  # the sea step is spent


@pytest.mark.rule("AT-T4")
def test_a_piece_with_one_destination_is_still_chosen_first() -> None:
    game = table(red="a1", sharks="b2,b3")
    play(game, "person R1")
    assert look(game, "phase") == "move_to"
    assert actions(game) == ["swim a2"]
    assert refused(game, "stop") == "AT-T4"
    assert refused(game, "person R1") == "AT-T4"


@pytest.mark.rule("AT-T4")
def test_a_chosen_animal_moves_at_least_one_space() -> None:
    game = table(red="g6", sharks="a1", phase="animal", spun="shark-2")
    game.play("shark 1")
    assert refused(game, "stop") == "AT-T4"
    game.play("to a2")
    assert "stop" in actions(game)


@pytest.mark.rule("AT-T4")
def test_the_player_sinks_even_the_only_piece_by_an_action() -> None:
    game = table(red="a1", blue="a7", sunk="plains hills f6 f7 g5 g6 g7 h6", points=1)
    play(game, "person R1", "swim a2")
    assert actions(game) == ["sink h7"]
