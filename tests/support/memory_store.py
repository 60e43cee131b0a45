"""A store in memory: the reference for the other stores, and a fast store for tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import structs

from archipel.store.clock import Clock, unix_milliseconds
from archipel.store.errors import (
    Conflict,
    NoSuchTable,
    StoreClosed,
    TableArchived,
    TableExists,
)
from archipel.store.head import Head
from archipel.store.limits import Limits, check_private_key, check_table_id
from archipel.store.protocol import Appended, Event, Outlook, Standing, TableInfo


@dataclass(slots=True)
class _Table:
    header: bytes
    created_at: int
    active_at: int
    private: dict[str, bytes]
    archived: bool = False
    outlook: Outlook = field(default_factory=Outlook)
    events: list[Event] = field(default_factory=list)
    answers: dict[str, Appended] = field(default_factory=dict)


class MemoryStore:
    """An `EventStore` in dictionaries. No method awaits, so each is atomic on its event loop."""

    def __init__(self, *, limits: Limits | None = None, clock: Clock = unix_milliseconds) -> None:
        self._limits = limits or Limits()
        self._clock = clock
        self._tables: dict[str, _Table] = {}
        self._closed = False

    async def create_table(
        self, table_id: str, header: bytes, *, private: Mapping[str, bytes] | None = None
    ) -> None:
        self._limits.check_create(table_id, header, private)
        self._check_open()
        if table_id in self._tables:
            raise TableExists(table_id)
        now = self._clock()
        self._tables[table_id] = _Table(header, now, now, dict(private or {}))

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
        table = self._table(table_id)
        if request_id in table.answers:
            return structs.replace(table.answers[request_id], repeated=True)
        self._check_writable(table_id, table)
        actual_n = len(table.events)
        if actual_n != expected_n:
            raise Conflict(table_id, expected_n, actual_n)
        now = self._clock()
        table.events += [Event(n, now, body) for n, body in enumerate(events, actual_n + 1)]
        if Head(actual_n, table.active_at, table.outlook).must_be_written(now, outlook):
            table.active_at = now
        table.private.update(private or {})
        table.outlook = outlook or table.outlook
        answer = Appended(actual_n + 1, len(table.events), now)
        if request_id is not None:
            table.answers[request_id] = answer
        return answer

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        self._limits.check_read(table_id, after, limit)
        return self._table(table_id).events[after : after + limit]

    async def last(self, table_id: str) -> int:
        check_table_id(table_id)
        return len(self._table(table_id).events)

    async def header(self, table_id: str) -> bytes:
        check_table_id(table_id)
        return self._table(table_id).header

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
            TableInfo(
                table_id, table.created_at, table.active_at, len(table.events), table.archived
            )
            for table_id, table in self._tables.items()
            if archived is None or table.archived == archived
        ]
        if before is not None:
            listed = [info for info in listed if info.cursor < before]
        return sorted(listed, key=lambda info: info.cursor, reverse=True)[:limit]

    async def listed(self, limit: int = 100) -> list[Standing]:
        self._limits.check_page(limit)
        self._check_open()
        listed = [
            Standing(table_id, table.active_at, table.outlook)
            for table_id, table in self._tables.items()
            if table.outlook.line is not None and not table.archived
        ]
        listed.sort(key=lambda standing: (standing.active_at, standing.table_id), reverse=True)
        return listed[:limit]

    async def awake(self, after: str = "", limit: int = 1000) -> list[Standing]:
        self._limits.check_awake(after, limit)
        self._check_open()
        return [
            Standing(table_id, table.active_at, table.outlook)
            for table_id, table in sorted(self._tables.items())
            if table.outlook.awake and table_id > after
        ][:limit]

    async def set_outlook(self, table_id: str, outlook: Outlook) -> None:
        check_table_id(table_id)
        self._limits.check_outlook(outlook)
        self._table(table_id).outlook = outlook

    async def archive(self, table_id: str) -> None:
        check_table_id(table_id)
        self._table(table_id).archived = True

    async def unarchive(self, table_id: str) -> None:
        check_table_id(table_id)
        self._table(table_id).archived = False

    async def delete(self, table_id: str) -> None:
        check_table_id(table_id)
        self._table(table_id)
        del self._tables[table_id]

    async def put_private(self, table_id: str, key: str, value: bytes) -> None:
        check_table_id(table_id)
        self._limits.check_private({key: value})
        table = self._table(table_id)
        self._check_writable(table_id, table)
        table.private[key] = value

    async def get_private(self, table_id: str, key: str) -> bytes | None:
        check_table_id(table_id)
        check_private_key(key)
        return self._table(table_id).private.get(key)

    async def backup(self, path: Path) -> None:
        raise NotImplementedError("tables in memory cannot be backed up")

    async def probe(self) -> None:
        self._check_open()

    async def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed

    def _table(self, table_id: str) -> _Table:
        self._check_open()
        if table_id not in self._tables:
            raise NoSuchTable(table_id)
        return self._tables[table_id]

    @staticmethod
    def _check_writable(table_id: str, table: _Table) -> None:
        if table.archived:
            raise TableArchived(table_id)
