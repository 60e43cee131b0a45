"""A store that fails on demand."""

import asyncio
from collections.abc import Mapping, Sequence

from archipel.store.errors import Conflict, StoreBusy, StoreFailed
from archipel.store.protocol import Appended, Event, Outlook
from tests.support.memory_store import MemoryStore


class FailingStore(MemoryStore):
    """A memory store that fails on demand, before or after a write."""

    def __init__(self) -> None:
        super().__init__()
        self.fail: str | None = None
        #: The writes that succeed before the next failure.
        self.appends_before_failure = 0
        self.unreadable = False
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
        fail = None
        if self.appends_before_failure:
            self.appends_before_failure -= 1
        else:
            fail, self.fail = self.fail, None
        if fail == "before":
            raise StoreFailed("the disk is full")
        if fail == "busy":
            raise StoreBusy(1)
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

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        if self.unreadable:
            raise StoreFailed("the database does not answer")
        return await super().read(table_id, after, limit)
