"""Damaged pages: other tables are served, and readable tables are salvaged."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from archipel.store.errors import DamagedFile, FileExists, FileInUse, NotArchipelFile, StoreFailed
from archipel.store.protocol import Outlook
from archipel.store.sqlite.backup import restore
from archipel.store.sqlite.salvage import salvage
from archipel.store.sqlite.store import SqliteStore

TABLES = [f"table-{number:02}" for number in range(12)]
BODY = b'{"event": "%d"}' * 40


async def fill(path: Path) -> None:
    store = await SqliteStore.open(path)
    for table_id in TABLES:
        private = {"secret": table_id.encode(), "keys": b"k"}
        await store.create_table(table_id, b"header", private=private)
        events = [BODY + b"%d" % n for n in range(30)]
        await store.append(table_id, 0, events, "request", outlook=Outlook(b"line", awake=False))
    await store.archive(TABLES[0])
    await store.close()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    asyncio.run(fill(tmp_path / "tables.db"))
    return tmp_path / "tables.db"


def leaves_of(path: Path, table: str) -> list[int]:
    """The leaf pages of a table in order."""
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()
    data = path.read_bytes()

    def below(page: int) -> list[int]:
        start = (page - 1) * 4096
        kind, cells = data[start], int.from_bytes(data[start + 3 : start + 5], "big")
        if kind not in (2, 5):
            return [page]
        children = []
        for cell in range(cells):
            at = start + 12 + 2 * cell
            offset = start + int.from_bytes(data[at : at + 2], "big")
            children.append(int.from_bytes(data[offset : offset + 4], "big"))
        children.append(int.from_bytes(data[start + 8 : start + 12], "big"))
        return [leaf for child in children for leaf in below(child)]

    return below(root)


def ruin(path: Path, page: int) -> None:
    with path.open("rb+") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)


async def readable(store: SqliteStore) -> list[str]:
    found = []
    for table_id in TABLES:
        try:
            if len(await store.read(table_id)) == 30:
                found.append(table_id)
        except StoreFailed:
            pass
    return found


def test_a_damaged_page_affects_only_its_tables(database: Path) -> None:
    leaves = leaves_of(database, "event")
    ruin(database, leaves[len(leaves) // 2])

    async def scenario() -> None:
        store = await SqliteStore.open(database)
        assert store.damage
        whole = await readable(store)
        assert len(TABLES) - 3 <= len(whole) < len(TABLES)
        assert {info.table_id for info in await store.tables(archived=None)} == set(TABLES)
        assert len(await store.listed()) == len(TABLES) - 1
        # The damaged page is far from those of the first and the last table.
        for table_id in (TABLES[1], TABLES[-1]):
            await store.append(table_id, 30, [b"more"])
            assert (await store.read(table_id))[-1].body == b"more"
        await store.create_table("zz-new", b"", private={"secret": b"s", "keys": b"k"})
        await store.append("zz-new", 0, [b"first"])
        await store.probe()
        await store.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("table", ["game_table", "game_table_by_activity", "game_table_listed"])
def test_a_damaged_list_of_tables_is_refused(database: Path, table: str) -> None:
    ruin(database, leaves_of(database, table)[0])
    before = database.read_bytes()
    with pytest.raises(DamagedFile):
        SqliteStore(database)
    assert database.read_bytes() == before


def test_readable_tables_are_salvaged(database: Path, tmp_path: Path) -> None:
    leaves = leaves_of(database, "event")
    ruin(database, leaves[len(leaves) // 2])
    before = database.read_bytes()
    seen: list[tuple[int, int]] = []
    found = salvage(
        database, tmp_path / "rescued.db", on_table=lambda done, of: seen.append((done, of))
    )
    assert database.read_bytes() == before
    assert seen[-1] == (12, 12)
    assert sorted([*found.whole, *found.shortened, *found.lost]) == TABLES
    assert len(found.whole) >= len(TABLES) - 3
    assert found.shortened or found.lost
    assert found.tables == len(found.whole) + len(found.shortened)
    restored = restore(tmp_path / "rescued.db", tmp_path / "again.db")
    assert restored.tables == found.tables

    async def scenario() -> None:
        store = await SqliteStore.open(tmp_path / "again.db")
        for table_id in found.whole:
            assert len(await store.read(table_id)) == 30
            assert await store.get_private(table_id, "secret") == table_id.encode()
            assert (await store.append(table_id, 0, [b""], "request")).repeated
        for table_id, last in found.shortened.items():
            assert len(await store.read(table_id)) == last
        awake = {standing.table_id for standing in await store.awake()}
        assert awake == {*found.whole, *found.shortened} - {TABLES[0]}
        await store.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("table", ["game_table", "header", "request", "game_table_by_activity"])
def test_what_only_points_to_tables_can_be_done_without(
    database: Path, tmp_path: Path, table: str
) -> None:
    ruin(database, leaves_of(database, table)[0])
    found = salvage(database, tmp_path / "rescued.db")
    assert list(found.whole) == TABLES
    restore(tmp_path / "rescued.db", tmp_path / "again.db")


def test_a_table_without_its_secret_is_lost(database: Path, tmp_path: Path) -> None:
    for page in leaves_of(database, "private"):
        ruin(database, page)
    found = salvage(database, tmp_path / "rescued.db")
    assert list(found.lost) == TABLES


def test_the_judge_decides_where_a_log_ends(database: Path, tmp_path: Path) -> None:
    found = salvage(database, tmp_path / "rescued.db", judge=lambda events: 7)
    assert found.shortened == dict.fromkeys(TABLES, 7)
    nothing = salvage(database, tmp_path / "nothing.db", judge=lambda events: 0)
    assert list(nothing.lost) == TABLES


def test_what_is_only_in_the_log_is_brought_out_too(tmp_path: Path) -> None:
    path, copy = tmp_path / "tables.db", tmp_path / "crashed.db"

    async def crash() -> None:
        store = await SqliteStore.open(path)
        await store.create_table("abcdefgh", b"", private={"secret": b"s"})
        await store.append("abcdefgh", 0, [b"one", b"two"])
        await asyncio.to_thread(copy_as_it_is)
        await store.close()

    def copy_as_it_is() -> None:
        for suffix in ("", "-wal"):
            Path(f"{copy}{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())

    asyncio.run(crash())
    assert salvage(copy, tmp_path / "rescued.db").whole == ("abcdefgh",)


def _not_a_database(path: Path) -> None:
    path.write_bytes(b"something else" * 1000)


def _first_page(path: Path) -> None:
    with path.open("rb+") as file:
        file.seek(100)
        file.write(b"\xff" * 3996)


@pytest.mark.parametrize(
    ("spoil", "kind"), [(_not_a_database, NotArchipelFile), (_first_page, StoreFailed)]
)
def test_where_nothing_can_be_read_nothing_is_written(
    database: Path, tmp_path: Path, spoil: Callable[[Path], None], kind: type[Exception]
) -> None:
    spoil(database)
    with pytest.raises((kind, DamagedFile)):
        salvage(database, tmp_path / "rescued.db")
    assert not list(tmp_path.glob("rescued*"))


def test_salvage_refuses_existing_targets_and_databases_in_use(
    database: Path, tmp_path: Path
) -> None:
    with pytest.raises(FileExists):
        salvage(database, database)
    with pytest.raises(FileNotFoundError):
        salvage(tmp_path / "none.db", tmp_path / "rescued.db")
    store = SqliteStore(database)
    with pytest.raises(FileInUse):
        salvage(database, tmp_path / "rescued.db")
    asyncio.run(store.close())
