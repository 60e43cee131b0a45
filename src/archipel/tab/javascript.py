"""The worker's database for Python: converts values and errors between the languages."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any

from archipel.store.errors import StoreFailed


class HostDatabase:
    """A `KeyValues` database in IndexedDB (see `client/src/site/rows.ts`)."""

    def __init__(self, host: Any) -> None:
        self._host = host

    async def get(self, key: str) -> bytes | None:
        found = await _translated(self._host.get(key))
        return None if found is None else bytes(found.to_bytes())

    async def scan(self, first: str, end: str, limit: int) -> list[tuple[str, bytes]]:
        found = await _translated(self._host.scan(first, end, limit))
        return [(key, bytes(value)) for key, value in found.to_py()]

    async def commit(self, rows: Sequence[tuple[str, bytes | None]]) -> None:
        from pyodide.ffi import to_js  # only there is a browser

        await _translated(self._host.commit(to_js([list(row) for row in rows])))

    async def close(self) -> None:
        self._host.close()


async def _translated(work: Awaitable[Any]) -> Any:
    """The result of the browser's work; raises `StoreFailed`."""
    from pyodide.ffi import JsException

    try:
        return await work
    except JsException as error:
        if getattr(error, "name", "") == "QuotaExceededError":
            raise StoreFailed("the browser's storage is full") from error
        raise StoreFailed(f"the browser's storage failed: {error}") from error
