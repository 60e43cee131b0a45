"""Set-up of the game and of each round."""

from __future__ import annotations

from itertools import pairwise

import pytest

from archipel.game import Game
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.setup import set_up, start_round
from archipel.rules.deep_sea.state import DropOrder, State
from archipel.rules.options import OptionError
from tests.rules.deep_sea.tables import CHIPS, actions, dive, look, state_of, table
from tests.support.recording_tape import RecordingTape

LEVEL_DRAWS = [8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.rule("DS-S1")
def test_the_line_runs_from_level_one_to_level_four() -> None:
    game = Game.new("deep-sea", 2, seed=3)
    assert look(game, "line") == ",".join(CHIPS)


@pytest.mark.rule("DS-S1")
@pytest.mark.parametrize(
    ("script", "values"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3]),
        ([7, 6, 5, 4, 3, 2, 1, 0], [3, 3, 2, 2, 1, 1, 0, 0]),
        ([2, 0, 5, 1, 1, 2, 1, 0], [1, 0, 3, 1, 2, 3, 2, 0]),
    ],
)
def test_each_level_is_shuffled_separately(script: list[int], values: list[int]) -> None:
    tape = RecordingTape(script * 4)
    s = DEEP_SEA.new(DEEP_SEA.make_options(4), tape)
    assert tape.sizes == [*LEVEL_DRAWS * 4, 4]
    assert s.value == [4 * level + value for level in range(4) for value in values]


@pytest.mark.rule("DS-S2")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_first_diver_is_drawn_with_equal_chances(seats: int) -> None:
    starters = []
    for outcome in range(seats):
        tape = RecordingTape([*[0] * 32, outcome])
        starters.append(DEEP_SEA.new(DEEP_SEA.make_options(seats), tape).to_move)
        assert tape.sizes[32:] == [seats]
    assert starters == list(range(seats))


@pytest.mark.rule("DS-S2")
@pytest.mark.parametrize("first", [1, 2, 3])
def test_an_option_sets_the_first_diver(first: int) -> None:
    tape = RecordingTape()
    s = DEEP_SEA.new(DEEP_SEA.make_options(3, first=first), tape)
    assert s.to_move == first - 1
    assert len(tape.sizes) == 32


@pytest.mark.rule("DS-S2")
@pytest.mark.parametrize("first", [0, 3, 7])
def test_the_first_diver_must_be_one_of_the_seats(first: int) -> None:
    with pytest.raises(OptionError, match=r"first.*DS-S2"):
        Game.new("deep-sea", 2, first=first)


@pytest.mark.rule("DS-S2")
def test_a_game_starts_with_full_air_and_everyone_in_the_submarine() -> None:
    game = Game.new("deep-sea", 3, seed=3, first=2)
    expected = {
        "round": "1",
        "air": "25",
        "turn": "2",
        "phase": "throw",
        "starter": "-",
        "idle": "0",
        "stirred": "0",
        "pile_room": "0",
        **{f"diver{seat}": "sub>" for seat in (1, 2, 3)},
        **{f"treasure{seat}": "-" for seat in (1, 2, 3)},
    }
    assert {word: look(game, word) for word in expected} == expected
    assert actions(game) == ["dive"]
    assert DEEP_SEA.fault(game.state) == 0


@pytest.mark.rule("DS-S2")
def test_turns_go_clockwise_in_seat_order() -> None:
    game = table(seats=4, turn=3)
    order = []
    for _ in range(9):
        order.append(game.to_move)
        dive(game, 1, 1)
        game.play("nothing")
    assert all(other == ((seat or 0) + 1) % 4 for seat, other in pairwise(order))
    assert order[0] == 2


@pytest.mark.rule("DS-S1", "DS-S2")
def test_set_up_resets_a_reused_state() -> None:
    s = State(seats=2, drop_order=DropOrder.AS_PILED, value=[0] * 32, starter=1)
    set_up(s, RecordingTape())
    assert s == DEEP_SEA.new(DEEP_SEA.make_options(2, first=2), RecordingTape())


@pytest.mark.rule("DS-S2", "DS-E6")
def test_a_new_round_resets_everything_but_treasure() -> None:
    game = table(
        seats=6,
        round=2,
        air=3,
        turn=2,
        idle=1,
        stirred=1,
        pile_room=2,
        starter=1,
        treasure3="d8",
        diver1="home[a1,a2,a3,a4,a5,a6]",
        diver2="4<[b1,b2]",
        diver6="5>[c1,c2,c3,c4,c5,c6]",
        line="o,o,o,o,o,...",
    )
    s = state_of(game)
    start_round(s, 3)
    assert s.round_number == 1
    assert (s.phase, s.to_move, s.starter, s.air) == (0, 3, -1, 25)
    assert (s.idle_turns, s.stirred, s.pile_room) == (0, 0, 0)
    assert s.place == [-1] * 6
    assert s.turned == s.home == s.load == [0] * 6
    assert s.hand == [[0] * 6] * 6
    assert s.treasure[2] == 1 << 31
