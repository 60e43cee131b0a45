"""Notation of actions, positions and outcomes: accepted and refused text."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.record import Record, parse_record
from archipel.rules.contract import NotationError
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from tests.rules.mauna_kea.tables import actions, expert, look, play, table


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"layout": "round"}, "layout=round: expected one of orthogonal, diagonal"),
        ({"phase": "sleep"}, "phase=sleep"),
        ({"board": "d4"}, "write a tile on a space as d4:jjjl3.1"),
        ({"board": "e5:jjjj3"}, "MK-T2"),
        ({"board": "e4:jjjj3"}, "MK-T2"),
        ({"board": "d4:jjjj3,d4:jjjl3"}, "MK-T2"),
        ({"board": "d4:north-fork"}, "MK-T2"),
        ({"board": "d4:xxxx9"}, "MK-C1"),
        ({"north": "straight@e3n^0"}, "MK-L1"),
        ({"north": "straight@e4e^0"}, "MK-L1"),
        ({"north": "straight@e4n^0,straight@d4w^1"}, "MK-L1"),
        ({"north": "straight@e4n^0,left@e3n^1,straight@e2n^1"}, "MK-L1"),
        ({"north": "bent@e4n^0"}, "MK-L1"),
        ({"north": "straight"}, "straight@e4n\\^0"),
        ({"north": "straight@e4n^0", "board": "e4:jjjj3"}, "MK-T2"),
        ({"explorers1": "d4nw"}, "MK-M1"),
        ({"explorers1": "e4xx"}, "expected a cell"),
        ({"explorers1": "e6nw"}, "MK-S2"),
        ({"explorers1": "e4nw,saved"}, "MK-B2"),
        ({"white": "d4nw"}, "MK-A1"),
        ({"white": "1.2"}, "MK-A1"),
        ({"white": "boat1"}, "MK-A1"),
        ({"white": "moon"}, "expected a cell"),
        ({"boats": "n1,n1,e1,e2,s1,s2,w1,w2"}, "MK-B2"),
        ({"boats": "n1,n9,e1,e2,s1,s2,w1,w2"}, "expected a cove"),
        ({"front1": "jjjj3,jjjj3,jjjj3"}, "MK-T4"),
        ({"front1": "north-fork"}, "MK-C1"),
        ({"bag": "jjjj3", "out": "jjll2"}, "bag or out"),
        ({"bag": "jjjj3*x"}, "jjjl3\\*2"),
        ({"closer": 1}, "MK-E2"),
        ({"held": "jjjj3"}, "MK-T2"),
        ({"chosen": "d4"}, "MK-T2"),
        ({"card": "jungle"}, "MK-X4"),
        ({"active": 2}, "MK-M1"),
        ({"phase": "explorer"}, "MK-T1"),
        ({"phase": "refill"}, "MK-X4"),
        ({"phase": "over"}, "MK-E1"),
        ({"phase": "space", "held": "jjjj3", "chosen": "d4"}, "MK-T2"),
        ({"handled": "1*w"}, "MK-A2"),
        ({"pool": 99}, "pool=99"),
        ({"cards1": "jungle"}, "MK-X1"),
        ({"colour": "red"}, "no such word"),
        ({"phase": "place", "explorers2": "e6nw,e6ne"}, "MK-S2"),
    ],
)
def test_an_impossible_position_is_refused(words: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        table(**words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"cards1": "jungle,jungle,jungle,jungle"}, "MK-X9"),
        ({"cards1": "swamp"}, "MK-X1"),
        ({"cards1": "jungle," * 6 + "lake"}, "at most 6"),
        ({"played": "3white"}, "MK-X1"),
        ({"phase": "card-cell", "card": "jungle", "played": "jungle"}, "MK-X5"),
        ({"phase": "card-cell", "card": "jungle"}, "MK-X4"),
        ({"phase": "card-explorer"}, "MK-X4"),
        ({"bag": "-"}, "MK-X3"),
        ({"phase": "choose"}, "MK-X1"),
        ({"explorers1": "e4nw,lifted", "white": "helicopter2"}, "MK-A1"),
    ],
)
def test_an_impossible_expert_position_is_refused(words: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        expert(**words)


@pytest.mark.parametrize("text", ["seats", "seats=2 seats=3", "seats=", "", "seats=5"])
def test_malformed_position_text_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        MAUNA_KEA.parse_position(text)


def test_omitted_position_fields_have_defaults() -> None:
    game = table()
    assert (look(game, "phase"), look(game, "turn"), look(game, "first")) == ("play", "1", "1")
    assert look(game, "boats") == "n1,n2,e1,e2,s1,s2,w1,w2"
    assert sum(game.state.bag) == 94
    assert sum(game.state.out[38:]) == 24


@pytest.mark.parametrize("text", ["tile", "tile 6", "up", "card 3white", "at d4", "turn 1", ""])
def test_an_unknown_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not an action now: say"):
        table(front1="jjjj3").play(text)


def test_the_suggested_notation_depends_on_the_phase() -> None:
    game = play(table(front1="jjjl3"), "tile 1")
    with pytest.raises(NotationError, match="at and a space"):
        game.play("end play")
    play(game, "  AT   D4 ")
    with pytest.raises(NotationError, match="turn 0 to turn 3"):
        game.play("at d4")


@pytest.mark.parametrize(
    ("chance", "message"),
    [
        ("moon", "not a tile of the bag"),
        ("s01", "not a tile of the bag"),
        ("jjjj3+6", "the bag holds 6"),
        ("jjjj3+x", "not a tile"),
        ("jjjj3 jjll2 jjjj3", "only 2 tiles"),
    ],
)
def test_impossible_outcomes_are_refused(chance: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        table().play("end play", chance=chance)


def test_outcomes_are_written_as_tile_and_number() -> None:
    move = table().play("end play", chance="jjjl3+2, jjll2")
    assert move.chance == "jjjl3+2 jjll2"
    assert move.outcomes == (8, 21)


def test_a_script_can_name_fewer_tiles_than_are_drawn() -> None:
    move = table().play("end play", chance="jjjj3")
    assert move.chance.startswith("jjjj3 ")


def test_a_record_from_a_custom_position_replays() -> None:
    game = table(front1="jjjl3,jjll2", board="e3:jjll2", explorers1="e4nw")
    play(game, "tile 1", "at d4", "turn 1", "spend 1", "explorer 1", "north", "end play")
    again = parse_record(str(Record(game, ("Ana", "Ben"))))
    assert again.game.position == game.position
    assert [move.action.text for move in again.game.moves][:3] == ["tile 1", "at d4", "turn 1"]


def test_unknown_cards_in_a_position_are_dealt() -> None:
    game = expert(cards1="jungle,?,?,?")
    assert "?" not in game.position.text
    assert "jungle" in look(game, "cards1").split(",")


def test_a_new_game_starts_with_placing_explorers() -> None:
    game = Game.new("mauna-kea", 2, seed=3)
    assert all(text.startswith("at ") for text in actions(game))
