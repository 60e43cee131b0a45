"""Backups of a PostgreSQL database, and moving between a file and a database."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from archipel.cli import main
from archipel.store.errors import (
    CopyDiffers,
    DatabaseInUse,
    DatabaseNotEmpty,
    FileExists,
    FileInUse,
)
from archipel.store.postgresql import copying
from archipel.store.postgresql.cluster import Cluster
from archipel.store.postgresql.copying import (
    back_up_database,
    move_to_database,
    restore_to_database,
)
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import EventStore
from archipel.store.sqlite.store import SqliteStore
from archipel.store.table_copy import TableCopy
from tests.store.filled_store import content, fill


async def with_store(store: EventStore, work: Callable[[EventStore], object]) -> object:
    try:
        return await work(store)  # type: ignore[misc]
    finally:
        await store.close()


def content_of_file(path: Path) -> object:
    async def read() -> object:
        return await with_store(await SqliteStore.open(path), content)

    return asyncio.run(read())


def content_of_database(address: str) -> object:
    async def read() -> object:
        return await with_store(await PostgresqlStore.open(address), content)

    return asyncio.run(read())


def filled_file(path: Path) -> Path:
    async def make() -> None:
        await with_store(await SqliteStore.open(path), fill)

    asyncio.run(make())
    return path


def test_moving_there_and_back_loses_nothing(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, back = filled_file(tmp_path / "tables.db"), tmp_path / "back.db"
    assert main(["move-store", str(source), address, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"] == 123
    assert content_of_database(address) == content_of_file(source)
    assert main(["move-store", address, str(back), "--lang", "fr"]) == 0
    assert "Tables\u00a0: 123, événements\u00a0: 125" in capsys.readouterr().out
    assert content_of_file(back) == content_of_file(source)
    with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(back)) as other:
        requests = "SELECT * FROM request ORDER BY 1, 2"
        assert one.execute(requests).fetchall() == other.execute(requests).fetchall()


def test_a_moved_database_accepts_appends(address: str, tmp_path: Path) -> None:
    asyncio.run(move_to_database(filled_file(tmp_path / "tables.db"), address))

    async def go_on(store: EventStore) -> None:
        assert (await store.append("Played_1", 0, [b"?"], "request~1")).repeated
        assert (await store.append("Played_1", 4, [b"e"])).last_n == 5

    async def run() -> None:
        await with_store(await PostgresqlStore.open(address), go_on)

    asyncio.run(run())


def test_nothing_is_overwritten(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = filled_file(tmp_path / "tables.db")
    asyncio.run(move_to_database(source, address))
    before = content_of_database(address)
    with pytest.raises(DatabaseNotEmpty):
        asyncio.run(move_to_database(source, address))
    with pytest.raises(FileExists):
        asyncio.run(back_up_database(address, source, stopped=True))
    assert content_of_database(address) == before
    assert main(["move-store", str(source), str(tmp_path / "other.db")]) == 1
    assert main(["move-store", str(tmp_path / "none.db"), address]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 2
    assert "postgresql://" in errors[0]
    assert "does not exist" in errors[1]
    assert not (tmp_path / "other.db").exists()


def test_a_store_in_use_is_not_moved(address: str, tmp_path: Path) -> None:
    source = filled_file(tmp_path / "tables.db")

    async def while_in_use() -> None:
        file, store = await SqliteStore.open(source), await PostgresqlStore.open(address)
        with pytest.raises(FileInUse):
            await move_to_database(source, address)
        await Cluster(store, "worker").join()
        with pytest.raises(DatabaseInUse):
            await back_up_database(address, tmp_path / "back.db", stopped=True)
        await file.close()
        with pytest.raises(DatabaseInUse):
            await move_to_database(source, address)
        await store.close()

    asyncio.run(while_in_use())
    assert not (tmp_path / "back.db").exists()


def test_a_backup_is_a_snapshot(address: str, tmp_path: Path) -> None:
    """Two tables get events in turn during the backup, and differ by at most one."""

    async def write(store: PostgresqlStore, stop: asyncio.Event, some: asyncio.Semaphore) -> None:
        n = 0
        while not stop.is_set():
            await store.append("a", n, [b"x" * 2000])
            await store.append("b", n, [b"x"])
            n += 1
            if n % 20 == 0:
                some.release()

    async def run() -> None:
        store = await PostgresqlStore.open(address)
        await store.create_table("a", b"")
        await store.create_table("b", b"")
        stop, some = asyncio.Event(), asyncio.Semaphore(0)
        writing = asyncio.create_task(write(store, stop, some))
        for number in range(3):
            await some.acquire()
            await store.backup(tmp_path / f"{number}.db")
        stop.set()
        await writing
        with pytest.raises(FileExists):
            await store.backup(tmp_path / "0.db")
        await store.close()

    asyncio.run(run())
    for number in range(3):
        with closing(sqlite3.connect(tmp_path / f"{number}.db")) as backup:
            counts = dict(
                backup.execute("SELECT table_id, count(*) FROM event GROUP BY 1").fetchall()
            )
        assert counts["a"] - counts["b"] in (0, 1)
        assert counts["b"] >= 20 * (number + 1)
    assert not list(tmp_path.glob("*.partial*"))


def test_restoring(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup = filled_file(tmp_path / "tables.db")
    assert main(["restore", str(backup), "--database", address]) == 0
    assert content_of_database(address) == content_of_file(backup)
    assert main(["restore", str(backup), "--database", address]) == 1
    assert "already has tables" in capsys.readouterr().err
    assert main(["restore", str(backup), "--database", address, "--force"]) == 0
    assert "archipel_replaced_1" in capsys.readouterr().out
    assert content_of_database(address) == content_of_file(backup)
    assert main(["backup", str(tmp_path / "again.db"), "--database", address]) == 0
    assert content_of_file(tmp_path / "again.db") == content_of_file(backup)


def test_a_damaged_backup_is_not_restored(address: str, tmp_path: Path) -> None:
    backup = filled_file(tmp_path / "tables.db")
    with closing(sqlite3.connect(backup)) as file:
        file.execute("DELETE FROM event WHERE table_id = 'old' AND n = 7")
        file.commit()
    asyncio.run(back_up_database(address, tmp_path / "empty.db"))  # creates the schema
    assert main(["restore", str(backup), "--database", address]) == 1
    assert content_of_database(address) == [[], []]


@pytest.mark.parametrize("what", ["line", "awake", "header", "event", "request", "private"])
def test_a_copy_that_differs_is_discarded(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A writer makes one mistake, and reading the table back reveals it."""
    source = filled_file(tmp_path / "tables.db")
    write = copying._write

    async def write_wrongly(target: object, table: TableCopy) -> None:
        if table.table_id == "Played_1":
            line, awake = None if what == "line" else table.row[4], what != "awake"
            rows = {kind: [] if kind == what else rows for kind, rows in table.rows.items()}
            table = TableCopy((*table.row[:4], line, awake), rows)
        await write(target, table)  # type: ignore[arg-type]

    monkeypatch.setattr(copying, "_write", write_wrongly)
    with pytest.raises(CopyDiffers, match="Played_1"):
        asyncio.run(move_to_database(source, address))
    monkeypatch.undo()
    assert content_of_database(address) == [[], []]
    asyncio.run(restore_to_database(source, address))
