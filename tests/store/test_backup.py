"""Backups during writes, and safe restoring."""

import asyncio
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from archipel.store.errors import (
    DamagedFile,
    FileExists,
    FileInUse,
    FileRefused,
    NewerFile,
    NotArchipelFile,
    StoreFailed,
)
from archipel.store.protocol import EventStore
from archipel.store.sqlite.backup import back_up, restore
from archipel.store.sqlite.store import SqliteStore
from archipel.store.table_copy import Copied


async def make(path: Path, events: list[bytes]) -> None:
    store = await SqliteStore.open(path)
    await store.create_table("t", b"header", private={"key": b"secret"})
    await store.append("t", 0, events, "request")
    await store.close()


async def bodies(path: Path) -> list[bytes]:
    store = await SqliteStore.open(path)
    try:
        return [event.body for event in await store.read("t")]
    finally:
        await store.close()


async def make_backup(database: Path, backup: Path) -> None:
    store = await SqliteStore.open(database)
    try:
        await store.backup(backup)
    finally:
        await store.close()


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup with two events, without its original."""
    asyncio.run(make(tmp_path / "source.db", [b"a", b"b"]))
    asyncio.run(make_backup(tmp_path / "source.db", tmp_path / "backup.db"))
    (tmp_path / "source.db").unlink()
    return tmp_path / "backup.db"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "server"
    folder.mkdir()
    return folder / "archipel.db"


def test_a_backup_while_writing_is_a_snapshot(tmp_path: Path, target: Path) -> None:
    tables = 4

    async def write(
        store: EventStore, table_id: str, under_way: asyncio.Event, stop: asyncio.Event
    ) -> None:
        n = 0
        while not stop.is_set():
            mark = b"%d" % n
            await store.append(table_id, n, [mark], str(n), private={"mark": mark})
            n += 1
            if n == 20:
                under_way.set()

    async def scenario() -> None:
        store = await SqliteStore.open(tmp_path / "archipel.db")
        for table in range(tables):
            await store.create_table(f"t{table}", b"header %d" % table)
        under_way, stop = asyncio.Event(), asyncio.Event()
        writers = [
            asyncio.create_task(write(store, f"t{table}", under_way, stop))
            for table in range(tables)
        ]
        await under_way.wait()
        acknowledged = [await store.last(f"t{table}") for table in range(tables)]
        await store.backup(tmp_path / "backup.db")
        stop.set()
        await asyncio.gather(*writers)
        truth = [await store.read(f"t{table}") for table in range(tables)]
        await store.close()

        restored = restore(tmp_path / "backup.db", target)
        store = await SqliteStore.open(target)
        total = 0
        for table in range(tables):
            copied = await store.read(f"t{table}")
            assert len(copied) >= acknowledged[table]
            assert copied == truth[table][: len(copied)]
            assert await store.header(f"t{table}") == b"header %d" % table
            assert await store.get_private(f"t{table}", "mark") == copied[-1].body
            total += len(copied)
        assert restored == Copied(tables, total)
        await store.close()

    asyncio.run(scenario())


def test_a_backup_is_one_private_file(backup: Path) -> None:
    assert not list(backup.parent.glob("backup.db?*"))
    assert backup.read_bytes()[18:20] == b"\x01\x01", "the backup depends on a write-ahead log"
    if sys.platform != "win32":
        assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_a_backup_never_overwrites(tmp_path: Path, backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(FileExists):
        asyncio.run(make_backup(tmp_path / "other.db", backup))
    with pytest.raises(FileExists):
        asyncio.run(make_backup(tmp_path / "other.db", tmp_path / "other.db"))
    assert backup.read_bytes() == before


def test_back_up_with_and_without_a_server(tmp_path: Path) -> None:
    database = tmp_path / "archipel.db"
    with pytest.raises(FileNotFoundError):
        back_up(database, tmp_path / "none.db")
    assert not list(tmp_path.iterdir())

    async def scenario() -> None:
        store = await SqliteStore.open(database)
        await store.create_table("t", b"")
        await store.append("t", 0, [b"a", b"b"])
        assert await asyncio.to_thread(back_up, database, tmp_path / "first.db") == 1
        await store.create_table("u", b"")
        await store.close()

    asyncio.run(scenario())
    assert back_up(database, tmp_path / "second.db") == 2
    assert back_up(database, tmp_path / "third.db") == 2
    for name in ("first.db", "second.db", "third.db"):
        assert asyncio.run(bodies(tmp_path / name)) == [b"a", b"b"]
    with pytest.raises(FileExists):
        back_up(database, tmp_path / "first.db")


def test_a_backup_to_a_missing_folder_fails(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="nowhere"):
        asyncio.run(make_backup(tmp_path / "archipel.db", tmp_path / "nowhere" / "backup.db"))


def test_restore_to_a_new_file(backup: Path, target: Path) -> None:
    restored = restore(backup, target)
    assert (restored.tables, restored.events, restored.kept) == (1, 2, None)
    assert asyncio.run(bodies(target)) == [b"a", b"b"]
    assert asyncio.run(bodies(backup)) == [b"a", b"b"]


def test_restore_replaces_only_by_force_and_keeps_the_old_file(backup: Path, target: Path) -> None:
    asyncio.run(make(target, [b"old"]))
    before = target.read_bytes()
    with pytest.raises(FileExists):
        restore(backup, target)
    assert target.read_bytes() == before
    for k in (1, 2):
        restored = restore(backup, target, force=True)
        assert restored.kept == str(target.with_name(f"archipel.db.replaced-{k}"))
    assert asyncio.run(bodies(target)) == [b"a", b"b"]
    assert asyncio.run(bodies(target.with_name("archipel.db.replaced-1"))) == [b"old"]
    assert not list(target.parent.glob("*.restoring*"))


def crash_with_a_log(path: Path) -> None:
    """Leave the database as a kill would: the last event is only in the write-ahead log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO event VALUES ('t', 2, 0, x'6c6f67')")  # "log"
        files = {
            name: path.with_name(name).read_bytes() for name in (path.name, f"{path.name}-wal")
        }
    for name, data in files.items():
        path.with_name(name).write_bytes(data)


def test_the_write_ahead_log_is_kept_with_the_old_database(backup: Path, target: Path) -> None:
    asyncio.run(make(target, [b"old"]))
    crash_with_a_log(target)
    kept = Path(restore(backup, target, force=True).kept or "")
    # The log was checkpointed first, so there is no moment without it.
    assert not kept.with_name(f"{kept.name}-wal").exists()
    assert asyncio.run(bodies(target)) == [b"a", b"b"]
    assert asyncio.run(bodies(kept)) == [b"old", b"log"]


def test_a_damaged_database_and_its_log_are_kept_unchanged(backup: Path, target: Path) -> None:
    asyncio.run(make(target, [b"old"]))
    crash_with_a_log(target)
    damaged = target.read_bytes()[:5000]
    target.write_bytes(damaged)
    log = target.with_name("archipel.db-wal").read_bytes()
    kept = Path(restore(backup, target, force=True).kept or "")
    assert asyncio.run(bodies(target)) == [b"a", b"b"]
    assert kept.read_bytes() == damaged
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == log


def test_restore_refuses_a_database_in_use(backup: Path, target: Path) -> None:
    asyncio.run(make(target, [b"old"]))
    store = SqliteStore(target)
    with pytest.raises(FileInUse):
        restore(backup, target, force=True)
    asyncio.run(store.close())
    assert asyncio.run(bodies(target)) == [b"old"]


def overwrite_a_page(backup: Path) -> None:
    with backup.open("rb+") as file:
        file.seek(4096)
        file.write(b"\xff" * 500)


def run_on(backup: Path, statement: str) -> None:
    with closing(sqlite3.connect(backup, isolation_level=None)) as connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        (None, DamagedFile),
        ("PRAGMA application_id = 7", NotArchipelFile),
        ("PRAGMA user_version = 1000", NewerFile),
        ("DELETE FROM event WHERE n = 1", DamagedFile),
    ],
)
def test_restore_refuses_a_bad_backup(
    backup: Path, target: Path, statement: str | None, kind: type[FileRefused]
) -> None:
    asyncio.run(make(target, [b"old"]))
    if statement is None:
        overwrite_a_page(backup)
    else:
        run_on(backup, statement)
    before = {file.name: file.read_bytes() for file in target.parent.iterdir()}
    with pytest.raises(kind, match=r"backup\.db"):
        restore(backup, target, force=True)
    assert {file.name: file.read_bytes() for file in target.parent.iterdir()} == before


def test_restore_refuses_a_missing_or_unfinished_backup(backup: Path, target: Path) -> None:
    with pytest.raises(StoreFailed, match="not restored"):
        restore(backup.with_name("missing.db"), target)
    backup.with_name("backup.db-wal").write_bytes(b"more")
    with pytest.raises(FileRefused, match="not a finished backup"):
        restore(backup, target)
    assert not target.exists()
