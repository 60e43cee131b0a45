"""Under random faults no acknowledged move is lost or made twice, and no bot moves twice."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from websockets.exceptions import ConnectionClosed

from archipel.store import EventStore
from archipel.store.postgresql import PostgresqlStore
from archipel.tables.bots.turns import question
from archipel.tables.log import events
from archipel.tables.log.fold import fold
from archipel.tables.log.table_state import TableState
from tests.chaos.cluster import Cluster
from tests.chaos.worker_process import choose
from tests.serve.killable import GONE, Stubborn
from tests.serve.people import Person, join_table, make_table

Result = TypeVar("Result")

TABLES = 3
#: Between two moves of a person: this is about what happens, not about how fast.
PACE = 0.03
#: Seconds after which nobody will make a move any more.
PATIENCE = 300


class Wanderer(Stubborn):
    """Comes back to whichever worker, as behind a proxy that knows nothing."""

    cluster: Cluster
    table: str
    chose_at = 0.0

    async def play(self) -> None:
        while not self.stop.is_set() and not self.person.is_over:
            self.person.address = self.cluster.socket_of(self.table)
            try:
                await self.person.connect()
                await self._play_on()
            except ConnectionClosed as closed:
                if closed.rcvd is not None:
                    self.close_codes.append(closed.rcvd.code)
            except GONE:
                pass
            await asyncio.sleep(PACE)

    def _choose(self) -> bool:
        if time.monotonic() < self.chose_at + PACE or not super()._choose():
            return False
        self.chose_at = time.monotonic()
        return True


@pytest.mark.parametrize("happenings", [20, pytest.param(200, marks=pytest.mark.soak)])
def test_nothing_is_lost_and_nothing_doubled(happenings: int) -> None:
    began = int(time.time() * 1000)
    cluster = Cluster(3, seed=happenings)
    try:
        players = _apart(_play(cluster, happenings))
        assert sum(len(player.acknowledged) for player in players) > 4 * happenings
        _apart(_check_logs(cluster, players, began))
    finally:
        cluster.end()


def _apart(course: Coroutine[Any, Any, Result]) -> Result:
    """In a thread of its own: a browser of other tests may have a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, course).result()


async def _play(cluster: Cluster, happenings: int) -> list[Wanderer]:
    players: list[Wanderer] = []
    playing: list[asyncio.Task[None]] = []
    kinds = cluster.happenings()
    for number in range(happenings + 1):
        going_on = {player.table for player in players if not player.person.is_over}
        newcomers = await _sit_down(cluster, TABLES - len(going_on), number)
        players += newcomers
        playing += [asyncio.create_task(player.play()) for player in newcomers]
        await _under_load(players, playing)
        if number < happenings:
            await asyncio.to_thread(getattr(cluster, kinds[number % len(kinds)]))
            await cluster.await_ready()
    await _rest(players, playing)
    await _check_step(cluster, players)
    return players


async def _under_load(players: list[Wanderer], playing: list[asyncio.Task[None]]) -> None:
    """Wait until moves are being made again."""
    before = sum(len(player.acknowledged) for player in players)
    end = time.monotonic() + PATIENCE
    while sum(len(player.acknowledged) for player in players) < before + 6 and not all(
        player.person.is_over for player in players
    ):
        for task in playing:
            if task.done():
                task.result()
        assert time.monotonic() < end, "nobody could make a move"
        await asyncio.sleep(0.02)


async def _sit_down(cluster: Cluster, tables: int, round_number: int) -> list[Wanderer]:
    players = []
    for number in range(tables):
        made = await _insisting(
            lambda: asyncio.to_thread(
                make_table, cluster.any_worker().http, seats=[{}, {}, {"bot": "random"}]
            )
        )
        joined = await _insisting(
            lambda made=made: asyncio.to_thread(  # type: ignore[misc]
                join_table, cluster.any_worker().http, made["table"]
            )
        )
        async with Person(cluster.socket_of(made["table"]), made["token"]) as host:
            assert (await host.ask("begin"))["type"] == "done"
        for seat, one in enumerate((made, joined)):
            name = f"p{round_number}-{number}-{seat}"
            player = Wanderer(Person("", one["token"]), random.Random(name), name)
            player.cluster, player.table = cluster, made["table"]
            players.append(player)
    return players


async def _insisting(ask: Callable[[], Awaitable[dict[str, str]]]) -> dict[str, str]:
    """Something that is only tried between two happenings, but right after one."""
    for _ in range(50):
        try:
            return await ask()
        except OSError:
            await asyncio.sleep(0.1)
    raise AssertionError("no table could be made")


async def _rest(players: list[Wanderer], playing: list[asyncio.Task[None]]) -> None:
    for player in players:
        player.stop.set()
    await asyncio.gather(*playing)


async def _check_step(cluster: Cluster, players: list[Wanderer]) -> None:
    """Whoever stayed sees what somebody sees who was never here before."""
    for player in players:
        person = player.person
        async with Person(cluster.socket_of(player.table), person.token) as fresh:
            try:
                await _meet(person, fresh)
            except GONE:  # their game was over, so they had gone home
                assert person.is_over
                person.address = cluster.socket_of(player.table)
                await person.connect()
                await _meet(person, fresh)
            mine = [entry["n"] for entry in person.log]
            assert mine == [entry["n"] for entry in fresh.log]
            assert person.position == fresh.position
        await player.leave()


async def _meet(person: Person, fresh: Person) -> None:
    """Until both have heard the same; at most tables bots go on meanwhile."""
    while person.after != fresh.after:
        await (person if person.after < fresh.after else fresh).next()


async def _check_logs(cluster: Cluster, players: list[Wanderer], began: int) -> None:
    store = await PostgresqlStore.open(cluster.database.address)
    by_bots = 0
    try:
        for table in sorted({player.table for player in players}):
            log = await _log(store, table)
            own = [player for player in players if player.table == table]
            _check_acknowledged(log, own)
            by_bots += _check_bots(log, await store.get_private(table, "secret") or b"")
            times = [entry.at for entry in log]
            assert times == sorted(times)
            # Clocks that are wrong would show.
            assert began - 20_000 < times[0]
            assert times[-1] < time.time() * 1000 + 20_000
        assert by_bots > len(players)
    finally:
        await store.close()


async def _log(store: EventStore, table: str) -> list[events.Entry]:
    kept = await store.read(table)
    assert [event.n for event in kept] == list(range(1, len(kept) + 1))
    return [events.decode(event.n, event.body) for event in kept]


def _check_acknowledged(log: list[events.Entry], players: list[Wanderer]) -> None:
    """Each acknowledged move is in the log, once, where it was said to be."""
    moves: Counter[str] = Counter()
    last: dict[str, int] = {}
    for n, entry in enumerate(log, 1):
        if entry.request is not None:
            request_id = entry.request.partition(":")[2]
            moves[request_id] += isinstance(entry.event, events.Played)
            last[request_id] = n
    for player in players:
        for request_id, n in player.acknowledged.items():
            assert (moves[request_id], last[request_id]) == (1, n)
    assert max(moves.values(), default=0) <= 1


def _check_bots(log: list[events.Entry], secret: bytes) -> int:
    """Every move of a bot is the one it chose for the position it was made in, and nobody else's
    came between; how many there were."""
    table: TableState | None = None
    checked = 0
    for entry in log:
        if table is not None and isinstance(entry.event, events.Played) and table.bot_to_move:
            asked = question(table, secret, table.state, table.bot_to_move or "", table.position_n)
            expected = choose(asked.game, asked.bot, asked.view, asked.legal, asked.seed)
            assert entry.request is None
            assert entry.event.action == expected
            checked += 1
        table = fold(table, entry)
    return checked
