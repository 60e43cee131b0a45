"""An event store on a database of keys and values with atomic, durable commits, as browsers have.

Keys are texts of parts joined by "/": the kind of a row, the table, and what the kind adds. One
process owns the database, so the heads of all tables are kept in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from archipel.store.clock import Clock, unix_milliseconds
from archipel.store.errors import (
    Conflict,
    NoSuchTable,
    StoreClosed,
    StoreFailed,
    TableArchived,
    TableExists,
)
from archipel.store.head import Head
from archipel.store.limits import Limits, check_private_key, check_table_id
from archipel.store.protocol import Appended, Event, Outlook, Standing, TableInfo
from archipel.store.table_copy import TableCopy

T = TypeVar("T")

#: Above every character of a key.
_END = "\x7f"
_HEAD, _HEADER, _EVENT, _REQUEST, _PRIVATE = "table", "header", "event", "request", "private"
#: Rows that are read at once when a table is deleted or copied.
_PAGE = 1000


class KeyValues(Protocol):
    """The database. Every method raises `StoreFailed` if it cannot be read or written."""

    async def get(self, key: str) -> bytes | None: ...

    async def scan(self, first: str, end: str, limit: int) -> list[tuple[str, bytes]]:
        """The rows with ``first <= key < end``, in order of their keys."""

    async def commit(self, rows: Sequence[tuple[str, bytes | None]]) -> None:
        """Write all rows or none, durably; None deletes a row."""

    async def close(self) -> None: ...


class TableRow(Struct, frozen=True):
    """What is known of a table without reading its events."""

    created_at: int
    active_at: int
    last_n: int = 0
    archived: bool = False
    line: bytes | None = None
    awake: bool = False

    @property
    def outlook(self) -> Outlook:
        return Outlook(self.line, self.awake)


_HEADS = msgspec.msgpack.Decoder(TableRow)
_EVENTS = msgspec.msgpack.Decoder(tuple[int, bytes])
_APPENDED = msgspec.msgpack.Decoder(tuple[int, int, int])
_pack = msgspec.msgpack.Encoder().encode

Row = tuple[str, bytes | None]


class BrowserStore:
    """An `EventStore` on a `KeyValues` database."""

    def __init__(
        self,
        database: KeyValues,
        heads: dict[str, TableRow],
        limits: Limits | None = None,
        clock: Clock = unix_milliseconds,
    ) -> None:
        """Use `open`."""
        self._database = database
        self._heads = heads
        self._limits = limits or Limits()
        self._clock = clock
        self._locks: dict[str, asyncio.Lock] = {}
        self._writes: set[asyncio.Task[Any]] = set()
        self._closed = False

    @classmethod
    async def open(
        cls, database: KeyValues, *, limits: Limits | None = None, clock: Clock = unix_milliseconds
    ) -> BrowserStore:
        heads = {
            key.partition("/")[2]: _HEADS.decode(row)
            async for key, row in _rows(database, f"{_HEAD}/")
        }
        return cls(database, heads, limits, clock)

    # ---- writing --------------------------------------------------------------------------------

    async def create_table(
        self, table_id: str, header: bytes, *, private: Mapping[str, bytes] | None = None
    ) -> None:
        self._limits.check_create(table_id, header, private)
        now = self._clock()
        rows: list[Row] = [(f"{_HEADER}/{table_id}", header), *_private_rows(table_id, private)]

        async def create() -> None:
            if table_id in self._heads:
                raise TableExists(table_id)
            await self._commit(table_id, TableRow(now, now), rows)

        await self._write(table_id, create())

    async def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        request_id: str | None = None,
        *,
        private: Mapping[str, bytes] | None = None,
        outlook: Outlook | None = None,
    ) -> Appended:
        self._limits.check_append(table_id, expected_n, events, request_id, private, outlook)
        bodies, private_rows = list(events), _private_rows(table_id, private)

        async def append() -> Appended:
            head = self._head(table_id)
            if request_id is not None:
                known = await self._database.get(f"{_REQUEST}/{table_id}/{request_id}")
                if known is not None:
                    return Appended(*_APPENDED.decode(known), repeated=True)
            _check_writable(table_id, head)
            if head.last_n != expected_n:
                raise Conflict(table_id, expected_n, head.last_n)
            now, first = self._clock(), expected_n + 1
            last = expected_n + len(bodies)
            rows: list[Row] = [
                (_event_key(table_id, n), _pack((now, body)))
                for n, body in enumerate(bodies, first)
            ]
            rows += private_rows
            if request_id is not None:
                rows.append((f"{_REQUEST}/{table_id}/{request_id}", _pack((first, last, now))))
            after = replace(head, last_n=last)
            if Head(head.last_n, head.active_at, head.outlook).must_be_written(now, outlook):
                after = replace(after, active_at=now)
            if outlook is not None:
                after = replace(after, line=outlook.line, awake=outlook.awake)
            await self._commit(table_id, after, rows)
            return Appended(first, last, now)

        return await self._write(table_id, append())

    async def set_outlook(self, table_id: str, outlook: Outlook) -> None:
        check_table_id(table_id)
        self._limits.check_outlook(outlook)
        await self._change(table_id, line=outlook.line, awake=outlook.awake)

    async def archive(self, table_id: str) -> None:
        check_table_id(table_id)
        await self._change(table_id, archived=True)

    async def unarchive(self, table_id: str) -> None:
        check_table_id(table_id)
        await self._change(table_id, archived=False)

    async def delete(self, table_id: str) -> None:
        check_table_id(table_id)

        async def delete() -> None:
            self._head(table_id)
            rows: list[Row] = [(f"{_HEAD}/{table_id}", None), (f"{_HEADER}/{table_id}", None)]
            for kind in (_EVENT, _REQUEST, _PRIVATE):
                rows += [
                    (key, None) async for key, _ in _rows(self._database, f"{kind}/{table_id}/")
                ]
            await self._database.commit(rows)
            del self._heads[table_id]

        await self._write(table_id, delete())

    async def put_private(self, table_id: str, key: str, value: bytes) -> None:
        check_table_id(table_id)
        self._limits.check_private({key: value})

        async def put() -> None:
            _check_writable(table_id, self._head(table_id))
            await self._database.commit(_private_rows(table_id, {key: value}))

        await self._write(table_id, put())

    async def _change(self, table_id: str, **fields: Any) -> None:
        async def change() -> None:
            await self._commit(table_id, replace(self._head(table_id), **fields), [])

        await self._write(table_id, change())

    async def _commit(self, table_id: str, head: TableRow, rows: Sequence[Row]) -> None:
        await self._database.commit([(f"{_HEAD}/{table_id}", _pack(head)), *rows])
        self._heads[table_id] = head

    async def _write(self, table_id: str, work: Coroutine[Any, Any, T]) -> T:
        """Do the writes of a table one after the other, to completion even if cancelled."""
        if self._closed:
            work.close()
            raise StoreClosed
        lock = self._locks.setdefault(table_id, asyncio.Lock())

        async def write() -> T:
            async with lock:
                return await work

        task = asyncio.ensure_future(write())
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return await asyncio.shield(task)

    # ---- reading --------------------------------------------------------------------------------

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        self._limits.check_read(table_id, after, limit)
        last = min(self._head(table_id).last_n, after + limit)
        if last <= after:
            return []
        first, end = _event_key(table_id, after + 1), _event_key(table_id, last + 1)
        rows = await self._database.scan(first, end, limit)
        if len(rows) != last - after:
            raise StoreFailed(f"table {table_id!r} lacks events: the browser removed a part of it")
        return [Event(n, *_EVENTS.decode(row)) for n, (_, row) in enumerate(rows, after + 1)]

    async def last(self, table_id: str) -> int:
        check_table_id(table_id)
        return self._head(table_id).last_n

    async def header(self, table_id: str) -> bytes:
        check_table_id(table_id)
        self._head(table_id)
        header = await self._database.get(f"{_HEADER}/{table_id}")
        if header is None:
            raise StoreFailed(f"table {table_id!r} lacks its header")
        return header

    async def tables(
        self,
        *,
        archived: bool | None = False,
        before: tuple[int, str] | None = None,
        limit: int = 100,
    ) -> list[TableInfo]:
        self._limits.check_tables(before, limit)
        self._check_open()
        listed = [
            TableInfo(table_id, head.created_at, head.active_at, head.last_n, head.archived)
            for table_id, head in self._heads.items()
            if archived is None or head.archived == archived
        ]
        if before is not None:
            listed = [info for info in listed if info.cursor < before]
        return sorted(listed, key=lambda info: info.cursor, reverse=True)[:limit]

    async def listed(self, limit: int = 100) -> list[Standing]:
        self._limits.check_page(limit)
        self._check_open()
        listed = [
            Standing(table_id, head.active_at, head.outlook)
            for table_id, head in self._heads.items()
            if head.line is not None and not head.archived
        ]
        listed.sort(key=lambda standing: (standing.active_at, standing.table_id), reverse=True)
        return listed[:limit]

    async def awake(self, after: str = "", limit: int = 1000) -> list[Standing]:
        self._limits.check_awake(after, limit)
        self._check_open()
        return [
            Standing(table_id, head.active_at, head.outlook)
            for table_id, head in sorted(self._heads.items())
            if head.awake and table_id > after
        ][:limit]

    async def get_private(self, table_id: str, key: str) -> bytes | None:
        check_table_id(table_id)
        check_private_key(key)
        self._head(table_id)
        return await self._database.get(f"{_PRIVATE}/{table_id}/{key}")

    async def backup(self, path: Path) -> None:
        raise StoreFailed("a browser has no files: export the tables instead")

    async def probe(self) -> None:
        self._check_open()
        await self._database.commit([("probe", b"")])

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*self._writes, return_exceptions=True)
        await self._database.close()

    def _head(self, table_id: str) -> TableRow:
        self._check_open()
        if table_id not in self._heads:
            raise NoSuchTable(table_id)
        return self._heads[table_id]

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed

    # ---- copies ---------------------------------------------------------------------------------

    async def copies(self) -> list[TableCopy]:
        """All tables with everything in them, by id."""
        return [await self.copy(table_id) for table_id in sorted(self._heads)]

    async def copy(self, table_id: str) -> TableCopy:
        """One table with everything in it; raises `NoSuchTable`."""
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            head, database = self._head(table_id), self._database
            rows: dict[str, list[tuple[Any, ...]]] = {
                "header": [(table_id, await self.header(table_id))],
                "event": [
                    (table_id, n, *_EVENTS.decode(row))
                    for n, row in enumerate(
                        [row async for _, row in _rows(database, f"{_EVENT}/{table_id}/")], 1
                    )
                ],
                "request": [
                    (table_id, key.split("/", 2)[2], *_APPENDED.decode(row)[:2])
                    async for key, row in _rows(database, f"{_REQUEST}/{table_id}/")
                ],
                "private": [
                    (table_id, key.split("/", 2)[2], row)
                    async for key, row in _rows(database, f"{_PRIVATE}/{table_id}/")
                ],
            }
        row = (table_id, head.created_at, head.active_at, head.archived, head.line, head.awake)
        return TableCopy(row, rows)

    async def add(self, copy: TableCopy) -> None:
        """Store a copied table; raises `TableExists`."""
        table_id, created_at, active_at, archived, line, awake = copy.row
        (header,), events = copy.rows["header"], copy.rows["event"]
        times = {n: at for _, n, at, _ in events}
        head = TableRow(created_at, active_at, len(events), archived, line, awake)
        rows: list[Row] = [
            (f"{_HEADER}/{table_id}", header[1]),
            *((_event_key(table_id, n), _pack((at, body))) for _, n, at, body in events),
            *(
                (f"{_REQUEST}/{table_id}/{request_id}", _pack((first, last, times[last])))
                for _, request_id, first, last in copy.rows["request"]
            ),
            *((f"{_PRIVATE}/{table_id}/{key}", value) for _, key, value in copy.rows["private"]),
        ]

        async def add() -> None:
            if table_id in self._heads:
                raise TableExists(table_id)
            await self._commit(table_id, head, rows)

        await self._write(table_id, add())


def _event_key(table_id: str, n: int) -> str:
    return f"{_EVENT}/{table_id}/{n:010}"


def _private_rows(table_id: str, private: Mapping[str, bytes] | None) -> list[Row]:
    return [(f"{_PRIVATE}/{table_id}/{key}", value) for key, value in (private or {}).items()]


def _check_writable(table_id: str, head: TableRow) -> None:
    if head.archived:
        raise TableArchived(table_id)


async def _rows(database: KeyValues, prefix: str) -> Any:
    """All rows whose key has a prefix, in order, page by page."""
    first = prefix
    while True:
        rows = await database.scan(first, prefix + _END, _PAGE)
        for row in rows:
            yield row
        if len(rows) < _PAGE:
            return
        first = rows[-1][0] + "\x00"
