"""Database files: opening, refusing, locking and migrating."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from archipel.store.errors import (
    DamagedFile,
    FileInUse,
    FileRefused,
    NewerFile,
    NotArchipelFile,
    StoreError,
    StoreFailed,
)
from archipel.store.sqlite import schema
from archipel.store.sqlite.store import SqliteStore
from tests.store.processes import python_running

ADD_A_COLUMN = """
ALTER TABLE game_table ADD COLUMN title TEXT NOT NULL DEFAULT 'untitled';
CREATE INDEX game_table_by_title ON game_table (title);
"""
REBUILD_A_PARENT = """
CREATE TABLE rebuilt (
    id TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL,
    active_at INTEGER NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0,
    title TEXT,
    line BLOB,
    awake INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
INSERT INTO rebuilt SELECT id, created_at, active_at, archived, title, line, awake FROM game_table;
DROP TABLE game_table;
ALTER TABLE rebuilt RENAME TO game_table;
"""
LOSE_THE_PARENTS = "DELETE FROM game_table"
FAIL_HALFWAY = "CREATE TABLE halfway (id); CREATE TABLE halfway (id)"


async def make(path: Path) -> None:
    store = await SqliteStore.open(path)
    await store.create_table("t", b"header", private={"key": b"secret"})
    await store.append("t", 0, [b"%d" % n * 400 for n in range(100)], "request")
    await store.close()


async def check(path: Path) -> None:
    store = await SqliteStore.open(path)
    assert await store.last("t") == 100
    assert (await store.append("t", 0, [b""], "request")).repeated
    assert await store.get_private("t", "key") == b"secret"
    await store.append("t", 100, [b"more"])
    await store.delete("t")
    await store.close()


def content(folder: Path) -> dict[str, bytes]:
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if not file.name.endswith((".lock", "-shm"))
    }


def assert_refused_unchanged(path: Path, kind: type[StoreError], message: str) -> None:
    before = content(path.parent)
    with pytest.raises(kind, match=message) as caught:
        SqliteStore(path)
    assert "\n" not in str(caught.value)
    assert content(path.parent) == before


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return schema.file_version(connection)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "archipel.db"
    asyncio.run(make(path))
    return path


def test_settings(database: Path) -> None:
    def settings(connection: sqlite3.Connection) -> list[object]:
        return [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]

    async def scenario() -> None:
        store = await SqliteStore.open(database)
        assert await store._write(settings) == ["wal", 2, 1, 5000]
        with pytest.raises(StoreFailed, match="readonly"):
            await store._readers.run(
                lambda connection: connection.execute("DELETE FROM game_table")
            )
        await store.close()

    asyncio.run(scenario())


@pytest.mark.skipif(sys.platform == "win32", reason="file modes")
def test_only_the_owner_can_read_the_file(database: Path) -> None:
    assert stat.S_IMODE(database.stat().st_mode) == 0o600


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    asyncio.run(make(path))
    asyncio.run(check(path))


def test_an_interrupted_creation_starts_again(tmp_path: Path) -> None:
    (tmp_path / "archipel.db.new").write_bytes(b"half of a database")
    asyncio.run(make(tmp_path / "archipel.db"))
    assert not (tmp_path / "archipel.db.new").exists()


def test_a_log_without_its_database_is_not_deleted(tmp_path: Path) -> None:
    (tmp_path / "archipel.db-wal").write_bytes(b"somebody's moves")
    assert_refused_unchanged(tmp_path / "archipel.db", FileRefused, "-wal")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="nowhere"):
        SqliteStore(tmp_path / "nowhere" / "archipel.db")


@pytest.mark.parametrize("text", [b"Dear diary", b"x" * 5000, b"SQLite format 3\0"])
def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "diary.txt"
    path.write_bytes(text)
    assert_refused_unchanged(path, NotArchipelFile, "not an Archipel database")


@pytest.mark.parametrize("journal_mode", ["DELETE", "WAL"])
def test_another_program_s_database_is_refused(tmp_path: Path, journal_mode: str) -> None:
    path = tmp_path / "photos.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal_mode}")
        connection.execute("CREATE TABLE photo (id)")
        connection.commit()
    assert_refused_unchanged(path, NotArchipelFile, "not an Archipel database")


def test_a_newer_file_is_refused(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 1000")
    assert_refused_unchanged(database, NewerFile, "made by a newer Archipel")


def test_a_newer_file_after_a_crash_is_refused_with_its_log(database: Path) -> None:
    # The newer version number is only in the log, as after a kill: copy the files while open.
    crashed = database.parent / "crashed"
    crashed.mkdir()
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 1000")
        for name in (database.name, f"{database.name}-wal"):
            (crashed / name).write_bytes((database.parent / name).read_bytes())
    assert b"\x00\x00\x03\xe8" not in (crashed / database.name).read_bytes()[:100]
    assert_refused_unchanged(crashed / database.name, NewerFile, "made by a newer Archipel")


def test_an_impossible_version_is_refused(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA user_version = 0")
    assert_refused_unchanged(database, DamagedFile, "version 0")


@pytest.mark.parametrize("page", [1, 2])
def test_a_damaged_file_is_refused(database: Path, page: int) -> None:
    with database.open("rb+") as file:
        file.seek((page - 1) * 4096 + 100 * (page == 1))
        file.write(b"\xff" * 200)
    assert_refused_unchanged(database, DamagedFile, "damaged")


def test_a_cut_off_file_is_refused(database: Path) -> None:
    os.truncate(database, database.stat().st_size // 2)
    assert_refused_unchanged(database, DamagedFile, "damaged")


def test_rows_without_a_table_are_refused(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DELETE FROM game_table")
        connection.commit()
    assert_refused_unchanged(database, DamagedFile, "belongs to no table")


def test_a_second_writer_is_refused(database: Path) -> None:
    link = database.with_name("link.db")
    link.symlink_to(database)
    store = SqliteStore(database)
    for path in (database, link):
        with pytest.raises(FileInUse, match="in use by another Archipel"):
            SqliteStore(path)
    command = python_running("tests.store.second_writer", str(database))
    output = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert output.count("\n") == 1
    assert "in use by another Archipel" in output
    asyncio.run(store.close())
    asyncio.run(check(database))


def test_a_second_writer_is_refused_through_a_hard_link(database: Path) -> None:
    """SQLite has one log per file name: two logs would damage the file."""
    other = database.with_name("other.db")
    os.link(database, other)
    store = SqliteStore(database)
    command = python_running("tests.store.second_writer", str(other))
    output = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert "in use by another Archipel" in output
    asyncio.run(store.close())
    asyncio.run(check(other))


def test_a_new_file_is_locked_through_a_hard_link(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "new.db")
    os.link(tmp_path / "new.db", tmp_path / "other.db")
    command = python_running("tests.store.second_writer", str(tmp_path / "other.db"))
    output = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert "in use by another Archipel" in output
    asyncio.run(store.close())


def test_migrations_upgrade_an_old_file(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert version_of(database) == len(schema.MIGRATIONS)
    newer = (*schema.MIGRATIONS, ADD_A_COLUMN, REBUILD_A_PARENT)
    monkeypatch.setattr(schema, "MIGRATIONS", newer)
    asyncio.run(check(database))
    assert version_of(database) == len(newer)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (0,)  # cascaded
    fresh = database.with_name("fresh.db")
    asyncio.run(make(fresh))
    assert version_of(fresh) == len(newer)


@pytest.mark.parametrize("bad", [FAIL_HALFWAY, LOSE_THE_PARENTS])
def test_a_failed_migration_leaves_the_previous_version(
    database: Path, monkeypatch: pytest.MonkeyPatch, bad: str
) -> None:
    released = schema.MIGRATIONS
    monkeypatch.setattr(schema, "MIGRATIONS", (*released, ADD_A_COLUMN, bad))
    with pytest.raises(StoreFailed):
        SqliteStore(database)
    assert version_of(database) == len(released) + 1
    monkeypatch.setattr(schema, "MIGRATIONS", (*released, ADD_A_COLUMN))
    asyncio.run(check(database))
