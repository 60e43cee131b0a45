"""A store that fails on demand."""

import asyncio
from collections.abc import Mapping, Sequence

from archipel.store.errors import Conflict, StoreFailed
from archipel.store.protocol import Appended, Outlook
from tests.support.memory_store import MemoryStore


class FailingStore(MemoryStore):
    """A memory store that fails on demand, before or after a write."""

    def __init__(self) -> None:
        super().__init__()
        self.fail: str | None = None
        self.journal: list[str] = []

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
        fail, self.fail = self.fail, None
        if fail == "before":
            raise StoreFailed("the disk is full")
        if fail == "conflict":
            raise Conflict(table_id, expected_n, expected_n + 1)
        await asyncio.sleep(0)
        answer = await super().append(
            table_id, expected_n, events, request_id, private=private, outlook=outlook
        )
        self.journal.append("committed")
        if fail == "after":
            raise StoreFailed("the answer was lost")
        return answer
