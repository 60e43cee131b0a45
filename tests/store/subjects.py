"""The stores under test, each with a clock that the test sets."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from archipel.store.limits import Limits
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import EventStore
from archipel.store.sqlite.store import SqliteStore
from archipel.tab.browser_store import BrowserStore
from tests.store.key_values import MemoryKeyValues
from tests.support.memory_store import MemoryStore

SMALL_LIMITS = Limits(
    header_bytes=20,
    body_bytes=10,
    private_bytes=10,
    events_per_append=3,
    private_per_write=2,
    page=100,
)


class ManualClock:
    """A clock that changes only when the test sets it."""

    def __init__(self) -> None:
        self.now = 1000

    def __call__(self) -> int:
        return self.now


class Subject:
    """Opens one kind of store; `reopen` returns to the same events, as after a restart."""

    def __init__(self, open_with: Callable[[ManualClock], Awaitable[EventStore]]) -> None:
        self._open_with = open_with
        self.clock = ManualClock()

    async def open(self) -> EventStore:
        return await self._open_with(self.clock)

    async def reopen(self, store: EventStore) -> EventStore:
        if isinstance(store, MemoryStore):  # does not survive a restart
            return store
        await store.close()
        return await self.open()


def memory_subject(limits: Limits | None = None) -> Subject:
    async def open_with(clock: ManualClock) -> EventStore:
        return MemoryStore(limits=limits, clock=clock)

    return Subject(open_with)


def sqlite_subject(folder: Path, limits: Limits | None = None) -> Subject:
    path = folder / "archipel.db"
    return Subject(lambda clock: SqliteStore.open(path, limits=limits, clock=clock))


def postgresql_subject(address: str, limits: Limits | None = None) -> Subject:
    return Subject(lambda clock: PostgresqlStore.open(address, limits=limits, clock=clock))


def browser_subject(limits: Limits | None = None) -> Subject:
    rows: dict[str, bytes] = {}
    return Subject(
        lambda clock: BrowserStore.open(MemoryKeyValues(rows), limits=limits, clock=clock)
    )
