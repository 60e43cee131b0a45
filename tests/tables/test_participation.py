"""Absence, stand-in bots, resigning, phrases, closing."""

import dataclasses

from msgspec.structs import replace

from archipel.tables import commands
from archipel.tables.log import events
from archipel.tables.log.table_state import Participant
from archipel.tables.problems import Problem
from tests.tables.people import Bare
from tests.tables.secret_cards import LAST_TURN, PASS, THROW

MINUTE = 60_000


def begun(people: int = 3, bots: int = 0) -> Bare:
    bare = Bare(people, bots)
    bare.do(0, commands.Begin("r"))
    return bare


def test_others_can_hand_an_absent_players_seat_to_a_bot() -> None:
    bare = begun()
    assert bare.code(0, commands.HandOver("r", 1)) == "not_away"
    bare.context = replace(bare.context, now=10 * MINUTE, away_since={1: 8 * MINUTE + 1})
    assert bare.code(0, commands.HandOver("r", 1)) == "not_away"
    bare.at(10 * MINUTE + 1)
    assert bare.do(0, commands.HandOver("r", 1)) == [events.HandedOver(1, "greedy", 0)]
    assert bare.code(0, commands.HandOver("r", 1)) == "bot_plays"
    bare.play(0, PASS)
    assert bare.table.bot_to_move == "greedy"
    assert bare.code(1, commands.Play("r", bare.table.n, PASS)) == "bot_plays"
    bare.do(1, commands.ComeBack("r"))
    assert bare.code(1, commands.ComeBack("r")) == "bot_does_not_play"
    bare.play(1, PASS)


def test_strangers_cannot_hand_over_seats() -> None:
    bare = begun(2, 1)
    bare.context = replace(bare.context, away_since={1: -10 * MINUTE})
    bare.who[3] = Participant("table-of-tests")
    assert bare.code(3, commands.HandOver("r", 1)) == "not_seated"
    assert bare.code(0, commands.HandOver("r", 2)) == "bot_plays"
    assert bare.code(0, commands.HandOver("r", 9)) == "bad_seat"


def test_resigning_with_two_players_ends_the_game() -> None:
    bare = begun(2)
    bare.play(0, THROW)
    decided = bare.do(0, commands.Resign("r"))
    assert isinstance(decided, list)
    ended = decided[-1]
    assert isinstance(ended, events.Ended)
    assert (ended.ranks, ended.reason) == ([1, 0], "table.end_resigned")
    assert bare.table.secret == bare.context.secret.hex()


def test_resigning_with_three_players_ranks_the_seat_last() -> None:
    bare = begun(3)
    bare.do(1, commands.Resign("r"))
    assert bare.table.stage == "playing"
    assert bare.code(1, commands.Resign("r")) == "resigned"
    assert bare.code(1, commands.ComeBack("r")) == "resigned"
    assert bare.code(0, commands.HandOver("r", 1)) == "resigned"
    assert bare.code(0, commands.SetSeat("r", 1)) == "resigned"
    for turn in range(LAST_TURN):
        if turn % 3 == 1:
            bare.log.append(events.Played(1, THROW, [5], bare.table.next_draw, "bot"))
        else:
            bare.play(turn % 3, PASS)
    assert bare.table.result is not None
    assert bare.table.result.ranks == [0, 2, 0]
    assert bare.table.result.scores == [0, 24, 0]


def test_the_first_to_resign_is_ranked_last() -> None:
    bare = begun(4)
    bare.do(2, commands.Resign("r"))
    bare.do(0, commands.Resign("r"))
    bare.do(3, commands.Resign("r"))
    assert bare.table.result is not None
    assert bare.table.result.ranks == [2, 0, 3, 1]


def test_a_game_with_only_bots_left_ends() -> None:
    bare = begun(1, 3)
    bare.do(0, commands.Resign("r"))
    assert bare.table.stage == "over"


def test_phrases_are_rate_limited() -> None:
    bare = begun()
    for _ in range(3):
        assert not isinstance(bare.do(1, commands.Say("r", "hello")), Problem)
    assert bare.code(1, commands.Say("r", "hello")) == "too_fast"
    bare.do(2, commands.Say("r", "oops"))  # another seat has its own limit
    bare.at(bare.context.now + 10_000)
    bare.do(1, commands.Say("r", "hello"))
    bare.who[3] = Participant("table-of-tests")
    assert bare.code(3, commands.Say("r", "hello")) == "not_seated"


def test_players_write_to_each_other_within_limits() -> None:
    bare = begun()
    wrote = bare.do(1, commands.Write("r", "  Ça\nva\u202e ?  <b>\N{ZERO WIDTH JOINER}\x00"))
    assert wrote == [events.Wrote(1, "Ça va ? <b>\N{ZERO WIDTH JOINER}")]
    assert bare.code(1, commands.Write("r", " \n\u200d ")) == "bad_text"
    assert bare.code(1, commands.Write("r", "x" * (commands.LONGEST_TEXT + 1))) == "bad_text"
    bare.do(1, commands.Say("r", "hello"))
    bare.do(1, commands.Write("r", "x" * commands.LONGEST_TEXT))
    assert bare.code(1, commands.Write("r", "more")) == "too_fast"
    bare.do(2, commands.Write("r", "I may"))
    bare.who[3] = Participant("table-of-tests")
    assert bare.code(3, commands.Write("r", "Hello")) == "not_seated"
    few = dataclasses.replace(bare.context.settings, texts=3)
    bare.context = replace(bare.context, settings=few)
    assert bare.code(0, commands.Write("r", "one too many")) == "too_many_texts"


def test_the_host_switches_texts_off_and_public_tables_have_none() -> None:
    bare = begun()
    assert bare.code(1, commands.AllowChat("r", False)) == "not_host"
    bare.do(0, commands.AllowChat("r", False))
    assert bare.code(1, commands.Write("r", "Hello")) == "no_chat"
    bare.do(1, commands.Say("r", "hello"))
    bare.do(0, commands.AllowChat("r", True))
    bare.do(1, commands.Write("r", "Hello"))
    public = Bare(2, public=True)
    assert public.code(0, commands.Write("r", "Hello")) == "no_chat"
    assert public.code(0, commands.AllowChat("r", True)) == "no_chat"


def test_a_closed_table_refuses_commands() -> None:
    bare = begun()
    assert bare.code(1, commands.CloseTable("r")) == "not_host"
    assert bare.do(0, commands.CloseTable("r")) == [events.CloseAsked(0)]
    assert bare.code(0, commands.CloseTable("r")) == "proposal_pending"
    people = [seat for seat in bare.table.people if seat != 0]
    for person in people:
        decided = bare.do(person, commands.AnswerProposal("r", bare.table.n, True))
    assert decided == [
        events.ProposalAnswered(people[-1], True),
        events.Closed(bare.context.secret.hex()),
    ]
    for command in (
        commands.Play("r", bare.table.n, PASS),
        commands.TakeBack("r", bare.table.n),
        commands.Say("r", "hello"),
        commands.Write("r", "hello"),
        commands.AllowChat("r", False),
        commands.Resign("r"),
        commands.HandOver("r", 1),
        commands.ComeBack("r"),
        commands.SetSeat("r", 1),
        commands.SetOptions("r", {}),
        commands.SealNonce("r", "0" * 64),
        commands.Begin("r"),
        commands.CloseTable("r"),
    ):
        assert bare.code(0, command) == "closed"


def test_closing_before_the_game_publishes_no_secret() -> None:
    bare = Bare(2)
    assert bare.do(0, commands.CloseTable("r")) == [events.Closed(None)]
