"""Taking back: own moves, moves of others, chance, reveals and consent."""

import pytest

from archipel.tables import commands
from archipel.tables.commands import AgreeToTakeBack, TakeBack
from archipel.tables.log import events
from archipel.tables.problems import Problem
from tests.tables.people import Bare
from tests.tables.secret_cards import PASS, PEEK, THINK, THROW


def begun(people: int = 2, bots: int = 0, **given: object) -> Bare:
    bare = Bare(people, bots, **given)  # type: ignore[arg-type]
    bare.do(0, commands.Begin("r"))
    return bare


FREE, ASKED, NEVER = events.TakenBack, events.TakeBackAsked, "cannot_take_back"


@pytest.mark.parametrize(
    ("actions", "wanted_by", "answer", "moves"),
    [
        # Seat 0 begins; PASS and THROW give the turn to seat 1.
        ([], 0, NEVER, 0),
        ([THINK], 0, FREE, 1),
        ([THINK, THINK], 0, FREE, 1),
        ([PASS], 0, FREE, 1),
        ([PASS], 1, NEVER, 0),
        ([THROW], 0, NEVER, 0),
        ([PEEK], 0, NEVER, 0),
        ([PEEK, THINK], 0, FREE, 1),
        ([THROW, THINK], 1, FREE, 1),
        ([THROW, THINK], 0, NEVER, 0),
        ([PASS, THINK], 0, ASKED, 2),
        ([PASS, THINK], 1, FREE, 1),
        ([PASS, THINK, THINK, PASS], 0, ASKED, 4),
        ([PASS, THROW], 0, NEVER, 0),
        ([PASS, PEEK], 0, NEVER, 0),
        ([PASS, PEEK, PASS], 0, NEVER, 0),
        ([PASS, PASS], 1, FREE, 1),
        ([PASS, PASS, THINK], 1, ASKED, 2),
        ([PASS, PASS, THINK], 0, FREE, 1),
    ],
)
def test_only_free_moves_are_taken_back(
    actions: list[int], wanted_by: int, answer: object, moves: int
) -> None:
    bare = begun()
    for action in actions:
        mover = bare.table.to_move
        assert mover is not None
        bare.play(mover, action)
    decided = bare.do(wanted_by, TakeBack("r", bare.table.n))
    if isinstance(decided, Problem):
        assert decided.code == answer
    else:
        (event,) = decided
        assert isinstance(event, events.TakenBack | events.TakeBackAsked)
        assert (type(event), event.moves) == (answer, moves)


@pytest.mark.parametrize(
    ("actions", "moves", "answer"),
    [
        ([THINK, THINK, THINK], 3, events.TakenBack(0, 3)),
        ([THINK, PASS], 2, events.TakenBack(0, 2)),
        ([THINK, PASS, THINK], 2, events.TakeBackAsked(0, 3)),
        ([PEEK, THINK], 2, NEVER),
        ([THINK], 2, NEVER),
    ],
)
def test_several_moves_are_taken_back_at_once(
    actions: list[int], moves: int, answer: object
) -> None:
    bare = begun()
    before = bare.table.state
    for action in actions:
        assert bare.table.to_move is not None
        bare.play(bare.table.to_move, action)
    decided = bare.do(0, TakeBack("r", bare.table.n, moves=moves))
    assert (decided.code if isinstance(decided, Problem) else decided[0]) == answer
    if isinstance(answer, events.TakenBack):
        assert bare.table.state == before


def test_taking_back_restores_exactly() -> None:
    bare = begun()
    bare.play(0, THROW)
    states = [bare.table.state]
    for _ in range(3):
        bare.play(1, THINK)
        states.append(bare.table.state)
    for expected in states[-2::-1]:
        bare.do(1, TakeBack("r", bare.table.n))
        assert bare.table.state == expected
    assert bare.code(1, TakeBack("r", bare.table.n)) == "cannot_take_back"


def asking(people: int = 3) -> Bare:
    """Seat 0 passed, seat 1 thought; seat 0 wants to take its pass back."""
    bare = begun(people)
    bare.play(0, PASS)
    bare.play(1, THINK)
    bare.do(0, TakeBack("r", bare.table.n))
    assert bare.table.take_back is not None
    return bare


def test_all_others_have_to_agree() -> None:
    bare = asking()
    assert bare.do(1, AgreeToTakeBack("r", bare.table.n, True)) == [
        events.TakeBackAnswered(1, True)
    ]
    assert bare.code(1, AgreeToTakeBack("r", bare.table.n, False)) == "already_answered"
    decided = bare.do(2, AgreeToTakeBack("r", bare.table.n, True))
    assert decided == [events.TakeBackAnswered(2, True), events.TakenBack(0, 2)]
    assert bare.table.to_move == 0
    assert not bare.table.moves


def test_one_refusal_ends_the_request() -> None:
    bare = asking()
    bare.do(2, AgreeToTakeBack("r", bare.table.n, False))
    assert bare.table.take_back is None
    assert bare.code(1, AgreeToTakeBack("r", bare.table.n, True)) == "no_take_back_asked"


def test_the_asker_may_withdraw_but_not_agree() -> None:
    bare = asking()
    assert bare.code(0, AgreeToTakeBack("r", bare.table.n, True)) == "already_answered"
    bare.do(0, AgreeToTakeBack("r", bare.table.n, False))
    assert bare.table.take_back is None


def test_a_move_ends_the_request() -> None:
    bare = asking()
    n = bare.table.n
    bare.play(1, THINK)
    assert bare.table.take_back is None
    assert bare.code(2, AgreeToTakeBack("r", n, True)) == "no_take_back_asked"


def test_answers_must_be_for_the_pending_request() -> None:
    bare = asking()
    first = bare.table.n
    bare.do(0, AgreeToTakeBack("r", first, False))
    bare.do(0, TakeBack("r", bare.table.n))
    assert bare.code(1, AgreeToTakeBack("r", first, True)) == "stale"


def test_only_one_request_at_a_time() -> None:
    bare = asking()
    assert bare.code(0, TakeBack("r", bare.table.n)) == "take_back_pending"
    bare.do(1, TakeBack("r", bare.table.n))  # free for seat 1, which ends the request
    assert bare.table.take_back is None
    assert bare.table.to_move == 1


def test_bots_and_players_with_stand_ins_do_not_answer() -> None:
    bare = begun(2, 1)
    bare.play(0, PASS)
    bare.play(1, THINK)
    bare.do(1, commands.HandOver("r", 1))
    assert bare.do(0, TakeBack("r", bare.table.n)) == [events.TakenBack(0, 2)]


def test_a_player_who_leaves_need_not_agree() -> None:
    bare = asking()
    bare.do(1, AgreeToTakeBack("r", bare.table.n, True))
    decided = bare.do(2, commands.HandOver("r", 2))
    assert decided == [events.HandedOver(2, "greedy", 2), events.TakenBack(0, 2)]


def test_moves_of_a_stand_in_bot_cannot_be_taken_back() -> None:
    bare = begun()
    bare.log += [events.HandedOver(0, "greedy", 0), events.Played(0, THINK, [], 2, "bot")]
    assert bare.code(0, TakeBack("r", bare.table.n)) == "bot_plays"
    bare.do(0, commands.ComeBack("r"))
    assert bare.code(0, TakeBack("r", bare.table.n)) == "cannot_take_back"


def test_stale_take_backs_are_refused() -> None:
    bare = begun()
    bare.play(0, PASS)
    assert bare.code(0, TakeBack("r", bare.table.n - 1)) == "stale"
    assert bare.code(0, AgreeToTakeBack("r", bare.table.n, True)) == "no_take_back_asked"
    assert Bare(2).code(0, TakeBack("r", 1)) == "not_playing"


def test_at_a_hot_seat_table_take_backs_need_no_consent() -> None:
    bare = begun(2, hot_seat=True, names=["A", "B"])
    bare.play(0, PASS)
    bare.play(0, THINK)
    assert bare.do(0, TakeBack("r", bare.table.n)) == [events.TakenBack(1, 1)]
    bare.play(0, THINK)
    assert bare.do(0, TakeBack("r", bare.table.n), 0) == [events.TakenBack(0, 2)]


def test_deep_sea_moves_before_dice_cannot_be_taken_back() -> None:
    bare = begun(2, game="deep-sea", options={"first": 1})
    bare.play(0, 0)
    assert bare.code(0, TakeBack("r", bare.table.n)) == "cannot_take_back"
    bare.play(0, 4)  # takes the chip: free until the next throw
    assert bare.table.to_move == 1
    assert bare.do(0, TakeBack("r", bare.table.n)) == [events.TakenBack(0, 1)]
    bare.play(0, 4)
    bare.play(1, 0)
    assert bare.code(0, TakeBack("r", bare.table.n)) == "cannot_take_back"
