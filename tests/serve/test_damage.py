"""A database with damaged pages is served in part, reported and salvaged."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from archipel.cli import main
from archipel.serve import startup
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import TableService
from archipel.tables.commands import NewTable, SeatWish
from tests.serve.running import QUICK_BOTS, make_application
from tests.store.test_salvage import leaves_of, ruin


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, list[str]]:
    """A database with tables in it, in the order of their ids."""

    async def fill(path: Path) -> list[str]:
        store = await SqliteStore.open(path)
        service = TableService(store, settings=QUICK_BOTS)
        new_table = NewTable(
            "deep-sea", [SeatWish(), SeatWish()], "Ana", hot_seat=True, begin=True, public=True
        )
        tables = [(await service.create(new_table)).table for _ in range(20)]
        await service.stop()
        await store.close()
        return sorted(tables)

    path = tmp_path / "tables.db"
    return path, asyncio.run(fill(path))


def test_undamaged_tables_are_served(made: tuple[Path, list[str]]) -> None:
    path, tables = made
    leaves = leaves_of(path, "event")
    ruin(path, leaves[len(leaves) // 2])
    store = SqliteStore(path)
    assert store.damage
    with TestClient(make_application(store=store)) as client:
        answers = [client.get(f"/api/tables/{table}").status_code for table in tables]
        assert set(answers) == {200, 503}
        assert answers.count(503) < len(tables) / 2
        assert len(client.get("/api/tables").json()) == len(tables)
        assert client.get("/health").status_code == 200
        body = {"game": "deep-sea", "seats": [{}, {}], "my_name": "Ben"}
        assert client.post("/api/tables", json=body).status_code in (201, 503)


def test_a_server_warns_about_a_damaged_file(
    made: tuple[Path, list[str]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, _ = made
    leaves = leaves_of(path, "event")
    ruin(path, leaves[-1])

    def run(self: object, store: SqliteStore) -> int:
        asyncio.run(store.close())
        return 0

    monkeypatch.setattr(startup._Serving, "run", run)
    assert main(["serve", "--local", "--port", "0", "--database", str(path)]) == 0
    output = capsys.readouterr().err
    assert "is damaged" in output
    assert "archipel salvage" in output


def test_salvage_command(
    made: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two tables have an unreadable event, one of them at the very beginning."""
    path, tables = made
    with sqlite3.connect(path) as connection:
        for table, n in ((tables[3], 2), (tables[5], 1)):
            connection.execute(
                "UPDATE event SET body = x'00' WHERE table_id = ? AND n = ?", (table, n)
            )
    rescued = tmp_path / "rescued.db"
    command = ["salvage", "--database", str(path)]
    assert main([*command, str(rescued)]) == 2
    output = capsys.readouterr().out
    assert "Tables: 19." in output
    assert f"{tables[3]}: up to event 1" in output
    assert output.splitlines()[-1].strip() == tables[5]
    assert main([*command, str(tmp_path / "other.db"), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["shortened"] == {tables[3]: 1}
    assert found["lost"] == [tables[5]]
    assert len(found["whole"]) == 18
    assert main([*command, str(rescued)]) == 1
    assert "already exists" in capsys.readouterr().err
    assert main(["salvage", "x.db", "--database", str(tmp_path / "none.db"), "--lang", "fr"]) == 1
    assert "n’existe pas" in capsys.readouterr().err
    assert main(["restore", str(rescued), "--database", str(path), "--force"]) == 0
    with TestClient(make_application(store=SqliteStore(path))) as client:
        assert client.get(f"/api/tables/{tables[3]}").status_code == 200
        assert client.get(f"/api/tables/{tables[5]}").status_code == 404
