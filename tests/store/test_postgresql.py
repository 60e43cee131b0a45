"""What only a PostgreSQL store has to do: opening, secrets, outages; the rest is conformance."""

import asyncio
import builtins
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from archipel.store.errors import StoreFailed
from archipel.store.postgresql.connections import NoLibrary, is_postgresql, without_password
from archipel.store.postgresql.schema import MIGRATIONS
from archipel.store.postgresql.store import PostgresqlStore
from tests.support.postgresql import database, execute


@pytest.fixture
def address() -> Iterator[str]:
    with database() as address:
        yield address


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ana:s3cret@db/tables", "postgresql://ana@db/tables"),
        ("postgres://ana@db:5433/tables?password=s3cret", "postgres://ana@db:5433/tables"),
        ("postgresql:///tables?host=/run/pg", "postgresql:///tables?host=/run/pg"),
        ("postgresql://a:b@c:d@db/x", "postgresql://a@db/x"),
    ],
)
def test_a_password_is_not_shown(address: str, shown: str) -> None:
    assert is_postgresql(address)
    assert without_password(address) == shown


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ana:s3cret@127.0.0.1:1/tables",
        "postgresql://ana:s3cret@127.0.0.1:x/tables",
        "postgresql://ana:s3cret@[bad/tables",
    ],
)
def test_an_address_that_cannot_be_opened_is_told_without_its_password(address: str) -> None:
    with pytest.raises(StoreFailed) as caught:
        asyncio.run(PostgresqlStore.open(address))
    assert "cannot be opened" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_without_the_library_a_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name == "asyncpg":
            raise ImportError(name)
        return original(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "asyncpg")
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(NoLibrary, match=r"pip install 'archipel\[postgresql\]'"):
        asyncio.run(PostgresqlStore.open("postgresql://localhost/tables"))


def test_many_open_an_empty_database_at_once(address: str) -> None:
    async def open_and_use() -> None:
        stores = await asyncio.gather(*(PostgresqlStore.open(address) for _ in range(4)))
        await stores[0].create_table("t", b"")
        assert [await store.last("t") for store in stores] == [0] * 4
        for store in stores:
            await store.close()

    asyncio.run(open_and_use())


def test_a_newer_database_is_refused(address: str) -> None:
    async def open_and_close() -> None:
        await (await PostgresqlStore.open(address)).close()

    asyncio.run(open_and_close())
    execute(address, f"UPDATE archipel.version SET number = {len(MIGRATIONS) + 1}")
    with pytest.raises(StoreFailed, match="newer Archipel"):
        asyncio.run(open_and_close())


def test_two_stores_agree_on_who_was_first(address: str) -> None:
    async def race() -> None:
        one, other = await PostgresqlStore.open(address), await PostgresqlStore.open(address)
        await one.create_table("t", b"")
        for n in range(20):
            answers = await asyncio.gather(
                *(store.append("t", n, [name]) for store, name in ((one, b"1"), (other, b"2"))),
                return_exceptions=True,
            )
            assert sorted(type(answer).__name__ for answer in answers) == ["Appended", "Conflict"]
        again = await asyncio.gather(
            *(store.append("t", 20, [b"x"], "same") for store in (one, other, one, other))
        )
        assert sorted(answer.repeated for answer in again) == [False, True, True, True]
        assert await one.last("t") == 21
        await one.close()
        await other.close()

    asyncio.run(race())


def test_what_was_cut_off_is_told_and_the_next_one_works(address: str) -> None:
    async def cut_off() -> None:
        store = await PostgresqlStore.open(address, connections=2)
        await store.create_table("t", b"")
        await asyncio.to_thread(
            execute,
            address,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'archipel' AND datname = current_database()",
        )
        for _ in range(50):
            try:
                await store.append("t", 0, [b"a"], "r")
                break
            except StoreFailed:
                await asyncio.sleep(0.05)
        assert await store.last("t") == 1
        await store.close()

    asyncio.run(cut_off())
