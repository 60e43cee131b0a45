"""The event store in PostgreSQL. Any number of processes may have one on the same database."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archipel.store.clock import Clock
from archipel.store.errors import (
    Conflict,
    NoSuchTable,
    NotKept,
    StoreBusy,
    StoreClosed,
    TableArchived,
    TableExists,
)
from archipel.store.limits import Limits, check_private_key, check_table_id
from archipel.store.postgresql.address import without_password
from archipel.store.postgresql.connecting import connect, make_pool, telling
from archipel.store.postgresql.schema import migrate
from archipel.store.protocol import Appended, Event, Outlook, Standing, TableInfo

if TYPE_CHECKING:
    import asyncpg

_CONNECTIONS = 8
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_APPEND = "SELECT * FROM archipel.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
_INFO = "SELECT id, created_at, active_at, last_n, archived FROM archipel.game_table"
_STANDING = "SELECT id, active_at, line, awake FROM archipel.game_table"


class PostgresqlStore:
    """An `EventStore` in a database. Make one with `await PostgresqlStore.open(address)`.

    Without a ``clock`` the time of the database is written beside the events.
    """

    def __init__(self, address: str, *, limits: Limits | None, clock: Clock | None) -> None:
        self.address = address
        self._limits = limits or Limits()
        self._clock = clock
        self._waiting = 0
        self._queue = 1024
        self._closed = False
        self._pool: asyncpg.Pool[Any]

    def __repr__(self) -> str:  # The password must not get into a log.
        return f"<tables in {without_password(self.address)}>"

    @classmethod
    async def open(
        cls,
        address: str,
        *,
        limits: Limits | None = None,
        clock: Clock | None = None,
        queue: int = 1024,
        connections: int = _CONNECTIONS,
    ) -> "PostgresqlStore":
        """Open the database, its layout made or brought up to date; raises `StoreError`."""
        store = cls(address, limits=limits, clock=clock)
        store._queue = queue
        first = await connect(address)
        try:
            await migrate(first)
        finally:
            await first.close()
        store._pool = await make_pool(address, connections)
        return store

    # ---- writing --------------------------------------------------------------------------------

    async def create_table(
        self, table_id: str, header: bytes, *, private: Mapping[str, bytes] | None = None
    ) -> None:
        self._limits.check_create(table_id, header, private)
        kept = dict(private or {})
        async with self.connection("not written") as connection, connection.transaction():
            made = await connection.fetchval(
                "INSERT INTO archipel.game_table (id, created_at, active_at)"
                f" SELECT $1, moment, moment FROM (SELECT coalesce($2, {_NOW}) AS moment) AS of"
                " ON CONFLICT DO NOTHING RETURNING id",
                table_id,
                self._now(),
            )
            if made is None:
                raise TableExists(table_id)
            await connection.execute(
                "INSERT INTO archipel.header VALUES ($1, $2)", table_id, header
            )
            if kept:
                await connection.executemany(
                    "INSERT INTO archipel.private VALUES ($1, $2, $3)",
                    [(table_id, key, value) for key, value in kept.items()],
                )

    async def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        request_id: str | None = None,
        *,
        private: Mapping[str, bytes] | None = None,
        outlook: Outlook | None = None,
        keeper: str | None = None,
    ) -> Appended:
        """As every store does; for a ``keeper`` only while it keeps the table: raises `NotKept`."""
        self._limits.check_append(table_id, expected_n, events, request_id, private, outlook)
        told = outlook or Outlook()
        arguments = (
            table_id,
            expected_n,
            list(events),
            request_id,
            list(private or {}),
            list((private or {}).values()),
            outlook is not None,
            told.line,
            told.awake,
            self._now(),
            keeper,
        )
        async with self.connection("not written") as connection:
            row = await connection.fetchrow(_APPEND, *arguments)
        assert row is not None
        return _appended(table_id, expected_n, row)

    async def set_outlook(self, table_id: str, outlook: Outlook) -> None:
        check_table_id(table_id)
        self._limits.check_outlook(outlook)
        await self._change(
            table_id,
            "UPDATE archipel.game_table SET line = $2, awake = $3 WHERE id = $1 RETURNING id",
            outlook.line,
            outlook.awake,
        )

    async def archive(self, table_id: str) -> None:
        await self._set_archived(table_id, True)

    async def unarchive(self, table_id: str) -> None:
        await self._set_archived(table_id, False)

    async def delete(self, table_id: str) -> None:
        check_table_id(table_id)
        await self._change(table_id, "DELETE FROM archipel.game_table WHERE id = $1 RETURNING id")

    async def put_private(self, table_id: str, key: str, value: bytes) -> None:
        check_table_id(table_id)
        self._limits.check_private({key: value})
        async with self.connection("not written") as connection, connection.transaction():
            archived = await connection.fetchval(
                "SELECT archived FROM archipel.game_table WHERE id = $1 FOR UPDATE", table_id
            )
            if archived is None:
                raise NoSuchTable(table_id)
            if archived:
                raise TableArchived(table_id)
            await connection.execute(
                "INSERT INTO archipel.private VALUES ($1, $2, $3)"
                " ON CONFLICT (table_id, key) DO UPDATE SET value = excluded.value",
                table_id,
                key,
                value,
            )

    async def probe(self) -> None:
        async with self.connection("not written") as connection:
            await connection.execute(
                f"INSERT INTO archipel.probe VALUES (1, {_NOW})"
                " ON CONFLICT (id) DO UPDATE SET at = excluded.at"
            )

    # ---- reading --------------------------------------------------------------------------------

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        self._limits.check_read(table_id, after, limit)
        async with self.connection("could not read") as connection:
            found = await connection.fetch(
                "SELECT n, at, body FROM archipel.event WHERE table_id = $1 AND n > $2"
                " ORDER BY n LIMIT $3",
                table_id,
                after,
                limit,
            )
            if not found:
                await _last(connection, table_id)
        return [Event(*row) for row in found]

    async def last(self, table_id: str) -> int:
        check_table_id(table_id)
        async with self.connection("could not read") as connection:
            return await _last(connection, table_id)

    async def header(self, table_id: str) -> bytes:
        check_table_id(table_id)
        async with self.connection("could not read") as connection:
            body = await connection.fetchval(
                "SELECT body FROM archipel.header WHERE table_id = $1", table_id
            )
        if body is None:
            raise NoSuchTable(table_id)
        return bytes(body)

    async def tables(
        self,
        *,
        archived: bool | None = False,
        before: tuple[int, str] | None = None,
        limit: int = 100,
    ) -> list[TableInfo]:
        self._limits.check_tables(before, limit)
        conditions, parameters = ["TRUE"], list[object]([limit])
        if archived is not None:
            parameters.append(archived)
            conditions.append(f"archived = ${len(parameters)}")
        if before is not None:
            parameters.extend(before)
            last = len(parameters)
            conditions.append(f"(active_at, id) < (${last - 1}, ${last})")
        async with self.connection("could not read") as connection:
            found = await connection.fetch(
                f"{_INFO} WHERE {' AND '.join(conditions)}"
                " ORDER BY active_at DESC, id DESC LIMIT $1",
                *parameters,
            )
        return [TableInfo(*row) for row in found]

    async def listed(self, limit: int = 100) -> list[Standing]:
        self._limits.check_page(limit)
        return await self._standings(
            "WHERE line IS NOT NULL AND NOT archived ORDER BY active_at DESC, id DESC LIMIT $1",
            limit,
        )

    async def awake(self, after: str = "", limit: int = 1000) -> list[Standing]:
        self._limits.check_awake(after, limit)
        return await self._standings("WHERE awake AND id > $1 ORDER BY id LIMIT $2", after, limit)

    async def get_private(self, table_id: str, key: str) -> bytes | None:
        check_table_id(table_id)
        check_private_key(key)
        async with self.connection("could not read") as connection:
            value = await connection.fetchval(
                "SELECT value FROM archipel.private WHERE table_id = $1 AND key = $2", table_id, key
            )
            if value is None:
                await _last(connection, table_id)
        return None if value is None else bytes(value)

    # ---- the rest -------------------------------------------------------------------------------

    async def backup(self, path: Path) -> None:
        from archipel.store.postgresql.copying import back_up_database

        if self._closed:
            raise StoreClosed
        await back_up_database(self.address, path)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with telling("not closed"):
            await self._pool.close()

    @asynccontextmanager
    async def connection(self, what: str) -> "AsyncIterator[asyncpg.pool.PoolConnectionProxy[Any]]":
        """One of the connections, for a while; failures are told as a store's."""
        if self._closed:
            raise StoreClosed
        if self._waiting >= self._queue:
            raise StoreBusy(self._waiting)
        self._waiting += 1
        try:
            with telling(what):
                async with self._pool.acquire() as connection:
                    yield connection
        finally:
            self._waiting -= 1

    def _now(self) -> int | None:
        return None if self._clock is None else self._clock()

    async def _change(self, table_id: str, statement: str, *arguments: object) -> None:
        async with self.connection("not written") as connection:
            if await connection.fetchval(statement, table_id, *arguments) is None:
                raise NoSuchTable(table_id)

    async def _set_archived(self, table_id: str, archived: bool) -> None:
        check_table_id(table_id)
        await self._change(
            table_id,
            "UPDATE archipel.game_table SET archived = $2 WHERE id = $1 RETURNING id",
            archived,
        )

    async def _standings(self, condition: str, *parameters: object) -> list[Standing]:
        async with self.connection("could not read") as connection:
            found = await connection.fetch(f"{_STANDING} {condition}", *parameters)
        return [
            Standing(table_id, active_at, Outlook(line, awake))
            for table_id, active_at, line, awake in found
        ]


def _appended(table_id: str, expected_n: int, row: "asyncpg.Record") -> Appended:
    status, first_n, last_n, at = row
    match status:
        case "missing":
            raise NoSuchTable(table_id)
        case "archived":
            raise TableArchived(table_id)
        case "conflict":
            raise Conflict(table_id, expected_n, last_n)
        case "not_kept":
            raise NotKept(table_id)
    return Appended(first_n, last_n, at, repeated=status == "repeated")


async def _last(connection: "asyncpg.pool.PoolConnectionProxy[Any]", table_id: str) -> int:
    last_n = await connection.fetchval(
        "SELECT last_n FROM archipel.game_table WHERE id = $1", table_id
    )
    if last_n is None:
        raise NoSuchTable(table_id)
    return int(last_n)
