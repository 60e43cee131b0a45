"""Updates to subscribers, and positions of the past."""

import asyncio
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from archipel.tables import SubscriptionEnded, commands
from archipel.tables.commands import NewTable, SeatWish
from archipel.tables.publishing import payloads
from tests.tables.people import QUICK, Friends, HandClock, make_service, refusal
from tests.tables.secret_cards import PASS, PEEK, THINK


def test_a_subscriber_gets_the_welcome_then_each_update_once() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        await friends.play(0, PASS)
        seen = [entry.n for entry in (await service.subscribe(friends.who[0], 4)).welcome.log]
        subscription = await service.subscribe(friends.who[0], 5)
        assert seen == [5, 6]
        assert [entry.n for entry in subscription.welcome.log] == [6]
        expected = msgspec.structs.replace(await friends.view(0), text=msgspec.UNSET)
        assert subscription.welcome.position == expected
        for mover in (1, 0, 1):
            await friends.play(mover, THINK)
            await friends.play(mover, PASS)
        got = [await anext(subscription) for _ in range(6)]
        assert [item.n for item in got if isinstance(item, payloads.Update)] == [
            7,
            8,
            9,
            10,
            11,
            12,
        ]
        subscription.close()
        assert [item async for item in subscription] == []
        assert service.statistics()["subscriptions"] == 1

    asyncio.run(scenario())


def test_only_players_read_what_players_write() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service)
        watcher = await service.identify(friends.table, None)
        everybody = [*friends.who, watcher]
        streams = [await service.subscribe(who) for who in everybody]
        clock.now += 1_000
        n = (await friends.ask(0, commands.Write("r", "my secret plan"))).n
        for who, stream in zip(everybody, streams, strict=True):
            update = await anext(stream)
            welcome = (await service.subscribe(who)).welcome
            for sent in (update, welcome):
                found = b"my secret plan" in msgspec.json.encode(sent)
                assert found == bool(who.seats)
                assert sent.n == n  # type: ignore[union-attr]
            # A client that knows all lines of its seat is not sent them again.
            again = await service.subscribe(who, n, at=welcome.log[-1].at)
            assert (again.welcome.whole, again.welcome.log) == (False, [])
        page = await service.log_page(watcher, n + 1)
        assert b"my secret plan" not in msgspec.json.encode(page)

    asyncio.run(scenario())


def test_a_client_with_another_past_gets_the_whole_log() -> None:
    """After a restored backup: as many events or more, but other ones."""

    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service)
        for _ in range(3):
            clock.now += 1_000
            await friends.play(0, THINK)
        known = (await service.subscribe(friends.who[1])).welcome
        assert known.whole

        async def again(after: int, at: float | None) -> payloads.Welcome:
            return (await service.subscribe(friends.who[1], after, at=at)).welcome

        last = known.log[-1].at
        same = await again(known.n, last)
        assert (same.whole, same.log) == (False, [])
        assert not (await again(known.n, None)).whole
        earlier = await again(known.n - 1, known.log[-2].at)
        assert (earlier.whole, earlier.log) == (False, known.log[-1:])
        for after, at in (
            (known.n + 1, None),
            (known.n + 1, last),
            (known.n, last - 0.5),
            (known.n - 1, last),
        ):
            whole = await again(after, at)
            assert (whole.whole, whole.log) == (True, known.log), (after, at)

    asyncio.run(scenario())


def test_a_slow_subscriber_is_dropped_and_resumes() -> None:
    async def scenario() -> None:
        service = make_service(settings=replace(QUICK, queue=3))
        friends = await Friends.gather(service)
        slow = await service.subscribe(friends.who[1])
        for _ in range(5):
            await friends.play(0, THINK)
        with pytest.raises(SubscriptionEnded) as dropped:
            await anext(slow)
        assert dropped.value.code == "slow"
        assert service.statistics()["dropped"] == 1
        back = await service.subscribe(friends.who[1], slow.welcome.n)
        assert len(back.welcome.log) == 5

    asyncio.run(scenario())


def test_presence_is_published_and_counted() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[0])
        service.arrived(friends.who[0])
        service.arrived(friends.who[1])
        service.arrived(friends.who[1])
        service.departed(friends.who[1])
        service.arrived(await service.identify(friends.table, None))
        items = [await anext(subscription) for _ in range(5)]
        last = items[-1]
        assert isinstance(last, payloads.Presence)
        assert [seat.here for seat in last.seats] == [True, True]
        assert last.spectators == 1
        service.departed(friends.who[1])
        clock.now += 119_000
        assert (await service.table(friends.table)).seats[1].absent_for == 119
        problem = await refusal(friends.ask(0, commands.HandOver("r", 1)))
        assert problem.code == "not_away"
        clock.now += 1000
        await friends.ask(0, commands.HandOver("r", 1))
        assert (await service.table(friends.table)).seats[1].bot_plays
        await friends.ask(1, commands.ComeBack("r"))
        assert not (await service.table(friends.table)).seats[1].bot_plays

    asyncio.run(scenario())


def test_a_hot_seat_subscriber_chooses_the_seat_to_see() -> None:
    async def scenario() -> None:
        service = make_service()
        new = NewTable(
            "secret-cards",
            [SeatWish(), SeatWish()],
            "Ana",
            hot_seat=True,
            names=["Ana", "Bo"],
            begin=True,
        )
        made = await service.create(new)
        who = await service.identify(made.table, made.token)
        assert (who.seat, who.seats) == (None, (0, 1))
        subscription = await service.subscribe(who)
        assert subscription.welcome.position is not None
        assert subscription.welcome.position.scene.choices == ()
        subscription.look_through(1)
        n = subscription.welcome.n
        await service.command(who, commands.Play("1", n, PEEK, seat=0))
        update = await anext(subscription)
        assert isinstance(update, payloads.Update)
        assert isinstance(update.position, payloads.Position)
        assert (update.position.seat, update.position.scene.choices) == (1, ())
        assert [happening.key for happening in update.log[0].happenings] == ["peeks"]
        own = await service.position(who, seat=0)
        assert own is not None
        assert own.scene.choices
        subscription.look_through(None)
        problem = await refusal(_look(subscription, 2))
        assert problem.code == "not_yours"

    asyncio.run(scenario())


async def _look(subscription: Any, seat: int) -> None:
    subscription.look_through(seat)


def test_past_positions_show_the_views_of_their_time() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        n = await friends.last()
        await friends.play(0, PEEK)
        await friends.play(0, PASS)
        before = await service.position(friends.who[0], n=n)
        assert before is not None
        assert before.scene.pieces[0].properties["number"] is None
        assert before.scene.choices == ()
        assert await service.position(friends.who[0], n=1) is None
        late = await refusal(service.position(friends.who[0], n=99))
        assert late.code == "no_such_event"
        hidden = await refusal(service.position(friends.who[0], n=n, revealed=True))
        assert hidden.code == "hidden"
        await friends.finish()
        after = await service.position(friends.who[0], n=n, revealed=True)
        assert after is not None
        assert all(piece.properties["number"] for piece in after.scene.pieces)
        still = await service.position(friends.who[0], n=n)
        assert still is not None
        assert still.scene.pieces == before.scene.pieces

    asyncio.run(scenario())


def test_a_resigned_game_reveals_everything() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        await friends.ask(1, commands.Resign("r"))
        view = await friends.view(1)
        assert all(piece.properties["number"] for piece in view.scene.pieces)
        assert (view.to_move, view.question, view.scene.choices) == (None, None, ())
        assert view.result is not None
        assert view.result.ranks == [0, 1]

    asyncio.run(scenario())
