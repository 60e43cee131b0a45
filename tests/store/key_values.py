"""A `KeyValues` database in memory, as the browser's but without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence


class MemoryKeyValues:
    """Rows in a dictionary that outlives the store; each call lets other tasks run."""

    def __init__(self, rows: dict[str, bytes]) -> None:
        self._rows = rows

    async def get(self, key: str) -> bytes | None:
        await asyncio.sleep(0)
        return self._rows.get(key)

    async def scan(self, first: str, end: str, limit: int) -> list[tuple[str, bytes]]:
        await asyncio.sleep(0)
        found = sorted((key, row) for key, row in self._rows.items() if first <= key < end)
        return found[:limit]

    async def commit(self, rows: Sequence[tuple[str, bytes | None]]) -> None:
        await asyncio.sleep(0)
        for key, row in rows:
            if row is None:
                self._rows.pop(key, None)
            else:
                self._rows[key] = row

    async def close(self) -> None: ...
