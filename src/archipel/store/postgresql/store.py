"""The event store in PostgreSQL. Any number of processes may open one database."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archipel.store.clock import Clock
from archipel.store.errors import (
    Conflict,
    LeaseLost,
    NoSuchTable,
    StoreBusy,
    StoreClosed,
    TableArchived,
    TableExists,
)
from archipel.store.limits import Limits, check_table_id
from archipel.store.postgresql.connections import (
    connect,
    make_pool,
    translated_errors,
    without_password,
)
from archipel.store.postgresql.schema import migrate
from archipel.store.protocol import Appended, Outlook, TableInfo, Turn
from archipel.store.sql_store import SqlStore, Statement

if TYPE_CHECKING:
    import asyncpg

_CONNECTIONS = 8
_CLOSE_SECONDS = 1.5
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_APPEND = "SELECT * FROM archipel.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"


class PostgresqlStore(SqlStore):
    """An `EventStore` in a database. Make one with `await PostgresqlStore.open(address)`.

    Without a ``clock``, events get the time of the database.
    """

    schema = "archipel."
    not_archived = "NOT archived"
    is_awake = "awake"
    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(
        self, address: str, *, limits: Limits | None, clock: Clock | None, queue: int
    ) -> None:
        super().__init__(limits)
        self.address = address
        self._clock = clock
        self._waiting = 0
        self._queue = queue
        self._closed = False
        self._pool: asyncpg.Pool[Any]

    def __repr__(self) -> str:  # keeps the password out of logs
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
        """Open the database; creates or migrates its schema if necessary. Raises `StoreError`."""
        store = cls(address, limits=limits, clock=clock, queue=queue)
        first = await connect(address)
        try:
            await migrate(first)
        finally:
            await first.close()
        store._pool = await make_pool(address, connections)
        return store

    async def create_table(
        self, table_id: str, header: bytes, *, private: Mapping[str, bytes] | None = None
    ) -> None:
        self._limits.check_create(table_id, header, private)
        values = dict(private or {})
        async with self.connection("not written") as connection, connection.transaction():
            created = await connection.fetchval(
                "INSERT INTO archipel.game_table (id, created_at, active_at)"
                f" SELECT $1, moment, moment FROM (SELECT coalesce($2, {_NOW}) AS moment) AS of"
                " ON CONFLICT DO NOTHING RETURNING id",
                table_id,
                self._now(),
            )
            if created is None:
                raise TableExists(table_id)
            await connection.execute(
                "INSERT INTO archipel.header VALUES ($1, $2)", table_id, header
            )
            if values:
                await connection.executemany(
                    "INSERT INTO archipel.private VALUES ($1, $2, $3)",
                    [(table_id, key, value) for key, value in values.items()],
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
        """As every store; with ``keeper``, raises `LeaseLost` unless that worker has the lease."""
        self._limits.check_append(table_id, expected_n, events, request_id, private, outlook)
        new = outlook or Outlook()
        append = Statement(
            _APPEND,
            (
                table_id,
                expected_n,
                list(events),
                request_id,
                list(private or {}),
                list((private or {}).values()),
                outlook is not None,
                new.line,
                new.awake,
                self._now(),
                keeper,
            ),
        )
        if new.turn is None:
            ((status, first_n, last_n, at),) = await self.write(append.text, *append.parameters)
        else:
            status, first_n, last_n, at = await self._append_with_turn(table_id, append, new.turn)
        match status:
            case "missing":
                raise NoSuchTable(table_id)
            case "archived":
                raise TableArchived(table_id)
            case "conflict":
                raise Conflict(table_id, expected_n, last_n)
            case "not_kept":
                raise LeaseLost(table_id)
        return Appended(first_n, last_n, at, repeated=status == "repeated")

    async def _append_with_turn(self, table_id: str, append: Statement, turn: Turn) -> Any:
        async with self.connection("not written") as connection, connection.transaction():
            (answer,) = await connection.fetch(append.text, *append.parameters)
            if answer[0] == "written":
                for text, parameters in self._turn_statements(table_id, turn):
                    await connection.execute(text.replace("?", "$"), *parameters)
        return answer

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
        await self.write(
            f"INSERT INTO archipel.probe VALUES (1, {_NOW})"
            " ON CONFLICT (id) DO UPDATE SET at = excluded.at"
        )

    async def backup(self, path: Path) -> None:
        from archipel.store.postgresql.copying import back_up_database

        if self._closed:
            raise StoreClosed
        await back_up_database(self.address, path)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with translated_errors("not closed"):
            try:
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await self._pool.close()
            except TimeoutError:  # the database does not answer
                self._pool.terminate()

    @asynccontextmanager
    async def connection(self, what: str) -> "AsyncIterator[asyncpg.pool.PoolConnectionProxy[Any]]":
        """Borrow a connection; its errors become `StoreFailed`, whose message begins with
        ``what``."""
        if self._closed:
            raise StoreClosed
        if self._waiting >= self._queue:
            raise StoreBusy(self._waiting)
        self._waiting += 1
        try:
            with translated_errors(what):
                async with self._pool.acquire() as connection:
                    yield connection
        finally:
            self._waiting -= 1

    def _now(self) -> int | None:
        return None if self._clock is None else self._clock()

    async def fetch(self, query: str, *parameters: Any) -> Sequence[Any]:
        async with self.connection("could not read") as connection:
            return await connection.fetch(query.replace("?", "$"), *parameters)

    async def write(self, statement: str, *parameters: Any) -> Sequence[Any]:
        """Run a statement; returns the rows of its RETURNING clause."""
        async with self.connection("not written") as connection:
            return await connection.fetch(statement.replace("?", "$"), *parameters)

    async def transact(self, *statements: Statement) -> list[Sequence[Any]]:
        async with self.connection("not written") as connection, connection.transaction():
            return [
                await connection.fetch(text.replace("?", "$"), *parameters)
                for text, parameters in statements
            ]

    async def size(self) -> int:
        return int((await self.fetch("SELECT pg_database_size(current_database())"))[0][0])

    async def _change(self, table_id: str, statement: str, *parameters: Any) -> None:
        if not await self.write(f"{statement} RETURNING id", table_id, *parameters):
            raise NoSuchTable(table_id)

    async def _infos(self, condition: str, *parameters: Any) -> list[TableInfo]:
        columns = "id, created_at, active_at, last_n, archived"
        query = f"SELECT {columns} FROM archipel.game_table {condition}"
        return [TableInfo(*row) for row in await self.fetch(query, *parameters)]
