"""A full disk: failed writes are not acknowledged, and the store recovers."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from archipel.store.errors import StoreFailed
from archipel.store.protocol import Appended
from archipel.store.sqlite.store import SqliteStore
from tests.store.processes import python_running
from tests.store.test_group_commit import submitted, writer_blocked

LARGE = b"x" * 200_000


async def limit_pages(store: SqliteStore, more: int) -> None:
    def work(connection: sqlite3.Connection) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + more}")

    await store._write(work)


async def test_a_full_disk_refuses_only_large_requests(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "archipel.db")
    await store.create_table("t", b"")
    await store.create_table("u", b"")
    await store.append("t", 0, [b"before"])
    await limit_pages(store, 3)
    with writer_blocked(store):
        calls = [
            asyncio.create_task(call)
            for call in (
                store.append("t", 1, [b"small"], "small"),
                store.append("u", 0, [LARGE], "large", private={"key": b"lost"}),
                store.append("t", 2, [b"after"], "after"),
            )
        ]
        await submitted()
    small, large, after = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(small, Appended)
    assert isinstance(large, StoreFailed)
    assert "full" in str(large)
    assert isinstance(after, Appended)
    assert await store.last("u") == 0
    assert await store.get_private("u", "key") is None
    await limit_pages(store, 1000)
    assert not (await store.append("u", 0, [LARGE], "large")).repeated
    await store.close()

    store = await SqliteStore.open(tmp_path / "archipel.db")
    assert [event.body for event in await store.read("t")] == [b"before", b"small", b"after"]
    assert [event.body for event in await store.read("u")] == [LARGE]
    await store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
@pytest.mark.promise("durable")
def test_an_error_at_commit_fails_the_whole_batch(tmp_path: Path) -> None:
    # In a process of its own, because a limit on file sizes holds for the whole process.
    finished = subprocess.run(
        python_running("tests.store.failing_commit", str(tmp_path / "a.db")),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split() == ["StoreFailed"] * 5 + ["5"]

    async def read_back() -> list[bytes]:
        store = await SqliteStore.open(tmp_path / "a.db")
        try:
            return [event.body[:5] for event in await store.read("t")]
        finally:
            await store.close()

    assert asyncio.run(read_back()) == [b"%05d" % n for n in range(5)]


async def test_a_probe_detects_a_store_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqliteStore.open(tmp_path / "archipel.db")
    await store.probe()
    with monkeypatch.context() as patched:
        usage = shutil.disk_usage(tmp_path)._replace(free=1_000_000)
        patched.setattr(shutil, "disk_usage", lambda path: usage)
        with pytest.raises(StoreFailed, match="the disk is full"):
            await store.probe()
    await store.probe()
    store._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreFailed, match="not written"):
        await store.probe()
    store._connection.execute("PRAGMA query_only = OFF")
    await store.probe()
    await store.close()
