"""The components: players, chips, dice, discs and the length of the line."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.contract import NotationError
from archipel.rules.deep_sea import components
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import clone
from archipel.rules.options import OptionError
from tests.rules.deep_sea.scripted_chance import all_tapes
from tests.rules.deep_sea.tables import actions, look, state_of, table
from tests.support.recording_tape import RecordingTape


@pytest.mark.rule("DS-C1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_to_six_players_can_play(seats: int) -> None:
    game = Game.new("deep-sea", seats, seed=1)
    assert game.seats == seats
    assert game.position.text.count("diver") == seats


@pytest.mark.rule("DS-C1")
@pytest.mark.parametrize("seats", [0, 1, 7])
def test_other_player_counts_are_refused(seats: int) -> None:
    with pytest.raises(OptionError, match="2 to 6 players"):
        Game.new("deep-sea", seats)


@pytest.mark.rule("DS-C1")
def test_each_level_has_eight_chips_two_of_each_value() -> None:
    values = state_of(Game.new("deep-sea", 2, seed=7)).value
    levels = [values[first : first + 8] for first in range(0, 32, 8)]
    assert [sorted(level) for level in levels] == [
        [0, 0, 1, 1, 2, 2, 3, 3],
        [4, 4, 5, 5, 6, 6, 7, 7],
        [8, 8, 9, 9, 10, 10, 11, 11],
        [12, 12, 13, 13, 14, 14, 15, 15],
    ]


@pytest.mark.rule("DS-C1", "DS-T9")
def test_the_back_of_a_chip_shows_only_its_level() -> None:
    line = Game.new("deep-sea", 3, seed=7).view(0).text.split("line=")[1].split()[0].split(",")
    assert [chip[0] for chip in line] == ["a"] * 8 + ["b"] * 8 + ["c"] * 8 + ["d"] * 8
    assert all(chip.endswith("?") for chip in line)


@pytest.mark.rule("DS-C1")
@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ("seats=2 line=a1-d7", "where is d8"),
        ("seats=2 line=a1-d8 diver1=2>[a1]", "already somewhere else"),
        ("seats=2 line=a1:0,a2:0,a3:0,a4-d8", "two chips each"),
        ("seats=2 line=a1:4,a2-d8", "two chips each"),
        ("seats=2 line=a1-d8,a9", "not a chip"),
    ],
)
def test_a_position_must_contain_every_chip_exactly_once(position: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        Game.from_position("deep-sea", position)


@pytest.mark.rule("DS-C2", "DS-T10")
def test_each_die_rolls_one_two_or_three_with_equal_chance() -> None:
    game = table()
    places = []

    def run(tape: RecordingTape) -> None:
        s = clone(state_of(game))
        DEEP_SEA.apply(s, DEEP_SEA.legal_actions(s)[0], tape)
        places.append(s.place[0] + 1)
        assert tape.sizes == [3, 3]

    assert len(list(all_tapes(run))) == 9
    assert sorted(places) == [2, 3, 3, 4, 4, 4, 5, 5, 6]


@pytest.mark.rule("DS-C2")
@pytest.mark.parametrize("dice", ["4 1", "1 0", "1 2 3", "one"])
def test_dice_text_other_than_two_faces_from_1_to_3_is_refused(dice: str) -> None:
    with pytest.raises(NotationError, match="DS-C2"):
        table().play("dive", dice=dice)


@pytest.mark.rule("DS-C2")
def test_dice_can_be_given_as_comma_separated_faces() -> None:
    game = table()
    assert str(game.play("dive", dice="1,3")) == "1 dive [1 3]"
    assert look(game, "diver1") == "4>"


@pytest.mark.rule("DS-C3")
def test_the_line_can_hold_more_than_sixteen_discs() -> None:
    discs = ",".join(["o"] * 17)
    game = table(line=f"{discs},d1,d2", diver1="18>", phase="search", treasure2="...")
    game.play("take")
    assert look(game, "line") == f"{discs},o,d2"
    assert components.LONGEST_LINE >= 32 + 11  # every chip taken, then lost in piles of three


@pytest.mark.rule("DS-C3", "DS-E3")
@pytest.mark.parametrize("round_number", [1, 3])
def test_the_line_has_room_when_every_chip_is_taken_and_lost(round_number: int) -> None:
    chips = [f"{level}{number}" for level in "abcd" for number in range(1, 9)]
    hands = [",".join(chips[first : first + 6]) for first in range(0, 32, 6)]
    game = table(
        seats=6,
        air=6,
        round=round_number,
        drop_order="taken",
        line=",".join(["o"] * 32),
        **{f"diver{seat + 1}": f"{seat + 1}>[{hand}]" for seat, hand in enumerate(hands)},
    )
    assert actions(game) == ["dive", "turn back"]
    game.play("dive", dice=(3, 3))
    game.play("nothing")
    spaces = look(game, "line").split(",")
    assert len(spaces) == (11 if round_number == 1 else 32 + 11)
    assert spaces[-1].count("+") == 1
