"""The service: idempotent commands, commit before publish, no effect of refusals."""

import asyncio

import pytest

from archipel.tables import commands
from archipel.tables.publishing import payloads
from tests.support.memory_store import MemoryStore
from tests.tables.failing_store import FailingStore
from tests.tables.people import Friends, make_service, refusal
from tests.tables.secret_cards import PASS, THROW

# ---- idempotency ---------------------------------------------------------------------------------


@pytest.mark.promise("once")
def test_a_double_tap_gets_the_first_answer() -> None:
    async def scenario() -> None:
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

    asyncio.run(scenario())


def test_request_ids_are_per_person() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        first = await friends.ask(0, commands.Play("r", await friends.last(), PASS), "same")
        second = await friends.ask(1, commands.Play("r", await friends.last(), PASS), "same")
        assert second.n == first.n + 1
        assert (
            await refusal(friends.ask(0, commands.Say("r", "hello"), "a b"))
        ).code == "bad_request"

    asyncio.run(scenario())


@pytest.mark.promise("once")
def test_a_repeated_command_gets_the_first_answer_after_a_restart() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        friends = await Friends.gather(make_service(store))
        play = commands.Play("r", await friends.last(), THROW)
        first = await friends.ask(0, play, "tap")
        friends.service = make_service(store)
        again = await friends.ask(0, play, "tap")
        assert (again.n, again.repeated) == (first.n, True)

    asyncio.run(scenario())


# ---- commit before publish -----------------------------------------------------------------------


@pytest.mark.promise("order")
def test_events_are_stored_then_published_then_acknowledged() -> None:
    async def scenario() -> None:
        store = FailingStore()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        store.journal.clear()

        async def listen() -> None:
            update = await anext(subscription)
            assert isinstance(update, payloads.Update)
            assert (await store.last(friends.table)) >= update.n
            store.journal.append("published")

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        n = await friends.last()
        asked = asyncio.create_task(friends.ask(0, commands.Play("r", n, PASS)))
        asked.add_done_callback(lambda _: store.journal.append("acknowledged"))
        await asyncio.gather(listening, asked)
        await asyncio.sleep(0)
        assert store.journal[0] == "committed"
        assert sorted(store.journal[1:]) == ["acknowledged", "published"]

    asyncio.run(scenario())


def test_an_acknowledged_event_is_in_every_queue() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        accepted = await friends.play(0, PASS)
        update = subscription._waiting[-1].message
        assert isinstance(update, payloads.Update)
        assert update.n == accepted.n

    asyncio.run(scenario())


@pytest.mark.promise("truth")
def test_a_failed_write_changes_nothing() -> None:
    async def scenario() -> None:
        store = FailingStore()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        n = await friends.last()
        before = await store.read(friends.table), await friends.view(0)
        for trouble, code in (("before", "unknown"), ("busy", "not_stored"), ("conflict", "stale")):
            store.fail = trouble
            problem = await refusal(friends.ask(0, commands.Play("r", n, THROW), "tap"))
            assert problem.code == code
            assert (await store.read(friends.table), await friends.view(0)) == before
            assert not subscription._waiting
        accepted = await friends.ask(0, commands.Play("r", n, THROW), "tap")
        assert not accepted.repeated

    asyncio.run(scenario())


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.promise("truth")
def test_a_repeat_tells_the_truth_about_an_unknown_outcome(kept: bool) -> None:
    """Also if the store cannot even be read at first: the first attempt may be in the log."""

    async def scenario() -> None:
        store = FailingStore()
        service = make_service(store)
        friends = await Friends.gather(service)
        play = commands.Play("r", await friends.last(), THROW)
        store.fail = "after" if kept else "before"
        assert (await refusal(friends.ask(0, play, "tap"))).code == "unknown"
        store.unreadable = True
        assert (await refusal(friends.ask(0, play, "tap"))).code == "unknown"
        store.unreadable = False
        again = await friends.ask(0, play, "tap")
        assert again.repeated == kept
        assert len(service._live_tables[friends.table].table.moves) == 1

    asyncio.run(scenario())


@pytest.mark.promise("truth")
def test_a_repeated_join_with_a_lost_answer_gets_the_seat() -> None:
    async def scenario() -> None:
        store = FailingStore()
        service = make_service(store)
        made = await service.create(
            commands.NewTable("secret-cards", [commands.SeatWish()] * 2, "Ana")
        )
        joining = commands.Join("Ben", request="b" * 20)
        store.fail = "after"
        assert (await refusal(service.join(made.table, joining))).code == "unknown"
        store.unreadable = True
        assert (await refusal(service.join(made.table, joining))).code == "unknown"
        store.unreadable = False
        seated = await service.join(made.table, joining)
        assert (await service.identify(made.table, seated.token)).seats == (seated.seat,)

    asyncio.run(scenario())


@pytest.mark.parametrize("kept", [False, True])
def test_a_rematch_with_a_lost_answer_has_its_table(kept: bool) -> None:
    async def scenario() -> None:
        store = FailingStore()
        service = make_service(store)
        friends = await Friends.gather(service)
        await friends.ask(0, commands.Resign("r"))
        store.appends_before_failure = 1  # that of the new table
        store.fail = "after" if kept else "before"
        rematch = commands.Rematch("r", "")
        assert (await refusal(friends.ask(0, rematch, "again"))).code == "unknown"
        answer = await friends.ask(0, rematch, "again")
        assert answer.table is not None
        assert (await service.table(answer.table)).stage == "gathering"

    asyncio.run(scenario())


def test_a_write_with_a_lost_answer_is_found_and_published() -> None:
    async def scenario() -> None:
        store = FailingStore()
        service = make_service(store)
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[1])
        play = commands.Play("r", await friends.last(), THROW)
        store.fail = "after"
        assert (await refusal(friends.ask(0, play, "tap"))).code == "unknown"
        await service.tick()
        update = await anext(subscription)
        assert isinstance(update, payloads.Update)
        assert update.log[-1].kind == "played"
        again = await friends.ask(0, play, "tap")
        assert (again.repeated, again.n) == (True, update.n)

    asyncio.run(scenario())


def test_a_cancelled_caller_does_not_break_the_table() -> None:
    async def scenario() -> None:
        store = FailingStore()
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

    asyncio.run(scenario())
