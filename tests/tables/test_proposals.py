"""Proposals: a new player, or closing during a game, needs the consent of the others."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from archipel.tables import Settings, Subscription, SubscriptionEnded, commands
from archipel.tables.commands import AnswerProposal, CloseTable, Join, SetSeat
from archipel.tables.log import events
from tests.tables.people import Bare, Friends, HandClock, make_service, refusal, settle
from tests.tables.secret_cards import PASS, PEEK

AWAY = Settings().away


def begun(people: int = 3, bots: int = 0, **given: Any) -> Bare:
    bare = Bare(people, bots, **given)
    bare.do(0, commands.Begin("r"))
    return bare


def away(bare: Bare, *seats: int, since: int = 0, now: int = AWAY) -> None:
    bare.context = replace(bare.context, now=now, away_since=dict.fromkeys(seats, since))


async def ended(subscription: Subscription) -> str:
    """The reason why a subscription ended."""
    try:
        while True:
            await anext(subscription)
    except SubscriptionEnded as dropped:
        return dropped.code


# ---- seats --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", [None, "random"])
def test_the_seat_of_a_present_player_cannot_be_freed(bot: str | None) -> None:
    bare = begun()
    assert bare.code(0, SetSeat("r", 1, bot)) == "not_away"
    away(bare, 1, since=1)
    assert bare.code(0, SetSeat("r", 1, bot)) == "not_away", "a moment is no absence"
    away(bare, 1)
    decided = bare.do(0, SetSeat("r", 1, bot))
    assert isinstance(decided, list)
    assert bare.table.seats[1].bot == (bot or "greedy")


def test_with_a_clock_by_days_absence_starts_after_the_time_of_a_decision() -> None:
    bare = begun(clock=commands.Clock("days", 86_400))
    away(bare, 1, now=AWAY + 1)
    assert bare.code(0, SetSeat("r", 1)) == "not_away"
    away(bare, 1, now=86_400_000)
    assert bare.do(0, SetSeat("r", 1)) == [events.SeatFreed(1, "greedy")]


@pytest.mark.promise("consent")
def test_the_host_cannot_see_a_hand_under_another_name() -> None:
    """The attack: free a seat in mid-game, come back to it as somebody else, and look."""

    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service, 3)
        await friends.play(0, PASS)
        await friends.play(1, PEEK)
        card = str(service._live_tables[friends.table].table.state.card[1]).encode()
        assert card in msgspec.json.encode(await friends.view(1))
        for person in range(3):
            service.arrived(friends.who[person])
        assert (await refusal(friends.ask(0, SetSeat("r", 1)))).code == "not_away"
        service.departed(friends.who[1])
        clock.now += AWAY
        await friends.ask(0, SetSeat("r", 1))
        await settle(service)

        again = await service.join(friends.table, Join("Zoe"))
        assert (again.seat, again.asked) == (None, True)
        alias = await service.identify(friends.table, again.token)
        assert (alias.seats, alias.host) == ((), False)
        spying = await service.subscribe(alias)
        seen = [spying.welcome, await service.position(alias), await service.log(alias)]
        assert card not in msgspec.json.encode(seen)
        assert (await refusal(service.position(alias, seat=1))).code == "not_yours"
        proposal = (await service.table(friends.table)).proposal
        assert proposal is not None
        assert (proposal.kind, proposal.seat, proposal.name) == ("seat", 1, "Zoe")
        assert proposal.waits_for == [0, 2]
        n = proposal.n
        await friends.ask(0, AnswerProposal("r", n, True))
        assert (await service.identify(friends.table, again.token)).seats == ()
        assert (
            await refusal(friends.ask(0, AnswerProposal("r", n, True)))
        ).code == "already_answered"

        await friends.ask(2, AnswerProposal("r", n, False))
        assert (await service.table(friends.table)).proposal is None
        refused = await refusal(service.identify(friends.table, again.token))
        assert refused.code == "not_seated"
        assert await ended(spying) == "seat_freed"
        table = service._live_tables[friends.table].table
        assert (table.seats[1].kind, table.seats[1].bot) == ("open", "greedy")

    asyncio.run(scenario())


def test_a_new_player_sits_down_once_all_agree() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service, 3)
        clock.now += AWAY
        await friends.ask(0, SetSeat("r", 1))
        await settle(service)
        asked = await service.join(friends.table, Join("Zoe"))
        waiting = await service.subscribe(await service.identify(friends.table, asked.token))
        assert (await refusal(service.join(friends.table, Join("Max")))).code == "proposal_pending"
        n = waiting.welcome.n
        for person in (0, 2):
            await friends.ask(person, AnswerProposal("r", n, True))
        assert await ended(waiting) == "seat_freed", "to come back with the seat"
        assert (await service.identify(friends.table, asked.token)).seats == (1,)
        table = await service.table(friends.table)
        assert (table.seats[1].name, table.seats[1].kind) == ("Zoe", "person")
        assert table.proposal is None
        assert (await refusal(friends.ask(1, commands.Say("r", "hello")))).code == "not_seated"

    asyncio.run(scenario())


def test_players_with_stand_in_bots_are_not_asked_but_somebody_has_to_agree() -> None:
    bare = begun(3)
    away(bare, 1, 2)
    bare.do(0, SetSeat("r", 1))
    bare.do(0, commands.HandOver("r", 2))
    bare.log += [events.SeatAsked(1, "Zoe")]
    assert bare.do(0, AnswerProposal("r", bare.table.n, True)) == [
        events.ProposalAnswered(0, True),
        events.PersonSeated(1, "Zoe", "yellow", ""),
    ]

    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service, 2)
        clock.now += AWAY
        await friends.ask(0, SetSeat("r", 1))
        await friends.ask(0, commands.HandOver("r", 0))
        problem = await refusal(service.join(friends.table, Join("Zoe")))
        assert problem.code == "nobody_to_agree"

    asyncio.run(scenario())


def test_only_the_players_can_answer_a_proposal() -> None:
    bare = begun(3, 1)
    assert bare.code(1, AnswerProposal("r", bare.table.n, True)) == "nothing_proposed"
    bare.log += [events.CloseAsked(0)]
    n = bare.table.n
    assert bare.code(1, AnswerProposal("r", n - 1, True)) == "stale"
    assert bare.code(1, AnswerProposal("r", n + 1, True)) == "stale"
    assert bare.code(0, AnswerProposal("r", n, True)) == "already_answered"
    bare.do(2, commands.Resign("r"))
    assert bare.code(2, AnswerProposal("r", bare.table.n, True)) == "resigned"


# ---- closing ------------------------------------------------------------------------------------


def test_the_host_alone_cannot_close_a_running_game() -> None:
    bare = begun()
    assert bare.do(0, CloseTable("r")) == [events.CloseAsked(0)]
    bare.do(1, AnswerProposal("r", bare.table.n, True))
    assert bare.table.stage == "playing"
    bare.do(2, AnswerProposal("r", bare.table.n, False))
    assert (bare.table.stage, bare.table.proposal, bare.table.secret) == ("playing", None, None)
    # The host can still resign, which costs only the host the game.
    bare.do(0, commands.Resign("r"))
    assert (bare.table.stage, bare.table.seats[0].resigned) == ("playing", 1)


def test_a_running_game_is_closed_by_consent() -> None:
    bare = begun()
    bare.do(0, CloseTable("r"))
    bare.do(1, AnswerProposal("r", bare.table.n, True))
    decided = bare.do(2, AnswerProposal("r", bare.table.n, True))
    assert decided == [events.ProposalAnswered(2, True), events.Closed(bare.context.secret.hex())]


def test_the_proposer_can_withdraw() -> None:
    bare = begun()
    bare.do(0, CloseTable("r"))
    bare.do(0, AnswerProposal("r", bare.table.n, False))
    assert bare.table.proposal is None


def test_long_absent_players_need_not_agree() -> None:
    bare = begun()
    away(bare, 1, 2, since=1)
    assert bare.do(0, CloseTable("r")) == [events.CloseAsked(0)], "they were here a moment ago"
    bare.play(0, PASS)
    assert bare.table.stage == "playing"
    away(bare, 1, 2)
    assert bare.do(0, CloseTable("r")) == [events.Closed(bare.context.secret.hex())]


def test_the_only_person_closes_at_once() -> None:
    bare = begun(1, 2)
    assert bare.do(0, CloseTable("r")) == [
        events.CloseAsked(0),
        events.Closed(bare.context.secret.hex()),
    ]
    device = Bare(2, hot_seat=True, names=["Ana", "Ben"])
    device.do(0, commands.Begin("r"))
    assert device.do(0, CloseTable("r")) == [events.Closed(device.context.secret.hex())]


def test_before_the_game_the_host_closes_alone() -> None:
    assert Bare(3).do(0, CloseTable("r")) == [events.Closed(None)]


# ---- people for whom a bot plays ----------------------------------------------------------------


def with_stand_in(seat: int, *absent: int, people: int = 3, bots: int = 0) -> Bare:
    """A table where a bot plays for a person, who is present unless named."""
    bare = begun(people, bots)
    away(bare, *{seat, *absent})
    bare.do(0, commands.HandOver("r", seat))
    away(bare, *absent)
    return bare


@pytest.mark.parametrize("kind", ["close", "hints", "seat"])
@pytest.mark.promise("consent")
def test_whoever_is_present_has_to_agree_whoever_plays_their_moves(kind: str) -> None:
    bare = with_stand_in(1, bots=1)
    if kind == "seat":
        bare.log += [events.SeatAsked(3, "Zoe")]
        bare.do(0, AnswerProposal("r", bare.table.n, True))
    else:
        bare.do(0, CloseTable("r") if kind == "close" else commands.AskForHints("r"))
    bare.do(2, AnswerProposal("r", bare.table.n, True))
    assert bare.table.stage == "playing"
    assert bare.table.proposal is not None, "Ben is present and has not agreed"
    bare.do(1, AnswerProposal("r", bare.table.n, False))
    assert bare.table.proposal is None, "the explicit no of a person with a stand-in counts"
    assert (bare.table.stage, bare.table.hints) == ("playing", False)
    assert bare.table.seats[3].kind == "bot"


def test_a_moment_without_a_connection_is_no_consent() -> None:
    bare = with_stand_in(1)
    away(bare, 1, since=1)
    bare.do(0, CloseTable("r"))
    bare.do(2, AnswerProposal("r", bare.table.n, True))
    assert bare.table.stage == "playing"
    away(bare, 1)
    assert bare.do(0, CloseTable("r")) == [events.Closed(bare.context.secret.hex())]


@pytest.mark.promise("consent")
def test_returning_resets_hints_granted_meanwhile() -> None:
    bare = with_stand_in(1, 1)
    bare.do(0, commands.AskForHints("r"))
    bare.do(2, AnswerProposal("r", bare.table.n, True))
    assert bare.table.hints
    bare.do(1, commands.ComeBack("r"))
    assert not bare.table.hints


def test_returning_keeps_hints_that_the_person_agreed_to() -> None:
    bare = with_stand_in(1)
    bare.do(0, commands.AskForHints("r"))
    for person in (1, 2):
        bare.do(person, AnswerProposal("r", bare.table.n, True))
    bare.do(1, commands.ComeBack("r"))
    assert bare.table.hints


@pytest.mark.promise("consent")
def test_returning_frees_a_seat_granted_meanwhile() -> None:
    bare = with_stand_in(1, 1, bots=1)
    bare.log += [events.SeatAsked(3, "Zoe")]
    for person in (0, 2):
        bare.do(person, AnswerProposal("r", bare.table.n, True))
    assert bare.table.seats[3].kind == "person"
    assert bare.do(1, commands.ComeBack("r")) == [
        events.Returned(1),
        events.SeatFreed(3, "greedy"),
    ]
    assert bare.table.seats[3].granted_without == frozenset()


def test_returning_during_a_proposal_means_being_asked() -> None:
    bare = with_stand_in(1, 1)
    bare.do(0, CloseTable("r"))
    away(bare)
    bare.do(1, commands.ComeBack("r"))
    bare.do(2, AnswerProposal("r", bare.table.n, True))
    assert bare.table.stage == "playing"
    bare.do(1, AnswerProposal("r", bare.table.n, False))
    assert (bare.table.stage, bare.table.proposal) == ("playing", None)


def test_the_page_of_a_present_person_with_a_stand_in_shows_the_proposal() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service, 3)
        for person in (0, 2):
            service.arrived(friends.who[person])
        clock.now += AWAY
        await friends.ask(0, commands.HandOver("r", 1))
        await settle(service)
        service.arrived(friends.who[1])
        await friends.ask(0, CloseTable("r"))
        proposal = (await service.table(friends.table)).proposal
        assert proposal is not None
        assert proposal.waits_for == [1, 2]

    asyncio.run(scenario())
