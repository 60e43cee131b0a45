"""Hints against bots, and among people only if all agree; the engine gets a view only."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

from msgspec.structs import replace

from archipel.rules.contract import Definition
from archipel.rules.kit import Stream
from archipel.rules.kit.core.machine_record import from_bytes, to_bytes
from archipel.tables import Participant, Settings, commands
from archipel.tables.commands import AnswerProposal, AskForHints
from archipel.tables.log import events
from archipel.tables.publishing.views import show_page
from tests.tables.people import Bare, Friends, make_service, refusal
from tests.tables.secret_cards import PASS, PEEK


def begun(people: int, bots: int = 0, **given: Any) -> Bare:
    bare = Bare(people, bots, **given)
    bare.do(0, commands.Begin("r"))
    return bare


# ---- who gets hints -----------------------------------------------------------------------------


def test_a_single_person_gets_hints() -> None:
    assert begun(1, 2).table.hints
    assert not begun(2, 1).table.hints
    assert not begun(1, 2, hints=False).table.hints


def test_people_get_hints_once_all_agree() -> None:
    bare = begun(3)
    assert bare.do(1, AskForHints("r")) == [events.HintsAsked(1)]
    proposal = bare.table.proposal
    assert proposal is not None
    assert (proposal.kind, proposal.seat) == ("hints", 1)
    assert bare.code(2, AskForHints("r")) == "proposal_pending"
    assert bare.code(1, AnswerProposal("r", bare.table.n, True)) == "already_answered"
    bare.do(0, AnswerProposal("r", bare.table.n, True))
    assert not bare.table.hints
    assert bare.do(2, AnswerProposal("r", bare.table.n, True)) == [
        events.ProposalAnswered(2, True),
        events.HintsAllowed(),
    ]
    assert bare.table.hints
    assert bare.table.proposal is None
    assert bare.code(0, AskForHints("r")) == "already_answered"


def test_one_refusal_ends_the_proposal() -> None:
    bare = begun(3)
    bare.do(0, AskForHints("r"))
    bare.do(1, AnswerProposal("r", bare.table.n, False))
    assert bare.table.proposal is None
    assert not bare.table.hints
    assert bare.do(2, AskForHints("r")) == [events.HintsAsked(2)], "it may be asked again"
    bare.do(2, AnswerProposal("r", bare.table.n, False))
    assert bare.table.proposal is None, "withdrawn"


def test_bots_and_absent_players_with_stand_ins_are_not_asked() -> None:
    bare = begun(2, 1)
    away = Settings().away
    bare.context = replace(bare.context, now=away, away_since={1: 0})
    bare.do(0, commands.HandOver("r", 1))
    assert bare.do(0, AskForHints("r")) == [events.HintsAsked(0), events.HintsAllowed()]
    other = begun(2)
    other.do(0, commands.HandOver("r", 0))
    assert other.code(0, AskForHints("r")) == "bot_plays"


def test_a_table_can_exclude_hints() -> None:
    bare = begun(2, hints=False)
    assert bare.code(0, AskForHints("r")) == "no_hints"


def test_at_a_hot_seat_table_hints_are_allowed_at_once() -> None:
    bare = begun(2, hot_seat=True)
    assert not bare.table.hints
    assert bare.do(0, AskForHints("r"), seat=1) == [events.HintsAsked(1), events.HintsAllowed()]
    assert bare.table.hints


def test_a_new_player_ends_the_consent_to_hints() -> None:
    bare = begun(2)
    bare.do(0, AskForHints("r"))
    bare.do(1, AnswerProposal("r", bare.table.n, True))
    assert bare.table.hints
    bare.log += [events.SeatFreed(1, "greedy"), events.PersonSeated(1, "Zoe", "black", "")]
    assert not bare.table.hints


def test_hints_are_proposed_by_players_during_the_game() -> None:
    bare = Bare(2)
    assert bare.code(0, AskForHints("r")) == "not_playing"
    bare.do(0, commands.Begin("r"))
    bare.who[0] = Participant("table-of-tests")
    assert bare.code(0, AskForHints("r")) == "not_seated"


def test_the_log_contains_the_consent_to_hints() -> None:
    bare = begun(2)
    bare.do(0, AskForHints("r"))
    bare.do(1, AnswerProposal("r", bare.table.n, True))
    lines = show_page(bare.table, 0).log
    keys = [happening.key for line in lines for happening in line.happenings]
    assert keys[-3:] == ["table.hints_asked", "table.take_back_agreed", "table.hints_allowed"]


# ---- views for the engine -----------------------------------------------------------------------


def test_the_engine_gets_the_view_of_its_seat() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, 2)
        await friends.play(0, PASS)
        await friends.play(1, PEEK)
        table = service._live_tables[friends.table].table
        definition: Definition[object] = table.definition
        n = await friends.last()
        for seat in (0, 1):
            seen = await service.seen(friends.who[seat], n)
            assert (seen.n, seen.seat, seen.seats) == (n, seat, 2)
            data = base64.b64decode(seen.view)
            assert from_bytes(definition.state, data) == definition.seen(table.state, seat)
            for key in range(20):
                world = definition.resample(table.state, seat, Stream(key))
                assert to_bytes(definition.seen(world, seat)) == data
        mine, theirs = [(await service.seen(who, n)).view for who in friends.who[:2]]
        assert mine != theirs, "one of them has looked at a card"

    asyncio.run(scenario())


def test_views_for_the_engine_are_refused_without_right() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, 2)
        n = await friends.last()
        stranger = await service.identify(friends.table, None)
        assert (await refusal(service.seen(stranger, n))).code == "not_seated"
        assert (await refusal(service.seen(friends.who[0], n, seat=1))).code == "not_yours"
        assert (await refusal(service.seen(friends.who[0], n + 9))).code == "stale"
        assert (await refusal(service.seen(friends.who[0], n, hint=True))).code == "no_hints"
        await friends.ask(0, AskForHints("r"))
        await friends.ask(1, AnswerProposal("r", n + 1, True))
        assert (await service.seen(friends.who[0], n, hint=True)).n == n
        await friends.play(0, PASS)
        assert (await refusal(service.seen(friends.who[0], n, hint=True))).code == "stale"
        await friends.ask(1, commands.Resign("r"))
        over = await refusal(service.seen(friends.who[0], await friends.last(), hint=True))
        assert over.code == "not_playing"

    asyncio.run(scenario())
