"""The service: once is once, kept before told, and nothing changes that was refused."""

import asyncio
import logging
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream
from archipel.store import (
    Appended,
    Conflict,
    Event,
    EventStore,
    MemoryStore,
    SqliteStore,
    StoreFailed,
)
from archipel.tables import Dropped, Settings, TableService, Who, commands, events, shown
from archipel.tables.bot_players import choose_action
from archipel.tables.commands import Join, NewTable, SeatWish
from archipel.tables.events import Entry, encode
from archipel.tables.keys import hash_of
from tests.tables.people import (
    QUICK,
    Friends,
    HandClock,
    make_service,
    refusal,
    running,
    settle,
)
from tests.tables.secret_cards import PASS, PEEK, THINK, THROW


class Troubled(MemoryStore):
    """A memory store that fails when told to, before or after it has written."""

    def __init__(self) -> None:
        super().__init__()
        self.fail: str | None = None
        self.journal: list[str] = []

    async def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        request_id: str | None = None,
        *,
        private: Mapping[str, bytes] | None = None,
    ) -> Appended:
        fail, self.fail = self.fail, None
        if fail == "before":
            raise StoreFailed("the disk is full")
        if fail == "conflict":
            raise Conflict(table_id, expected_n, expected_n + 1)
        await asyncio.sleep(0)
        answer = await super().append(table_id, expected_n, events, request_id, private=private)
        self.journal.append("committed")
        if fail == "after":
            raise StoreFailed("the answer was lost")
        return answer


async def log_of(store: EventStore, table: str) -> list[Event]:
    return await store.read(table)


# ---- once is once -------------------------------------------------------------------------------


def test_a_double_tap_gets_the_first_answer() -> None:
    async def course() -> None:
        store = MemoryStore()
        service = make_service(store)
        friends = await Friends.gather(service)
        play = commands.Play(await friends.last(), THROW)
        one, two = await asyncio.gather(friends.ask(0, play, "tap"), friends.ask(0, play, "tap"))
        assert (one.n, one.repeated) == (two.n, False)
        assert two.repeated
        before = await log_of(store, friends.table)
        await friends.play(1, THROW)
        late = await friends.ask(0, play, "tap")
        assert (late.n, late.repeated, late.table) == (one.n, True, None)
        assert len(await log_of(store, friends.table)) == len(before) + 1

    asyncio.run(course())


def test_ids_are_each_persons_own() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        first = await friends.ask(0, commands.Play(await friends.last(), PASS), "same")
        second = await friends.ask(1, commands.Play(await friends.last(), PASS), "same")
        assert second.n == first.n + 1
        assert (await refusal(friends.ask(0, commands.Say("hello"), "a b"))).code == "bad_request"

    asyncio.run(course())


def test_the_answer_is_the_same_after_a_restart() -> None:
    async def course() -> None:
        store = MemoryStore()
        friends = await Friends.gather(make_service(store))
        play = commands.Play(await friends.last(), THROW)
        first = await friends.ask(0, play, "tap")
        friends.service = make_service(store)
        again = await friends.ask(0, play, "tap")
        assert (again.n, again.repeated) == (first.n, True)

    asyncio.run(course())


# ---- the order of things ------------------------------------------------------------------------


def test_kept_then_told_then_acknowledged() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        store.journal.clear()

        async def listen() -> None:
            update = await anext(subscription)
            assert isinstance(update, shown.Update)
            assert (await store.last(friends.table)) >= update.n
            store.journal.append("told")

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        n = await friends.last()
        asked = asyncio.create_task(friends.ask(0, commands.Play(n, PASS)))
        asked.add_done_callback(lambda _: store.journal.append("acknowledged"))
        await asyncio.gather(listening, asked)
        await asyncio.sleep(0)
        assert store.journal[0] == "committed"
        assert sorted(store.journal[1:]) == ["acknowledged", "told"]

    asyncio.run(course())


def test_what_is_acknowledged_is_already_in_every_queue() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        accepted = await friends.play(0, PASS)
        update = subscription._waiting[-1]
        assert isinstance(update, shown.Update)
        assert update.n == accepted.n

    asyncio.run(course())


def test_a_failed_write_changes_nothing() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        n = await friends.last()
        before = await log_of(store, friends.table), await friends.view(0)
        for trouble, code in (("before", "unavailable"), ("conflict", "stale")):
            store.fail = trouble
            problem = await refusal(friends.ask(0, commands.Play(n, THROW), "tap"))
            assert problem.code == code
            assert (await log_of(store, friends.table), await friends.view(0)) == before
            assert not subscription._waiting
        accepted = await friends.ask(0, commands.Play(n, THROW), "tap")
        assert not accepted.repeated

    asyncio.run(course())


def test_a_write_whose_answer_was_lost_is_found_and_told() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        play = commands.Play(await friends.last(), THROW)
        store.fail = "after"
        assert (await refusal(friends.ask(0, play, "tap"))).code == "unavailable"
        await service.tick()
        update = await anext(subscription)
        assert isinstance(update, shown.Update)
        assert update.log[-1].kind == "played"
        again = await friends.ask(0, play, "tap")
        assert (again.repeated, again.n) == (True, update.n)

    asyncio.run(course())


def test_a_caller_who_gives_up_does_not_break_the_table() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service)
        n = await friends.last()
        asked = asyncio.create_task(friends.ask(0, commands.Play(n, PASS), "tap"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await friends.play(1, PASS)
        assert [event.n for event in await log_of(store, friends.table)] == [1, 2, 3, 4, 5, 6][
            : await store.last(friends.table)
        ]

    asyncio.run(course())


# ---- coming in ----------------------------------------------------------------------------------


def test_only_hashes_of_tokens_are_kept() -> None:
    async def course() -> None:
        store = MemoryStore()
        service = make_service(store)
        made = await service.create(NewTable("secret-cards", [SeatWish()] * 3, "Ana"))
        joined = await service.join(made.table, Join("Bo"))
        assert isinstance(made.invitations, list)
        assert len(made.invitations) == 2
        kept = await store.get_private(made.table, "keys")
        assert kept is not None
        for token in (made.token, joined.token, *made.invitations):
            assert len(token) == 43
            assert token.encode() not in kept
            for event in await store.read(made.table):
                assert token.encode() not in event.body
        assert hash_of(joined.token).encode() in kept

    asyncio.run(course())


def test_tokens_open_their_own_seat_only() -> None:
    async def course() -> None:
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
        problem = await refusal(service.command(forged, commands.CloseTable(), "x"))
        assert problem.code == "not_host"

    asyncio.run(course())


def test_an_invitation_opens_its_seat_once() -> None:
    async def course() -> None:
        service = make_service()
        wish = NewTable("secret-cards", [SeatWish(), SeatWish(kept=True), SeatWish()], "Ana")
        made = await service.create(wish)
        assert isinstance(made.invitations, list)
        kept, free = made.invitations
        assert (await service.join(made.table, Join("Bo", invitation=kept))).seat == 1
        again = await refusal(service.join(made.table, Join("Cy", invitation=kept)))
        assert again.code == "wrong_invitation"
        wrong = await refusal(service.join(made.table, Join("Cy", invitation="z" * 43)))
        assert wrong.code == "wrong_invitation"
        assert (await service.join(made.table, Join("Cy", invitation=free))).seat == 2

    asyncio.run(course())


def test_whoever_loses_the_seat_loses_the_view() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service, 3)
        subscription = await service.subscribe(friends.who[1])
        service.arrived(friends.who[1])
        assert (await service.table(friends.table)).seats[1].here
        await friends.ask(0, commands.SetSeat(1))
        await settle(service)
        with pytest.raises(Dropped) as dropped:
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

    asyncio.run(course())


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (NewTable("chess", [SeatWish()] * 2, "Ana"), "unknown_game"),
        (NewTable("secret-cards", [SeatWish()] * 9, "Ana"), "bad_option"),
        (NewTable("secret-cards", [SeatWish()] * 2, ""), "bad_name"),
    ],
)
def test_a_table_that_is_not_made_leaves_nothing(wish: NewTable, code: str) -> None:
    async def course() -> None:
        store = MemoryStore()
        problem = await refusal(make_service(store).create(wish))
        assert problem.code == code
        assert await store.tables() == []

    asyncio.run(course())


def test_a_table_whose_making_fails_leaves_nothing() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        store.fail = "before"
        wish = NewTable("secret-cards", [SeatWish()] * 2, "Ana")
        assert (await refusal(service.create(wish))).code == "unavailable"
        assert await store.tables() == []
        assert service.statistics()["in_memory"] == 0

    asyncio.run(course())


# ---- updates ------------------------------------------------------------------------------------


def test_welcome_then_every_update_once() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        await friends.play(0, PASS)
        seen = [entry.n for entry in (await service.subscribe(friends.who[0], 3)).welcome.log]
        subscription = await service.subscribe(friends.who[0], 4)
        assert seen == [4, 5]
        assert [entry.n for entry in subscription.welcome.log] == [5]
        assert subscription.welcome.position == await friends.view(0)
        for mover in (1, 0, 1):
            await friends.play(mover, THINK)
            await friends.play(mover, PASS)
        got = [await anext(subscription) for _ in range(6)]
        assert [item.n for item in got if isinstance(item, shown.Update)] == [6, 7, 8, 9, 10, 11]
        subscription.close()
        assert [item async for item in subscription] == []
        assert service.statistics()["subscriptions"] == 1

    asyncio.run(course())


def test_a_slow_subscriber_is_dropped_and_resumes() -> None:
    async def course() -> None:
        service = make_service(settings=replace(QUICK, queue=3))
        friends = await Friends.gather(service)
        slow = await service.subscribe(friends.who[1])
        for _ in range(5):
            await friends.play(0, THINK)
        with pytest.raises(Dropped) as dropped:
            await anext(slow)
        assert dropped.value.code == "slow"
        assert service.statistics()["dropped"] == 1
        back = await service.subscribe(friends.who[1], slow.welcome.n)
        assert len(back.welcome.log) == 5

    asyncio.run(course())


def test_presence_is_told_and_counted() -> None:
    async def course() -> None:
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
        assert isinstance(last, shown.Presence)
        assert [seat.here for seat in last.seats] == [True, True]
        assert last.spectators == 1
        service.departed(friends.who[1])
        clock.now += 119_000
        assert (await service.table(friends.table)).seats[1].absent_for == 119
        problem = await refusal(friends.ask(0, commands.HandOver(1)))
        assert problem.code == "not_away"
        clock.now += 1000
        await friends.ask(0, commands.HandOver(1))
        assert (await service.table(friends.table)).seats[1].bot_plays
        await friends.ask(1, commands.ComeBack())
        assert not (await service.table(friends.table)).seats[1].bot_plays

    asyncio.run(course())


def test_one_device_looks_through_the_seat_it_shows() -> None:
    async def course() -> None:
        service = make_service()
        wish = NewTable(
            "secret-cards",
            [SeatWish(), SeatWish()],
            "Ana",
            hot_seat=True,
            names=["Ana", "Bo"],
            begin=True,
        )
        made = await service.create(wish)
        who = await service.identify(made.table, made.token)
        assert (who.seat, who.seats) == (None, (0, 1))
        subscription = await service.subscribe(who)
        assert subscription.welcome.position is not None
        assert subscription.welcome.position.scene.choices == []
        subscription.look_through(1)
        n = subscription.welcome.n
        await service.command(who, commands.Play(n, PEEK), "1", seat=0)
        update = await anext(subscription)
        assert isinstance(update, shown.Update)
        assert update.position is not None
        assert (update.position.seat, update.position.scene.choices) == (1, [])
        assert [happening.key for happening in update.log[0].happenings] == ["peeks"]
        own = await service.position(who, seat=0)
        assert own is not None
        assert own.scene.choices
        subscription.look_through(None)
        problem = await refusal(_look(subscription, 2))
        assert problem.code == "not_yours"

    asyncio.run(course())


async def _look(subscription: Any, seat: int) -> None:
    subscription.look_through(seat)


def test_looking_back_shows_what_one_saw_then() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        n = await friends.last()
        await friends.play(0, PEEK)
        await friends.play(0, PASS)
        before = await service.position(friends.who[0], n=n)
        assert before is not None
        assert before.scene.pieces[0].properties["number"] is None
        assert before.scene.choices == []
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

    asyncio.run(course())


def test_a_game_ended_by_resigning_reveals_everything_too() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        await friends.ask(1, commands.Resign())
        view = await friends.view(1)
        assert all(piece.properties["number"] for piece in view.scene.pieces)
        assert (view.to_move, view.question, view.scene.choices) == (None, None, [])
        assert view.result is not None
        assert view.result.ranks == [0, 1]

    asyncio.run(course())


# ---- bots ---------------------------------------------------------------------------------------


def test_a_bot_that_fails_is_replaced_by_chance(caplog: pytest.LogCaptureFixture) -> None:
    def crash(game: str, bot: str, view: Any, legal: Sequence[int], seed: int) -> int:
        if seed % 2:
            raise RuntimeError("my head aches")
        return 77

    async def course() -> None:
        async with running(make_service(choose=crash)) as service:
            made = await service.create(
                NewTable("secret-cards", [SeatWish("random")] * 3, "Ana", my_seat=None, begin=True)
            )
            await settle(service)
            assert (await service.table(made.table)).stage == "over"
            assert service.statistics()["bot_failures"] >= 12

    with caplog.at_level(logging.WARNING):
        asyncio.run(course())
    assert "my head aches" in caplog.text


def test_bots_get_views_only() -> None:
    seen: list[Any] = []

    def spy(game: str, bot: str, view: Any, legal: Sequence[int], seed: int) -> int:
        seen.append(view)
        return PASS

    async def course() -> None:
        service = make_service(choose=spy)
        friends = await Friends.gather(service, 1, 2)
        await friends.play(0, PASS)
        await settle(service)

    asyncio.run(course())
    assert len(seen) == 2
    assert all(view.card == [0, 0, 0, 0] for view in seen)


def test_what_bots_are_asked_fits_through_to_another_process() -> None:
    view = DEEP_SEA.seen(DEEP_SEA.new(DEEP_SEA.make_options(3), Stream(1)), 0)
    asked = pickle.loads(pickle.dumps((choose_action, "deep-sea", "greedy", view, [0], 7)))
    choose, *arguments = asked
    assert choose(*arguments) == 0


def test_an_answer_to_a_position_that_is_gone_is_dropped() -> None:
    async def course() -> None:
        store = MemoryStore()
        service = make_service(store, settings=Settings(bot_delay=30, bot_delay_for_undo=30))
        friends = await Friends.gather(service, 1, 1)
        await friends.play(0, PASS)
        await asyncio.sleep(0.01)  # the bot has chosen, and waits to be followed
        await friends.ask(0, commands.TakeBack(await friends.last()))
        await asyncio.sleep(0.05)
        view = await friends.view(0)
        assert view.to_move == 0
        bodies = [event.body for event in await log_of(store, friends.table)]
        assert not any(b'"by":"bot"' in body for body in bodies)

    asyncio.run(course())


def test_bots_go_on_when_the_store_is_back() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service, 1, 1)
        n = await friends.last()
        await friends.ask(0, commands.Play(n, PASS))
        store.fail = "before"
        await settle(service)
        assert (await friends.view(0)).to_move == 0

    asyncio.run(course())


# ---- rematch ------------------------------------------------------------------------------------


def test_a_rematch_is_one_table_with_the_same_people_one_seat_further() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service, 3)
        assert (await refusal(friends.ask(1, commands.Rematch()))).code == "not_over"
        await friends.finish()
        spectator = await service.identify(friends.table, None)
        asked = service.command(spectator, commands.Rematch(), "x")
        assert (await refusal(asked)).code == "not_seated"
        first = await friends.ask(1, commands.Rematch(), "again")
        second = await friends.ask(2, commands.Rematch())
        repeat = await friends.ask(1, commands.Rematch(), "again")
        assert first.table == second.table == repeat.table
        assert first.n == second.n == repeat.n
        assert first.table is not None
        assert (await service.table(friends.table)).rematch == first.table
        table = await service.table(first.table)
        assert [seat.name for seat in table.seats] == ["P2", "P0", "P1"]
        assert table.stage == "gathering"
        roles = [await service.identify(first.table, token) for token in friends.tokens]
        assert [(who.seat, who.host) for who in roles] == [(1, False), (2, True), (0, False)]
        old, new = await service.table(friends.table), table
        assert old.commitment != new.commitment

    asyncio.run(course())


def test_a_rematch_against_bots_begins_at_once() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service, 1, 2)
        await friends.finish()
        again = await friends.ask(0, commands.Rematch())
        assert again.table is not None
        assert (await service.table(again.table)).stage == "playing"
        await settle(service)

    asyncio.run(course())


# ---- memory and restart -------------------------------------------------------------------------


def test_few_tables_are_kept_in_memory_and_all_are_there() -> None:
    async def course() -> None:
        service = make_service(settings=replace(QUICK, tables_in_memory=3))
        tables = [await Friends.gather(service) for _ in range(8)]
        assert service.statistics()["in_memory"] <= 3
        for friends in tables:
            await friends.play(0, PASS)
            assert (await friends.view(1)).to_move == 1
        assert service.statistics()["in_memory"] <= 3

    asyncio.run(course())


def test_idle_tables_are_archived_and_wake_up() -> None:
    async def course() -> None:
        clock = HandClock(10**12)
        store = MemoryStore(clock=clock)
        service = make_service(store, clock=clock)
        friends = await Friends.gather(service)
        busy = await Friends.gather(service)
        clock.now += Settings().idle - 1000
        await busy.play(0, PASS)
        clock.now += 2000
        await service.tick()
        assert [info.table_id for info in await store.tables()] == [busy.table]
        again = make_service(store, clock=clock)
        friends.service = again
        assert (await friends.view(0)).to_move == 0
        await friends.play(0, PASS)
        assert len(await store.tables()) == 2

    asyncio.run(course())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_restart_in_the_middle_changes_nothing(kind: str, tmp_path: Path) -> None:
    """The same course with and without restarts: the logs are byte for byte the same."""

    async def course(name: str, restarts: bool) -> list[bytes]:
        path = tmp_path / f"{name}.db"
        clock = HandClock()
        store: EventStore = MemoryStore() if kind == "memory" else await SqliteStore.open(path)
        service = make_service(store, clock=clock)
        randomness = service._hall.randomness
        friends = await Friends.gather(service, 2, game="deep-sea", options={"first": 1})
        for step in range(40):
            if restarts and step % 7 == 3:
                tables = dict(service._places)
                await service.stop()
                if kind == "sqlite":
                    await store.close()
                    store = await SqliteStore.open(path)
                service = make_service(store, clock=clock)
                service._hall.randomness = randomness
                await service.start()
                friends.service = service
                await friends.last()
                before, after = tables[friends.table].table, service._places[friends.table].table
                assert before == after
            clock.now += 1000
            mover = (await friends.view(0)).to_move
            assert mover is not None
            choices = (await friends.view(mover)).scene.choices
            await friends.play(mover, choices[step % len(choices)].action)
        bodies = [event.body for event in await store.read(friends.table)]
        await service.stop()
        await store.close()
        return bodies

    plain = asyncio.run(course("plain", False))
    assert asyncio.run(course("restarted", True)) == plain


def test_bots_to_move_go_on_after_a_restart() -> None:
    async def course() -> None:
        store = MemoryStore()
        slow = make_service(store, settings=Settings(bot_delay=60_000, bot_delay_for_undo=60_000))
        friends = await Friends.gather(slow, 1, 1)
        await friends.play(0, PASS)
        await slow.stop()
        async with running(make_service(store)) as service:
            friends.service = service
            await asyncio.sleep(0.01)
            await settle(service)
            assert (await friends.view(0)).to_move == 0

    asyncio.run(course())


def test_a_table_of_a_newer_archipel_is_refused_in_words() -> None:
    async def course() -> None:
        store = MemoryStore()
        await store.create_table("newer-table", b"", private={"secret": b"", "keys": b""})
        body = encode(Entry(1, events.Said(0, "hello"))).replace(b"said", b"sung")
        await store.append("newer-table", 0, [body])
        service = make_service(store)
        for language in ("en", "fr"):
            problem = await refusal(service.identify("newer-table", None, language))
            assert problem.code == "unreadable"
            assert "sung" in problem.message
        assert await service.tables() == []
        async with running(service):
            await asyncio.sleep(0)
            assert service.statistics()["in_memory"] == 0

    asyncio.run(course())


def test_a_stopped_service_takes_no_more() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[0])
        n = await friends.last()
        await service.stop()
        with pytest.raises(Dropped) as dropped:
            await anext(subscription)
        assert dropped.value.code == "stopping"
        assert (await refusal(friends.ask(0, commands.Play(n, PASS)))).code == "stopping"

    asyncio.run(course())


def test_public_tables_are_listed() -> None:
    async def course() -> None:
        service = make_service()
        await Friends.gather(service)
        friends = await Friends.gather(service, 1, 1, public=True)
        (line,) = await service.tables()
        assert (line.id, line.stage, line.names) == (friends.table, "playing", ["P0", "Alba"])
        await friends.ask(0, commands.CloseTable())
        assert await service.tables() == []

    asyncio.run(course())


def test_statistics_have_the_same_names_from_the_start() -> None:
    async def course() -> None:
        service = make_service()
        names = set(service.statistics())
        await Friends.gather(service, 1, 1)
        assert set(service.statistics()) == names

    asyncio.run(course())


def test_a_service_can_be_made_before_there_is_a_loop() -> None:
    assert isinstance(TableService(MemoryStore()), TableService)
    assert Who("t").seat is None
