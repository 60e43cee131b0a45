"""Under random faults the checker accepts the history of every table, and bots move as they must.

``archipel chaos`` runs the same campaign; here the database fails too, and clocks are wrong.
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from archipel.chaos.campaign import Campaign, Fault
from archipel.chaos.servers import log_reader
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import Event
from archipel.tables.bots.turns import question
from archipel.tables.log import events
from archipel.tables.log.fold import fold
from archipel.tables.log.table_state import TableState
from tests.chaos.cluster import Cluster
from tests.chaos.worker_process import choose

#: Mean pause between two commands of a player, in seconds.
PACE = 0.05


@pytest.mark.parametrize("faults", [10, pytest.param(500, marks=pytest.mark.soak)])
@pytest.mark.promise("durable", "order")
def test_no_move_is_lost_or_repeated(faults: int) -> None:
    cluster = Cluster(3, seed=faults)
    try:
        # In another thread: browser tests may have left an event loop in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _run(cluster, faults)).result()
    finally:
        cluster.end()


async def _run(cluster: Cluster, faults: int) -> None:
    began = time.time() * 1000
    address = cluster.database.address
    campaign = Campaign(
        [worker.http for worker in cluster.workers],
        [Fault(fault.__name__, partial(fault, cluster)) for fault in cluster.FAULTS],
        log_reader(address),
        seed=faults,
        pace=PACE,
    )
    assert await campaign.run(faults, lambda done: None) == []
    assert campaign.struck.total() == faults
    assert campaign.acknowledged > 4 * faults
    print(
        f"{faults} faults, {len(campaign.logs)} tables,"
        f" {sum(map(len, campaign.logs.values()))} events, {len(campaign.history.calls)} requests,"
        f" {campaign.acknowledged} acknowledged, {len(campaign.history.reads)} connections"
    )
    store = await PostgresqlStore.open(address)
    by_bots = 0
    try:
        for table, log in campaign.logs.items():
            by_bots += _check_bots(log, await store.get_private(table, "secret") or b"")
            times = [event.at for event in log]
            # The wrong clocks of the workers must not show.
            assert began - 20_000 < times[0]
            assert times[-1] < time.time() * 1000 + 20_000
    finally:
        await store.close()
    assert by_bots > len(campaign.logs)


def _check_bots(log: list[Event], secret: bytes) -> int:
    """Check that every move of a bot is its choice for that position; returns their number."""
    table: TableState | None = None
    checked = 0
    for event in log:
        entry = events.decode(event.n, event.body)
        if table is not None and isinstance(entry.event, events.Played) and table.bot_to_move:
            asked = question(table, secret, table.state, table.bot_to_move or "", table.position_n)
            expected = choose(asked.game, asked.bot, asked.view, asked.legal, asked.seed)
            assert entry.request is None
            assert entry.event.action == expected
            checked += 1
        table = fold(table, entry)
    return checked
