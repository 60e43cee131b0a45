"""Tables that are evicted or restarted come back unchanged."""

import asyncio
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from archipel.store.protocol import EventStore
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import Participant, Settings, SubscriptionEnded, TableService, commands
from archipel.tables.log import events
from archipel.tables.log.events import Entry, encode
from tests.support.memory_store import MemoryStore
from tests.tables.people import (
    QUICK,
    Friends,
    HandClock,
    make_service,
    refusal,
    running,
)
from tests.tables.secret_cards import PASS


def test_evicted_tables_are_loaded_again() -> None:
    async def scenario() -> None:
        service = make_service(settings=replace(QUICK, tables_in_memory=3))
        tables = [await Friends.gather(service) for _ in range(8)]
        assert service.statistics()["in_memory"] <= 3
        for friends in tables:
            await friends.play(0, PASS)
            assert (await friends.view(1)).to_move == 1
        assert service.statistics()["in_memory"] <= 3

    asyncio.run(scenario())


def test_tables_that_nobody_uses_leave_memory() -> None:
    async def scenario() -> None:
        clock = HandClock(10**12)
        service = make_service(clock=clock)
        left, watched = [await Friends.gather(service) for _ in range(2)]
        subscription = await service.subscribe(watched.who[0])
        clock.now += Settings().unused - 1
        await service.tick()
        assert service.statistics()["in_memory"] == 2
        clock.now += 2
        await service.tick()
        assert service.statistics()["in_memory"] == 1
        await left.play(0, PASS)
        assert service.statistics()["in_memory"] == 2
        subscription.close()
        clock.now += Settings().unused + 1
        await service.tick()
        assert service.statistics()["in_memory"] == 0
        assert service.statistics()["bytes_in_memory"] == 0

    asyncio.run(scenario())


def test_the_memory_of_tables_that_are_not_in_use_is_bounded() -> None:
    async def scenario() -> None:
        service = make_service(settings=replace(QUICK, memory=100_000))
        tables = [await Friends.gather(service) for _ in range(10)]
        size = service.statistics()["bytes_in_memory"] // 10
        assert service.statistics()["bytes_in_memory"] > 200_000
        await service.tick()
        left = service.statistics()["bytes_in_memory"]
        assert 100_000 - 2 * size < left <= 100_000
        await tables[0].play(0, PASS)  # the least recently used one comes back

    asyncio.run(scenario())


def test_the_estimated_size_of_tables_is_that_in_memory() -> None:
    async def play_out(service: TableService) -> None:
        friends = await Friends.gather(service, people=3, game="deep-sea")
        subscriptions = [await service.subscribe(who) for who in friends.who]
        await friends.finish()
        for subscription in subscriptions:
            subscription.close()

    async def scenario() -> None:
        clock = HandClock(10**12)
        service = make_service(clock=clock, settings=replace(QUICK, queue=10**6))
        await play_out(service)  # fills the caches of the game
        clock.now += Settings().unused + 1
        await service.tick()
        tracemalloc.start()
        try:
            for _ in range(5):
                await play_out(service)
            estimated = service.statistics()["bytes_in_memory"]
            before, _ = tracemalloc.get_traced_memory()
            clock.now += Settings().unused + 1
            await service.tick()
            freed = before - tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
        assert service.statistics()["in_memory"] == 0
        assert 1 < estimated / freed < 1.6

    asyncio.run(scenario())


def test_idle_tables_are_archived_and_restored_by_a_command() -> None:
    async def scenario() -> None:
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

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_restarts_do_not_change_the_log(kind: str, tmp_path: Path) -> None:
    """The logs of a game with and without restarts are equal byte for byte."""

    async def scenario(name: str, restarts: bool) -> list[bytes]:
        path = tmp_path / f"{name}.db"
        clock = HandClock()
        store: EventStore = MemoryStore() if kind == "memory" else await SqliteStore.open(path)
        service = make_service(store, clock=clock)
        randomness = service._registry.randomness
        friends = await Friends.gather(service, 2, game="deep-sea", options={"first": 1})
        for step in range(40):
            if restarts and step % 7 == 3:
                tables = dict(service._live_tables)
                await service.stop()
                if kind == "sqlite":
                    await store.close()
                    store = await SqliteStore.open(path)
                service = make_service(store, clock=clock)
                service._registry.randomness = randomness
                await service.start()
                friends.service = service
                await friends.last()
                before, after = (
                    tables[friends.table].table,
                    service._live_tables[friends.table].table,
                )
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

    plain = asyncio.run(scenario("plain", False))
    assert asyncio.run(scenario("restarted", True)) == plain


def test_bots_resume_after_a_restart() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        slow = make_service(store, settings=Settings(bot_delay=60_000, bot_delay_for_undo=60_000))
        friends = await Friends.gather(slow, 1, 1)
        await friends.play(0, PASS)
        await slow.stop()
        async with running(make_service(store)) as service:
            friends.service = service
            news = await service.subscribe(friends.who[0])
            async with asyncio.timeout(20):
                while (await friends.view(0)).to_move != 0:
                    await anext(news)

    asyncio.run(scenario())


def test_a_table_of_a_newer_version_is_refused_with_a_sentence() -> None:
    async def scenario() -> None:
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

    asyncio.run(scenario())


def test_a_stopped_service_refuses_commands() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        subscription = await service.subscribe(friends.who[0])
        n = await friends.last()
        await service.stop()
        with pytest.raises(SubscriptionEnded) as dropped:
            await anext(subscription)
        assert dropped.value.code == "stopping"
        assert (await refusal(friends.ask(0, commands.Play("r", n, PASS)))).code == "stopping"

    asyncio.run(scenario())


def test_public_tables_are_listed() -> None:
    async def scenario() -> None:
        service = make_service()
        await Friends.gather(service)
        friends = await Friends.gather(service, 1, 1, public=True)
        (line,) = await service.tables()
        assert (line.id, line.stage, line.names) == (friends.table, "playing", ["P0", "Alba"])
        await friends.ask(0, commands.CloseTable("r"))
        assert await service.tables() == []

    asyncio.run(scenario())


def test_statistics_always_have_the_same_names() -> None:
    async def scenario() -> None:
        service = make_service()
        names = set(service.statistics())
        await Friends.gather(service, 1, 1)
        assert set(service.statistics()) == names

    asyncio.run(scenario())


def test_a_service_can_be_made_before_there_is_a_loop() -> None:
    assert isinstance(TableService(MemoryStore()), TableService)
    assert Participant("t").seat is None
