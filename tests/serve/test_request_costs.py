"""Requests without a seat stay cheap, however many tables are stored."""

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from archipel.serve.api.caching import CachedCall
from archipel.serve.settings import Rate
from archipel.store.errors import StoreFailed
from archipel.store.protocol import Standing
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import TableService
from archipel.tables.commands import Clock, NewTable, SeatWish
from tests.serve.people import Person, make_table
from tests.serve.running import QUICK_BOTS, make_application, running, stricter
from tests.support.memory_store import MemoryStore


class Counting(MemoryStore):
    """A store that records which logs are read."""

    def __init__(self) -> None:
        super().__init__()
        self.read_logs: list[str] = []
        self.lists = 0

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> Any:
        self.read_logs.append(table_id)
        return await super().read(table_id, after, limit)

    async def listed(self, limit: int = 100) -> list[Standing]:
        self.lists += 1
        await asyncio.sleep(0)
        return await super().listed(limit)


def new_table(**more: Any) -> NewTable:
    return NewTable("deep-sea", [SeatWish(), SeatWish()], "Ana", **more)


async def test_listing_reads_no_log_and_a_restart_only_those_of_awake_tables() -> None:
    store = Counting()
    first = TableService(store, settings=QUICK_BOTS)
    clock = Clock("live", seconds=600)
    alone = {"hot_seat": True, "begin": True}
    waiting = (await first.create(new_table(public=True))).table
    running_clock = (await first.create(new_table(clock=clock, **alone))).table
    for _ in range(20):
        await first.create(new_table(**alone))
    await first.stop()

    again = TableService(store, settings=QUICK_BOTS)
    store.read_logs.clear()
    assert [line.id for line in await again.tables()] == [waiting]
    assert store.read_logs == []
    await again.start()
    await asyncio.gather(*again._maintenance._tasks[:1])
    assert set(store.read_logs) == {running_clock}
    assert again.statistics()["clocks_running"] == 1
    await again.stop()


async def test_a_table_of_an_older_version_is_listed_after_a_restart(tmp_path: Path) -> None:
    """Older versions stored the list entry and the awake flag only in the log."""
    path = tmp_path / "tables.db"
    store = await SqliteStore.open(path)
    service = TableService(store, settings=QUICK_BOTS)
    made = [(await service.create(new_table(public=public))).table for public in (True, False)]
    before = await service.tables()
    await service.stop()
    await store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE game_table SET line = NULL, awake = 1")
    store = await SqliteStore.open(path)
    service = TableService(store, settings=QUICK_BOTS)
    assert await service.tables() == []
    await service.start()
    await asyncio.gather(*service._maintenance._tasks[:1])
    assert await service.tables() == before
    assert [line.id for line in before] == made[:1]
    assert await store.awake() == []
    await service.stop()
    await store.close()


def test_the_list_shows_the_current_state_of_a_table() -> None:
    with TestClient(make_application(store=MemoryStore())) as client:
        body = {"game": "deep-sea", "seats": [{}, {}], "my_name": "Ana", "public": True}
        table = client.post("/api/tables", json=body).json()["table"]
        client.get("/api/tables")
        client.post(f"/api/tables/{table}/join", json={"name": "Ben"})
        tables = client.app.service  # type: ignore[attr-defined]
        (line,) = asyncio.run(tables.tables())
        assert (line.names, line.stage) == (["Ana", "Ben"], "gathering")


def test_concurrent_calls_share_one_result() -> None:
    store = Counting()
    service = TableService(store, settings=QUICK_BOTS)

    async def scenario() -> None:
        shared = CachedCall(service.tables, seconds=1)
        answers = await asyncio.gather(*(shared.get() for _ in range(50)))
        assert answers == [[]] * 50
        await shared.get()

    asyncio.run(scenario())
    assert store.lists == 1


def test_a_failure_is_not_cached() -> None:
    outcomes = iter([StoreFailed("full"), None, StoreFailed("not asked for")])

    async def make() -> str:
        outcome = next(outcomes)
        if outcome is not None:
            raise outcome
        return "made"

    async def scenario() -> None:
        shared = CachedCall(make, seconds=100)
        first, second = await asyncio.gather(shared.get(), shared.get(), return_exceptions=True)
        assert isinstance(first, StoreFailed)
        assert isinstance(second, StoreFailed)
        assert await shared.get() == "made"
        assert await shared.get() == "made"

    asyncio.run(scenario())


async def test_opening_sockets_is_limited_per_address() -> None:
    """Also if they close before the hello."""
    with running(stricter(new_sockets=Rate(burst=2, per_second=0.001))) as server:
        address = server.socket_of(make_table(server.http)["table"])
        async with Person(address):
            await (await connect(address)).close()
            with pytest.raises(InvalidStatus) as refused:
                await connect(address)
            assert refused.value.response.status_code == 429
            assert int(refused.value.response.headers["Retry-After"]) > 0


async def test_messages_are_limited_per_address() -> None:
    with running(stricter(all_messages=Rate(burst=3, per_second=0.001))) as server:
        address = server.socket_of(make_table(server.http)["table"])
        async with Person(address) as one, Person(address) as other:
            for _ in range(3):
                await one.send({"type": "ping"})
                await one.next("pong")
            await other.send({"type": "ping"})
            assert (await other.next("refused"))["problem"]["code"] == "too_fast"


class Full(MemoryStore):
    """A full disk, until ``room`` is set."""

    room = False

    async def probe(self) -> None:
        if not self.room:
            raise StoreFailed("not written: database or disk is full")


def test_health_is_not_ok_on_a_full_disk() -> None:
    store = Full()
    with TestClient(make_application(store=store)) as client:
        assert client.get("/health").status_code == 503
        assert client.get("/health").json()["code"] == "unavailable"
        store.room = True
        assert client.get("/health").json()["status"] == "ok"


@pytest.mark.soak
async def test_listing_does_not_read_three_thousand_private_tables(tmp_path: Path) -> None:
    """Prints the times; checks that no table is loaded."""
    store = await SqliteStore.open(tmp_path / "tables.db")
    service = TableService(store, settings=QUICK_BOTS)
    for number in range(30):
        requests = [new_table(public=number == 0) for _ in range(100)]
        await asyncio.gather(*map(service.create, requests))
    await service.stop()
    again = TableService(store, settings=QUICK_BOTS)
    started = time.process_time()
    for _ in range(20):
        assert len(msgspec.json.encode(await again.tables())) > 1_000
    listing = (time.process_time() - started) / 20
    started = time.process_time()
    await again.start()
    await asyncio.gather(*again._maintenance._tasks[:1])
    restart = time.process_time() - started
    print(f"\na list costs {1000 * listing:.2f} ms, a restart {restart:.3f} s")
    assert again.statistics()["in_memory"] == 0
    await again.stop()
    await store.close()
