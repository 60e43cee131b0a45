"""PostgreSQL only: opening, passwords and lost connections."""

import asyncio
import builtins
import sys
from typing import Any

import pytest

from archipel.store.errors import StoreFailed
from archipel.store.postgresql.connections import NoLibrary, is_postgresql, without_password
from archipel.store.postgresql.schema import MIGRATIONS
from archipel.store.postgresql.store import PostgresqlStore
from tests.support.postgresql import execute


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
def test_errors_of_opening_do_not_contain_the_password(address: str) -> None:
    with pytest.raises(StoreFailed) as caught:
        asyncio.run(PostgresqlStore.open(address))
    assert "cannot be opened" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_missing_library_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name == "asyncpg":
            raise ImportError(name)
        return original(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "asyncpg")
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(NoLibrary, match=r"pip install 'archipel\[postgresql\]'"):
        asyncio.run(PostgresqlStore.open("postgresql://localhost/tables"))


async def test_concurrent_opening_of_an_empty_database(address: str) -> None:
    stores = await asyncio.gather(*(PostgresqlStore.open(address) for _ in range(4)))
    await stores[0].create_table("t", b"")
    assert [await store.last("t") for store in stores] == [0] * 4
    for store in stores:
        await store.close()


@pytest.mark.promise("upgrade")
def test_a_newer_database_is_refused(address: str) -> None:
    async def open_and_close() -> None:
        await (await PostgresqlStore.open(address)).close()

    asyncio.run(open_and_close())
    execute(address, f"UPDATE archipel.version SET number = {len(MIGRATIONS) + 1}")
    with pytest.raises(StoreFailed, match="newer Archipel"):
        asyncio.run(open_and_close())


@pytest.mark.promise("order")
async def test_two_stores_agree_on_the_order(address: str) -> None:
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


async def test_a_lost_connection_is_reported_and_replaced(address: str) -> None:
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
