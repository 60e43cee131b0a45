"""Restore a backup through a server that has the database open."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from archipel.store.durable_files import beside
from archipel.store.errors import DamagedFile, FileRefused, NotArchipelFile, StoreFailed
from archipel.store.sqlite.backup import (
    accept_offer,
    back_up,
    forget_offers,
    put_accepted_in_place,
    restore_through_server,
)
from archipel.store.sqlite.store import SqliteStore

FIRST, SECOND = "first-table", "second-table"


async def _make(path: Path, *tables: str) -> None:
    store = await SqliteStore.open(path)
    for table in tables:
        await store.create_table(table, b"{}")
        await store.append(table, 0, [b"{}"])
    await store.close()


async def _tables(path: Path) -> set[str]:
    store = await SqliteStore.open(path)
    found = {info.table_id for info in await store.tables()}
    await store.close()
    return found


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with two tables; its backup ``copy.db`` has only the first."""
    path = tmp_path / "tables.db"
    asyncio.run(_make(path, FIRST))
    back_up(path, tmp_path / "copy.db")
    asyncio.run(_make(path, SECOND))
    return path


class RunningServer(threading.Thread):
    """A server that has a database open and polls for offers."""

    def __init__(self, database: Path) -> None:
        super().__init__(daemon=True)
        self.database = database
        self.store = SqliteStore(database)
        self.meanwhile: Callable[[Path], object] = lambda accepted: None
        self._ends = threading.Event()
        self.start()

    def run(self) -> None:
        while not self._ends.wait(0.01):
            accepted = accept_offer(self.database)
            if accepted is None:
                continue
            asyncio.run(self.store.close())
            self.meanwhile(accepted)
            put_accepted_in_place(accepted, self.database)
            self.store = SqliteStore(self.database)

    def end(self) -> None:
        self._ends.set()
        self.join(10)
        asyncio.run(self.store.close())


def unexpected_files(database: Path) -> list[str]:
    """Files beside the database that should not exist."""
    expected = (database.name, f"{database.name}.lock", f"{database.name}.replaced-1", "copy.db")
    return sorted(path.name for path in database.parent.iterdir() if path.name not in expected)


@pytest.mark.promise("recovery")
def test_a_server_restores_an_offered_backup(database: Path) -> None:
    server = RunningServer(database)
    restored = restore_through_server(database.parent / "copy.db", database, timeout=10)
    assert (restored.tables, restored.events) == (1, 1)
    kept = beside(database.resolve(), ".replaced-1")
    assert restored.kept == str(kept)
    server.end()
    assert asyncio.run(_tables(database)) == {FIRST}
    assert asyncio.run(_tables(kept)) == {FIRST, SECOND}
    beside(kept, ".lock").unlink()
    assert unexpected_files(database) == []


def test_a_bad_backup_is_not_offered(database: Path) -> None:
    server = RunningServer(database)
    bad = database.parent / "bad.db"
    bad.write_text("no database at all" * 100)
    with pytest.raises(NotArchipelFile, match=r"bad\.db"):
        restore_through_server(bad, database, timeout=10)
    whole = (database.parent / "copy.db").read_bytes()
    bad.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedFile, match=r"bad\.db"):
        restore_through_server(bad, database, timeout=10)
    bad.write_bytes(whole)
    beside(bad, "-wal").write_bytes(b"moves")
    with pytest.raises(FileRefused, match="not a finished backup"):
        restore_through_server(bad, database, timeout=10)
    server.end()
    assert asyncio.run(_tables(database)) == {FIRST, SECOND}
    assert unexpected_files(database) == ["bad.db", "bad.db-wal"]


def test_a_failure_at_the_server_is_reported(database: Path) -> None:
    server = RunningServer(database)
    server.meanwhile = lambda accepted: accepted.write_bytes(b"overwritten")
    with pytest.raises(StoreFailed, match=r"was not restored: .* is not an Archipel database"):
        restore_through_server(database.parent / "copy.db", database, timeout=10)
    server.end()
    assert asyncio.run(_tables(database)) == {FIRST, SECOND}
    assert unexpected_files(database) == []


def test_a_server_that_does_not_answer_changes_nothing(database: Path) -> None:
    store = SqliteStore(database)
    with pytest.raises(StoreFailed, match="did not accept the backup: nothing was restored"):
        restore_through_server(database.parent / "copy.db", database, timeout=0.3)
    assert accept_offer(database) is None
    asyncio.run(store.close())
    assert asyncio.run(_tables(database)) == {FIRST, SECOND}


def test_a_server_that_accepts_but_does_not_answer(database: Path) -> None:
    server = RunningServer(database)
    is_over = threading.Event()
    server.meanwhile = lambda accepted: is_over.wait(20)
    with pytest.raises(StoreFailed, match="accepted the backup but did not answer"):
        restore_through_server(database.parent / "copy.db", database, timeout=0.5)
    with pytest.raises(FileRefused, match="is being restored by somebody else"):
        restore_through_server(database.parent / "copy.db", database, timeout=0.5)
    is_over.set()
    server.end()
    assert asyncio.run(_tables(database)) == {FIRST}


def test_if_the_server_stops_the_caller_restores(database: Path) -> None:
    store = SqliteStore(database)
    ending = threading.Timer(0.3, lambda: asyncio.run(store.close()))
    ending.start()
    restored = restore_through_server(database.parent / "copy.db", database, timeout=20)
    ending.join()
    assert restored.kept is not None
    assert asyncio.run(_tables(database)) == {FIRST}


def test_a_new_server_removes_old_offers(database: Path) -> None:
    for suffix in (".offered", ".accepted", ".answer"):
        beside(database, suffix).write_bytes(b"old")
    forget_offers(database)
    assert accept_offer(database) is None
    assert unexpected_files(database) == []
