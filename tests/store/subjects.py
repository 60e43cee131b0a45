"""The stores under test, each with a clock the test moves by hand."""

from pathlib import Path
from typing import Protocol

from archipel.store.limits import Limits
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import EventStore
from archipel.store.sqlite.store import SqliteStore
from tests.support.memory_store import MemoryStore

SMALL_LIMITS = Limits(
    header_bytes=20,
    body_bytes=10,
    private_bytes=10,
    events_per_append=3,
    private_per_write=2,
    page=100,
)


class HandClock:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 1000

    def __call__(self) -> int:
        return self.now


class Subject(Protocol):
    """Opens one kind of store; `reopen` comes back to the same events, as after a restart."""

    clock: HandClock

    async def open(self) -> EventStore: ...

    async def reopen(self, store: EventStore) -> EventStore: ...


class MemorySubject:
    """Memory has no restart to survive, so reopening it changes nothing."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.clock = HandClock()
        self.limits = limits

    async def open(self) -> EventStore:
        return MemoryStore(limits=self.limits, clock=self.clock)

    async def reopen(self, store: EventStore) -> EventStore:
        return store


class SqliteSubject:
    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        self.clock = HandClock()
        self.limits = limits
        self.path = folder / "archipel.db"

    async def open(self) -> EventStore:
        return await SqliteStore.open(self.path, limits=self.limits, clock=self.clock)

    async def reopen(self, store: EventStore) -> EventStore:
        await store.close()
        return await self.open()


class PostgresqlSubject:
    def __init__(self, address: str, limits: Limits | None = None) -> None:
        self.clock = HandClock()
        self.limits = limits
        self.address = address

    async def open(self) -> EventStore:
        return await PostgresqlStore.open(self.address, limits=self.limits, clock=self.clock)

    async def reopen(self, store: EventStore) -> EventStore:
        await store.close()
        return await self.open()
