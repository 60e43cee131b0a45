"""Backups of a running server, and continuing from one."""

import asyncio
from pathlib import Path

import pytest

from archipel.store.errors import FileExists
from archipel.store.sqlite.store import SqliteStore
from archipel.tables.administration import back_up, restore
from tests.tables.people import Friends, make_service, running
from tests.tables.secret_cards import PASS


@pytest.mark.promise("recovery")
def test_a_game_continues_from_a_backup_of_a_running_server(tmp_path: Path) -> None:
    database, copy, elsewhere = (tmp_path / name for name in ("a.db", "copy.db", "b.db"))

    async def scenario() -> Friends:
        store = await SqliteStore.open(database)
        async with running(make_service(store)) as service:
            friends = await Friends.gather(service)
            await friends.play(0, PASS)
            assert await asyncio.to_thread(back_up, database, copy) == 1
            await friends.play(1, PASS)
        await store.close()
        return friends

    friends = asyncio.run(scenario())
    assert restore(copy, elsewhere).tables == 1

    async def go_on() -> None:
        store = await SqliteStore.open(elsewhere)
        async with running(make_service(store)) as service:
            friends.service = service
            assert (await friends.view(1)).to_move == 1
            await friends.play(1, PASS)
        await store.close()

    asyncio.run(go_on())


def test_a_database_that_is_not_in_use_is_backed_up(tmp_path: Path) -> None:
    async def make() -> None:
        await (await SqliteStore.open(tmp_path / "a.db")).close()

    asyncio.run(make())
    assert back_up(tmp_path / "a.db", tmp_path / "copy.db") == 0
    with pytest.raises(FileExists):
        back_up(tmp_path / "a.db", tmp_path / "copy.db")
    with pytest.raises(FileNotFoundError):
        back_up(tmp_path / "missing.db", tmp_path / "other.db")
    assert not (tmp_path / "missing.db").exists()
