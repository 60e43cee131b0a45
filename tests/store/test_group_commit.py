"""Group commit: many requests per commit, and failing requests among them."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from archipel.store.errors import Conflict, StoreBusy, StoreClosed, StoreFailed
from archipel.store.protocol import Appended
from archipel.store.sqlite.store import SqliteStore


@contextmanager
def writer_blocked(store: SqliteStore) -> Iterator[None]:
    """Block the writer thread, so that submitted requests are queued."""
    started, release = threading.Event(), threading.Event()

    def hold(connection: sqlite3.Connection) -> None:
        started.set()
        release.wait()

    store._writer.submit(hold)
    started.wait()
    try:
        yield
    finally:
        release.set()


async def submitted() -> None:
    """Let earlier tasks run until they wait for the writer."""
    await asyncio.sleep(0)


def closing_has_begun(store: SqliteStore) -> None:
    while not store._writer._closing:
        time.sleep(0.001)


async def test_waiting_appends_share_one_commit(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "archipel.db")
    for table in range(100):
        await store.create_table(f"t{table}", b"")
    commits_before = store.commits
    with writer_blocked(store):
        appends = [
            asyncio.create_task(store.append(f"t{table}", 0, [b"a"])) for table in range(100)
        ]
        await submitted()
    await asyncio.gather(*appends)
    assert store.commits - commits_before == 2  # that of the blocking request, and the shared one
    await store.close()


def test_a_failing_request_does_not_affect_others(tmp_path: Path) -> None:
    def break_halfway(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE game_table SET created_at = -1")
        raise LookupError("halfway")

    async def scenario() -> None:
        store = await SqliteStore.open(tmp_path / "archipel.db")
        await store.create_table("t", b"")
        with writer_blocked(store):
            calls = [
                asyncio.create_task(call)
                for call in (
                    store.append("t", 0, [b"a"]),
                    store.append("t", 0, [b"late"]),
                    store._write(break_halfway),
                    store._write(lambda connection: connection.execute("not SQL")),
                    store.append("t", 1, [b"b"]),
                )
            ]
            await submitted()
        first, conflict, halfway, not_sql, second = await asyncio.gather(
            *calls, return_exceptions=True
        )
        assert isinstance(first, Appended)
        assert isinstance(conflict, Conflict)
        assert conflict.actual_n == 1
        assert isinstance(halfway, LookupError)
        assert isinstance(not_sql, StoreFailed)
        assert isinstance(second, Appended)
        assert [event.body for event in await store.read("t")] == [b"a", b"b"]
        assert (await store.tables())[0].created_at > 0
        await store.close()

    asyncio.run(scenario())


async def test_an_error_in_the_writer_fails_its_requests_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqliteStore.open(tmp_path / "archipel.db")
    await store.create_table("t", b"")
    write, errors = store._writer._write, [MemoryError(), SystemExit()]

    def fail(batch: list[object]) -> None:
        if errors:
            raise errors.pop()
        write(batch)  # type: ignore[arg-type]

    monkeypatch.setattr(store._writer, "_write", fail)
    async with asyncio.timeout(60):
        for _ in range(2):
            with pytest.raises(StoreFailed, match="in the writer"):
                await store.append("t", 0, [b"a"])
        assert (await store.append("t", 0, [b"a"])).last_n == 1
        await store.close()


async def test_a_writer_that_fails_again_and_again_stops_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqliteStore.open(tmp_path / "archipel.db")
    await store.create_table("t", b"")

    def fail(batch: list[object]) -> None:
        raise MemoryError

    monkeypatch.setattr(store._writer, "_write", fail)
    async with asyncio.timeout(60):
        for n in range(5):
            with pytest.raises(StoreFailed):
                await store.append("t", 0, [b"a"], str(n))
        assert store.failure
        with pytest.raises(StoreFailed, match="has stopped"):
            await store.probe()
        await store.close()


async def test_the_queue_is_bounded(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "archipel.db", queue=3)
    await store.create_table("t", b"")
    with writer_blocked(store):
        appends = [asyncio.create_task(store.append("t", n, [b"%d" % n], str(n))) for n in range(3)]
        await submitted()
        with pytest.raises(StoreBusy):
            await store.append("t", 3, [b"3"])
    await asyncio.gather(*appends)
    assert await store.last("t") == 3
    assert (await store.append("t", 3, [b"3"])).last_n == 4
    await store.close()


async def test_a_queued_request_is_not_written_after_cancellation(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "archipel.db")
    await store.create_table("t", b"")
    with writer_blocked(store):
        append = asyncio.create_task(store.append("t", 0, [b"a"]))
        await submitted()
        append.cancel()
        await asyncio.gather(append, return_exceptions=True)
    assert (await store.append("t", 0, [b"b"])).last_n == 1
    await store.close()


def test_close_finishes_accepted_requests(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await SqliteStore.open(tmp_path / "archipel.db")
        await store.create_table("t", b"")
        with writer_blocked(store):
            appends = [asyncio.create_task(store.append("t", n, [b"a"])) for n in range(20)]
            await submitted()
            closing = asyncio.create_task(store.close())
            await asyncio.to_thread(closing_has_begun, store)
            with pytest.raises(StoreClosed):
                await store.append("t", 20, [b"a"])
        assert [answer.last_n for answer in await asyncio.gather(*appends)] == list(range(1, 21))
        await closing
        store = await SqliteStore.open(tmp_path / "archipel.db")
        assert await store.last("t") == 20
        await store.close()

    asyncio.run(scenario())
    assert not (tmp_path / "archipel.db-wal").exists()
