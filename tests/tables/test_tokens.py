"""Tokens, invitations, joining, and tables that cannot be created."""

import asyncio
from dataclasses import replace

import pytest

from archipel.tables import SubscriptionEnded, commands
from archipel.tables.commands import Join, NewTable, SeatWish
from archipel.tables.keys import hash_of
from tests.support.memory_store import MemoryStore
from tests.tables.failing_store import FailingStore
from tests.tables.people import Friends, make_service, refusal, settle
from tests.tables.secret_cards import PASS


@pytest.mark.promise("authority")
def test_only_hashes_of_tokens_are_stored() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store)
        made = await service.create(NewTable("secret-cards", [SeatWish()] * 3, "Ana"))
        joined = await service.join(made.table, Join("Bo"))
        assert isinstance(made.invitations, list)
        assert len(made.invitations) == 2
        stored = await store.get_private(made.table, "keys")
        assert stored is not None
        for token in (made.token, joined.token, *made.invitations):
            assert len(token) == 43
            assert token.encode() not in stored
            for event in await store.read(made.table):
                assert token.encode() not in event.body
        assert hash_of(joined.token).encode() in stored

    asyncio.run(scenario())


@pytest.mark.promise("authority")
def test_tokens_open_their_own_seat_only() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, 2, 1)
        assert [(who.seat, who.host) for who in friends.who] == [(0, True), (1, False)]
        spectator = await service.identify(friends.table, None)
        assert (spectator.seat, spectator.host) == (None, False)
        assert (await refusal(service.identify(friends.table, "x" * 43))).code == "not_seated"
        assert (await refusal(service.identify("nosuchtable", None))).code == "no_table"
        assert (await refusal(service.identify("../../etc", None))).code == "no_table"
        assert (await refusal(service.position(spectator, seat=0))).code == "not_yours"
        assert (await refusal(service.position(friends.who[0], seat=1))).code == "not_yours"
        forged = replace(friends.who[1], seats=(0,), host=True)
        problem = await refusal(service.command(forged, commands.CloseTable("x")))
        assert problem.code == "not_host"

    asyncio.run(scenario())


@pytest.mark.promise("authority")
def test_an_invitation_opens_its_seat_once() -> None:
    async def scenario() -> None:
        service = make_service()
        new = NewTable("secret-cards", [SeatWish(), SeatWish(kept=True), SeatWish()], "Ana")
        made = await service.create(new)
        assert isinstance(made.invitations, list)
        kept, free = made.invitations
        assert (await service.join(made.table, Join("Bo", invitation=kept))).seat == 1
        again = await refusal(service.join(made.table, Join("Cy", invitation=kept)))
        assert again.code == "wrong_invitation"
        wrong = await refusal(service.join(made.table, Join("Cy", invitation="z" * 43)))
        assert wrong.code == "wrong_invitation"
        assert (await service.join(made.table, Join("Cy", invitation=free))).seat == 2

    asyncio.run(scenario())


def test_an_invitation_stays_valid_while_a_bot_has_the_seat() -> None:
    async def scenario() -> None:
        service = make_service()
        new = NewTable("secret-cards", [SeatWish(), SeatWish(), SeatWish()], "Ana", public=True)
        made = await service.create(new)
        assert isinstance(made.invitations, list)
        _, second = made.invitations
        host = await service.identify(made.table, made.token)
        await service.command(host, commands.SetSeat("a", 2, "random"))
        taken = await refusal(service.join(made.table, Join("Bo", invitation=second)))
        assert taken.code == "seat_taken"  # the host decides until the game begins
        await service.command(host, commands.Begin("b"))
        asked = await service.join(made.table, Join("Bo", invitation=second))
        assert asked.asked
        proposal = (await service.table(made.table)).proposal
        assert proposal is not None
        await service.command(host, commands.AnswerProposal("c", proposal.n, True))
        assert (await service.identify(made.table, asked.token)).seats == (2,)
        again = await refusal(service.join(made.table, Join("Cy", invitation=second)))
        assert again.code == "wrong_invitation"

    asyncio.run(scenario())


def test_added_seats_have_no_invitation_and_removed_ones_lose_theirs() -> None:
    async def scenario() -> None:
        service = make_service()
        made = await service.create(NewTable("secret-cards", [SeatWish()] * 3, "Ana"))
        assert isinstance(made.invitations, list)
        host = await service.identify(made.table, made.token)
        await service.command(host, commands.SetOptions("a", seats=2))
        gone = await refusal(service.join(made.table, Join("Bo", invitation=made.invitations[1])))
        assert gone.code == "wrong_invitation"
        await service.command(host, commands.SetOptions("b", seats=4))
        tokens = [await service.join(made.table, Join(name)) for name in ("Bo", "Cy", "Di")]
        assert [seated.seat for seated in tokens] == [1, 2, 3]
        assert (await service.identify(made.table, tokens[2].token)).seats == (3,)

    asyncio.run(scenario())


def test_losing_a_seat_ends_its_subscription() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, 3, begin=False)
        subscription = await service.subscribe(friends.who[1])
        service.arrived(friends.who[1])
        assert (await service.table(friends.table)).seats[1].here
        await friends.ask(0, commands.SetSeat("r", 1))
        await settle(service)
        with pytest.raises(SubscriptionEnded) as dropped:
            await anext(subscription)
        assert dropped.value.code == "seat_freed"
        assert (await refusal(service.position(friends.who[1]))).code == "not_seated"
        assert (await refusal(friends.play(1, PASS))).code == "not_seated"
        table = await service.table(friends.table)
        assert (table.seats[1].here, table.spectators) == (False, 1)
        service.departed(friends.who[1])
        assert (await service.table(friends.table)).spectators == 0
        seated = await service.join(friends.table, Join("Zoe"))
        assert seated.seat == 1

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("new", "code"),
    [
        (NewTable("chess", [SeatWish()] * 2, "Ana"), "unknown_game"),
        (NewTable("secret-cards", [SeatWish()] * 9, "Ana"), "bad_option"),
        (NewTable("secret-cards", [SeatWish()] * 2, ""), "bad_name"),
    ],
)
def test_a_refused_new_table_stores_nothing(new: NewTable, code: str) -> None:
    async def scenario() -> None:
        store = MemoryStore()
        problem = await refusal(make_service(store).create(new))
        assert problem.code == code
        assert await store.tables() == []

    asyncio.run(scenario())


def test_a_failed_creation_stores_nothing() -> None:
    async def scenario() -> None:
        store = FailingStore()
        service = make_service(store)
        store.fail = "before"
        new = NewTable("secret-cards", [SeatWish()] * 2, "Ana")
        assert (await refusal(service.create(new))).code == "unavailable"
        assert await store.tables() == []
        assert service.statistics()["in_memory"] == 0

    asyncio.run(scenario())
