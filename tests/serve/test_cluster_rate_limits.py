"""Rate limits shared across workers."""

from collections.abc import Iterator

import pytest

from archipel.serve.rate_limits import CountPerAddress, RatePerAddress, SharedLimits
from archipel.serve.settings import Rate
from archipel.store.postgresql.cluster import Cluster
from archipel.store.postgresql.store import PostgresqlStore
from tests.support.postgresql import database

ANA, BEN = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def address() -> Iterator[str]:
    with database() as address:
        yield address


class Worker:
    def __init__(self, store: PostgresqlStore) -> None:
        self.cluster = Cluster(store, "worker", lease=60)
        self.tables = RatePerAddress(Rate(10, 0.001), 100)
        self.sockets = CountPerAddress(5, 100)
        self.limits = SharedLimits(self.cluster, {"tables": self.tables}, self.sockets)

    def take(self, address: str, wanted: int = 100) -> int:
        return sum(not self.tables.wait(address) for _ in range(wanted))


async def test_a_rate_limit_covers_all_workers(address: str) -> None:
    store = await PostgresqlStore.open(address)
    one, other = Worker(store), Worker(store)
    for worker in (one, other):
        await worker.cluster.join()
        await worker.limits.exchange()
    assert one.take(ANA, 6) == 6
    await one.limits.exchange()
    for _ in range(2):  # publishing twice counts once
        await other.limits.exchange()
    assert other.take(ANA) == 4
    assert other.take(BEN, 2) == 2
    await other.limits.exchange()
    await one.limits.exchange()
    assert one.take(ANA) == 0
    late = Worker(store)
    await late.cluster.join()
    await late.limits.exchange()
    assert late.take(ANA) == 10  # what was before is not known, and not held against anybody
    await store.close()


async def test_sockets_are_counted_over_all_live_workers(address: str) -> None:
    store = await PostgresqlStore.open(address)
    one, other = Worker(store), Worker(store)
    for worker in (one, other):
        await worker.cluster.join()
    assert [one.sockets.enter(ANA) for _ in range(3)] == [True] * 3
    await one.limits.exchange()
    await other.limits.exchange()
    assert [other.sockets.enter(ANA) for _ in range(3)] == [True, True, False]
    assert other.sockets.enter(BEN)
    one.sockets.leave(ANA)
    await one.limits.exchange()
    await other.limits.exchange()
    assert other.sockets.enter(ANA)
    await one.cluster.leave()  # with all its sockets
    await other.limits.exchange()
    assert [other.sockets.enter(ANA) for _ in range(3)] == [True, True, False]
    await store.close()
