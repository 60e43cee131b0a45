"""Moves: in turn, legal, for the current position, refused in the player's language."""

from dataclasses import replace

import pytest

from archipel.tables import commands
from archipel.tables.log import events
from archipel.tables.log.table_state import Participant
from archipel.tables.problems import Problem
from tests.tables.people import Bare
from tests.tables.secret_cards import LAST_TURN, PASS, PEEK, THINK, THROW


@pytest.fixture
def bare() -> Bare:
    bare = Bare(2)
    bare.do(0, commands.Begin("r"))
    return bare


def test_a_move_stores_its_outcomes(bare: Bare) -> None:
    (played,) = bare.play(0, THROW)
    assert isinstance(played, events.Played)
    assert (played.seat, played.first_draw, len(played.outcomes)) == (0, 2, 1)
    assert bare.table.next_draw == 3


def test_moves_out_of_turn_or_for_another_position_are_refused(bare: Bare) -> None:
    n = bare.table.n
    assert bare.code(1, commands.Play("r", n, PASS)) == "not_your_turn"
    assert bare.code(0, commands.Play("r", n + 1, PASS)) == "stale"
    assert bare.code(0, commands.Play("r", n - 1, PASS)) == "stale"
    assert bare.code(0, commands.Play("r", n, 99)) == "no_such_action"
    bare.who[1] = Participant("table-of-tests")
    assert bare.code(1, commands.Play("r", n, PASS)) == "not_seated"


def test_phrases_do_not_make_a_move_stale(bare: Bare) -> None:
    n = bare.table.n
    bare.do(1, commands.Say("r", "hello"))
    assert not isinstance(bare.do(0, commands.Play("r", n, PASS)), Problem)
    assert bare.code(1, commands.Play("r", n, PASS)) == "stale"


def test_a_refusal_names_the_rule_in_the_players_language() -> None:
    bare = Bare(2, game="deep-sea", options={"first": 1})
    bare.do(0, commands.Begin("r"))
    english = bare.do(0, commands.Play("r", bare.table.n, 1))
    bare.who[0] = replace(bare.who[0], language="fr")
    french = bare.do(0, commands.Play("r", bare.table.n, 1))
    assert isinstance(english, Problem)
    assert isinstance(french, Problem)
    assert (english.code, english.rule, french.rule) == ("illegal", "DS-T2", "DS-T2")
    assert english.message != french.message


def test_the_end_publishes_the_secret(bare: Bare) -> None:
    for turn in range(LAST_TURN):
        assert bare.table.secret is None
        last = bare.play(turn % 2, THROW)
    ended = last[-1]
    assert isinstance(ended, events.Ended)
    assert ended.secret == bare.context.secret.hex()
    assert ended.scores == bare.table.state.points[:2]
    assert bare.table.stage == "over"
    assert bare.code(0, commands.Play("r", bare.table.n, PASS)) == "not_playing"


def test_draws_are_never_used_twice_also_after_an_undo(bare: Bare) -> None:
    bare.play(0, THROW)
    bare.play(1, THINK)
    bare.do(1, commands.TakeBack("r", bare.table.n))
    bare.play(1, THROW)
    played = [event for event in bare.log if isinstance(event, events.Played)]
    assert [event.first_draw for event in played] == [2, 3, 3]
    assert bare.table.next_draw == 4


def test_a_move_that_reveals_is_not_free(bare: Bare) -> None:
    bare.play(0, PEEK)
    assert not bare.table.moves[-1].free
    assert bare.code(0, commands.Play("r", bare.table.n, PEEK)) == "illegal"
