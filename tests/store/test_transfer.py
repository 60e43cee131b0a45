"""Tables go from a database to a file and back, by ``archipel export`` and ``archipel import``."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from archipel.cli import main
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import EventStore, Outlook
from archipel.store.sqlite.store import SqliteStore
from archipel.store.table_file import read_table_file
from archipel.store.transfer import Imported, export_tables, import_tables


async def fill(store: EventStore) -> None:
    await store.create_table("table-1", b"header", private={"secret": b"hidden"})
    await store.append("table-1", 0, [b"one", b"two"], "request-1", outlook=Outlook(b"line", True))
    await store.create_table("table-2", b"other")
    await store.archive("table-2")
    await store.close()


async def check(store: EventStore) -> None:
    """The store has what `fill` has written."""
    assert [event.body for event in await store.read("table-1")] == [b"one", b"two"]
    assert await store.get_private("table-1", "secret") == b"hidden"
    assert (await store.append("table-1", 0, [b"one", b"two"], "request-1")).repeated
    assert (await store.append("table-1", 2, [b"three"])).first_n == 3
    assert [info.table_id for info in await store.tables(archived=True)] == ["table-2"]
    await store.close()


async def test_tables_come_back_from_their_file(tmp_path: Path, address: str) -> None:
    before, file = tmp_path / "before.db", tmp_path / "tables.archipel"
    await fill(await SqliteStore.open(before))
    assert await asyncio.to_thread(export_tables, before, file) == 2
    for name, database in (("file", tmp_path / "after.db"), ("database", address)):
        assert await asyncio.to_thread(import_tables, file, database) == Imported(2, 0)
        assert await asyncio.to_thread(import_tables, file, database) == Imported(0, 2)
        copy = tmp_path / name
        await asyncio.to_thread(export_tables, database, copy)
        assert read_table_file(copy.read_bytes()) == read_table_file(file.read_bytes())
    await check(await SqliteStore.open(tmp_path / "after.db"))
    await check(await PostgresqlStore.open(address))


def test_the_commands_say_what_they_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, database = tmp_path / "tables.archipel", tmp_path / "tables.db"
    assert main(["export", str(file), "--database", str(database)]) == 1
    assert str(database) in capsys.readouterr().err
    file.write_bytes(b"no tables")
    assert main(["import", str(file), "--database", str(database)]) == 1
    assert "no file of tables" in capsys.readouterr().err
    asyncio.run(filled(database))
    file.unlink()
    assert main(["export", str(file), "--database", str(database), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"] == 2
    assert main(["import", str(file), "--database", str(database), "--lang", "fr"]) == 0
    assert "déjà présentes" in capsys.readouterr().out


async def filled(database: Path) -> None:
    await fill(await SqliteStore.open(database))
