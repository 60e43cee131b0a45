"""Under random faults no acknowledged move is lost or made twice, and no bot moves twice."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import EventStore
from archipel.tables.bots.turns import question
from archipel.tables.log import events
from archipel.tables.log.fold import fold
from archipel.tables.log.table_state import TableState
from tests.chaos.cluster import Cluster
from tests.chaos.worker_process import choose
from tests.serve.people import Person, join_table, make_table
from tests.serve.restartable_server import GONE, PersistentPlayer

Result = TypeVar("Result")

TABLES = 3
#: Pause between two moves of a player, in seconds.
PACE = 0.03
#: Seconds without a move after which the test fails.
PATIENCE = 300


class RoamingPlayer(PersistentPlayer):
    """Reconnects to a random worker, as behind a proxy without affinity."""

    cluster: Cluster
    table: str
    chose_at = 0.0

    def _choose_address(self) -> None:
        self.person.address = self.cluster.socket_of(self.table)

    def _choose(self) -> bool:
        if time.monotonic() < self.chose_at + PACE or not super()._choose():
            return False
        self.chose_at = time.monotonic()
        return True


@pytest.mark.parametrize("faults", [20, pytest.param(200, marks=pytest.mark.soak)])
@pytest.mark.promise("durable", "order")
def test_no_move_is_lost_or_repeated(faults: int) -> None:
    began = int(time.time() * 1000)
    cluster = Cluster(3, seed=faults)
    try:
        players = _run_in_thread(_play(cluster, faults))
        assert sum(len(player.acknowledged) for player in players) > 4 * faults
        _run_in_thread(_check_logs(cluster, players, began))
    finally:
        cluster.end()


def _run_in_thread(scenario: Coroutine[Any, Any, Result]) -> Result:
    """Run in another thread: browser tests may have left an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, scenario).result()


async def _play(cluster: Cluster, faults: int) -> list[RoamingPlayer]:
    players: list[RoamingPlayer] = []
    playing: list[asyncio.Task[None]] = []
    for number in range(faults + 1):
        active = {player.table for player in players if not player.person.is_over}
        newcomers = await _sit_down(cluster, TABLES - len(active), number)
        players += newcomers
        playing += [asyncio.create_task(player.play()) for player in newcomers]
        await _under_load(players, playing)
        if number < faults:
            await asyncio.to_thread(cluster.FAULTS[number % len(cluster.FAULTS)], cluster)
            await cluster.await_ready()
    await _stop_playing(players, playing)
    await _check_views(cluster, players)
    return players


async def _under_load(players: list[RoamingPlayer], playing: list[asyncio.Task[None]]) -> None:
    """Wait until players move again."""
    before = sum(len(player.acknowledged) for player in players)
    end = time.monotonic() + PATIENCE
    while sum(len(player.acknowledged) for player in players) < before + 6 and not all(
        player.person.is_over for player in players
    ):
        for task in playing:
            if task.done():
                task.result()
        assert time.monotonic() < end, "no player could move"
        await asyncio.sleep(0.02)


async def _sit_down(cluster: Cluster, tables: int, round_number: int) -> list[RoamingPlayer]:
    players = []
    for number in range(tables):
        made = await _retry(
            lambda: asyncio.to_thread(
                make_table, cluster.any_worker().http, seats=[{}, {}, {"bot": "random"}]
            )
        )
        joined = await _retry(
            lambda made=made: asyncio.to_thread(  # type: ignore[misc]
                join_table, cluster.any_worker().http, made["table"]
            )
        )
        async with Person(cluster.socket_of(made["table"]), made["token"]) as host:
            assert (await host.ask("begin"))["type"] == "done"
        for seat, one in enumerate((made, joined)):
            name = f"p{round_number}-{number}-{seat}"
            player = RoamingPlayer(Person("", one["token"]), random.Random(name), name, pause=PACE)
            player.cluster, player.table = cluster, made["table"]
            players.append(player)
    return players


async def _retry(ask: Callable[[], Awaitable[dict[str, str]]]) -> dict[str, str]:
    """Repeat a request that follows a fault until it succeeds."""
    for _ in range(50):
        try:
            return await ask()
        except OSError:
            await asyncio.sleep(0.1)
    raise AssertionError("no table could be created")


async def _stop_playing(players: list[RoamingPlayer], playing: list[asyncio.Task[None]]) -> None:
    for player in players:
        player.stop.set()
    await asyncio.gather(*playing)


async def _check_views(cluster: Cluster, players: list[RoamingPlayer]) -> None:
    """Players who stayed see the same as a new connection of their seat."""
    for player in players:
        person = player.person
        async with Person(cluster.socket_of(player.table), person.token) as fresh:
            try:
                await _catch_up(person, fresh)
            except GONE:  # their game was over, so they had disconnected
                assert person.is_over
                person.address = cluster.socket_of(player.table)
                await person.connect()
                await _catch_up(person, fresh)
            mine = [entry["n"] for entry in person.log]
            assert mine == [entry["n"] for entry in fresh.log]
            assert person.position == fresh.position
        await player.leave()


async def _catch_up(person: Person, fresh: Person) -> None:
    """Read until both have received the same events; bots may move meanwhile."""
    while person.after != fresh.after:
        await (person if person.after < fresh.after else fresh).next()


async def _check_logs(cluster: Cluster, players: list[RoamingPlayer], began: int) -> None:
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
            # The wrong clocks of the workers must not show.
            assert began - 20_000 < times[0]
            assert times[-1] < time.time() * 1000 + 20_000
        assert by_bots > len(players)
    finally:
        await store.close()


async def _log(store: EventStore, table: str) -> list[events.Entry]:
    kept = await store.read(table)
    assert [event.n for event in kept] == list(range(1, len(kept) + 1))
    return [events.decode(event.n, event.body) for event in kept]


def _check_acknowledged(log: list[events.Entry], players: list[RoamingPlayer]) -> None:
    """Each acknowledged move is in the log once, with the acknowledged number."""
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
    """Check that every move of a bot is its choice for that position; returns their number."""
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
