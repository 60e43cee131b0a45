"""Opened records: replayed one at a time, the last few kept."""

import asyncio
import hashlib
from collections.abc import Callable

from archipel.tables.log.table_state import TableState
from archipel.tables.publishing.opened_records import open_record

#: An analysis asks for the same record some dozens of times.
_KEPT = 8


class RecordCache:
    def __init__(self) -> None:
        self._tables: dict[bytes, TableState] = {}
        self._turn = asyncio.Lock()

    async def open(self, text: str, limit: Callable[[], None]) -> TableState:
        """The table of a record; calls ``limit`` before the work. Raises `RecordError`."""
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        table = self._tables.pop(key, None)
        if table is None:
            limit()
            async with self._turn:
                table = await asyncio.to_thread(open_record, text)
        self._tables[key] = table
        while len(self._tables) > _KEPT:
            del self._tables[next(iter(self._tables))]
        return table
