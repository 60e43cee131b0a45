"""The service: idempotent commands, commit before publish, no effect of refusals."""

import asyncio

from archipel.tables import commands
from archipel.tables.publishing import payloads
from tests.support.memory_store import MemoryStore
from tests.tables.people import (
    Friends,
    make_service,
    refusal,
)
from tests.tables.secret_cards import PASS, THROW
from tests.tables.troubled import Troubled

# ---- once is once --------------------------------------------------------------------------------


def test_a_double_tap_gets_the_first_answer() -> None:
    async def course() -> None:
        store = MemoryStore()
        service = make_service(store)
        friends = await Friends.gather(service)
        play = commands.Play("r", await friends.last(), THROW)
        one, two = await asyncio.gather(friends.ask(0, play, "tap"), friends.ask(0, play, "tap"))
        assert (one.n, one.repeated) == (two.n, False)
        assert two.repeated
        before = await store.read(friends.table)
        await friends.play(1, THROW)
        late = await friends.ask(0, play, "tap")
        assert (late.n, late.repeated, late.table) == (one.n, True, None)
        assert len(await store.read(friends.table)) == len(before) + 1

    asyncio.run(course())


def test_ids_are_each_persons_own() -> None:
    async def course() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        first = await friends.ask(0, commands.Play("r", await friends.last(), PASS), "same")
        second = await friends.ask(1, commands.Play("r", await friends.last(), PASS), "same")
        assert second.n == first.n + 1
        assert (
            await refusal(friends.ask(0, commands.Say("r", "hello"), "a b"))
        ).code == "bad_request"

    asyncio.run(course())


def test_the_answer_is_the_same_after_a_restart() -> None:
    async def course() -> None:
        store = MemoryStore()
        friends = await Friends.gather(make_service(store))
        play = commands.Play("r", await friends.last(), THROW)
        first = await friends.ask(0, play, "tap")
        friends.service = make_service(store)
        again = await friends.ask(0, play, "tap")
        assert (again.n, again.repeated) == (first.n, True)

    asyncio.run(course())


# ---- the order of things -------------------------------------------------------------------------


def test_kept_then_told_then_acknowledged() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        store.journal.clear()

        async def listen() -> None:
            update = await anext(subscription)
            assert isinstance(update, payloads.Update)
            assert (await store.last(friends.table)) >= update.n
            store.journal.append("told")

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        n = await friends.last()
        asked = asyncio.create_task(friends.ask(0, commands.Play("r", n, PASS)))
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
        update = subscription._waiting[-1].message
        assert isinstance(update, payloads.Update)
        assert update.n == accepted.n

    asyncio.run(course())


def test_a_failed_write_changes_nothing() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        n = await friends.last()
        before = await store.read(friends.table), await friends.view(0)
        for trouble, code in (("before", "unavailable"), ("conflict", "stale")):
            store.fail = trouble
            problem = await refusal(friends.ask(0, commands.Play("r", n, THROW), "tap"))
            assert problem.code == code
            assert (await store.read(friends.table), await friends.view(0)) == before
            assert not subscription._waiting
        accepted = await friends.ask(0, commands.Play("r", n, THROW), "tap")
        assert not accepted.repeated

    asyncio.run(course())


def test_a_write_whose_answer_was_lost_is_found_and_told() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        play = commands.Play("r", await friends.last(), THROW)
        store.fail = "after"
        assert (await refusal(friends.ask(0, play, "tap"))).code == "unavailable"
        await service.tick()
        update = await anext(subscription)
        assert isinstance(update, payloads.Update)
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
        asked = asyncio.create_task(friends.ask(0, commands.Play("r", n, PASS), "tap"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        await friends.play(1, PASS)
        assert [event.n for event in await store.read(friends.table)] == list(
            range(1, 1 + await store.last(friends.table))
        )

    asyncio.run(course())
