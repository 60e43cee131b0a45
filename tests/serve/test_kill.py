"""Kills at any moment: no acknowledged move is lost or repeated, and all see the same."""

import asyncio
import random
import signal
from collections import Counter
from pathlib import Path

import pytest

from archipel.store.sqlite.store import SqliteStore
from archipel.tables.log import events
from tests.serve.people import Person, join_table, make_table
from tests.serve.restartable_server import PersistentPlayer, RestartableServer

TABLES = 4


@pytest.mark.parametrize("kills", [5, pytest.param(100, marks=pytest.mark.soak)])
@pytest.mark.promise("durable")
def test_kill_at_a_random_moment(tmp_path: Path, kills: int) -> None:
    players = asyncio.run(_play(tmp_path, [signal.SIGKILL] * kills))
    assert sum(len(player.acknowledged) for player in players) > 4 * kills
    asyncio.run(_check_log(tmp_path / "tables.db", players))


def test_orderly_stop(tmp_path: Path) -> None:
    players = asyncio.run(_play(tmp_path, [signal.SIGTERM] * 3))
    asyncio.run(_check_log(tmp_path / "tables.db", players))
    codes = {code for player in players for code in player.close_codes}
    assert codes == {1012}


async def _play(folder: Path, signals: list[signal.Signals]) -> list[PersistentPlayer]:
    """Play at several tables while the server is stopped repeatedly."""
    chance = random.Random(len(signals))
    server = RestartableServer(folder / "tables.db")
    server.start()
    players: list[PersistentPlayer] = []
    try:
        for number, how in enumerate(signals):
            running = [player for player in players if not player.person.is_over]
            players += await _sit_down(server, TABLES - len(running) // 2, number)
            playing = [asyncio.create_task(player.play()) for player in players]
            await _under_load(players)
            await asyncio.sleep(chance.uniform(0.0, 0.5))
            await asyncio.to_thread(server.end, how)
            await asyncio.to_thread(server.start)
            await asyncio.sleep(0.1)
            await _stop_playing(players, playing)
        await _check_views(server, players)
    finally:
        server.end(signal.SIGTERM)
    return players


async def _under_load(players: list[PersistentPlayer]) -> None:
    """Wait until players move."""
    before = sum(len(player.acknowledged) for player in players)
    for _ in range(6_000):
        if sum(len(player.acknowledged) for player in players) >= before + 4:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nobody could make a move")


async def _sit_down(
    server: RestartableServer, tables: int, round_number: int
) -> list[PersistentPlayer]:
    players = []
    for number in range(tables):
        made = make_table(server.http, seats=[{}, {}, {"bot": "random"}])
        joined = join_table(server.http, made["table"])
        address = server.socket_of(made["table"])
        async with Person(address, made["token"]) as host:
            assert (await host.ask("begin"))["type"] == "done"
        for seat, one in enumerate((made, joined)):
            name = f"p{round_number}-{number}-{seat}"
            chooser = random.Random(name)
            players.append(PersistentPlayer(Person(address, one["token"]), chooser, name))
    return players


async def _stop_playing(players: list[PersistentPlayer], playing: list[asyncio.Task[None]]) -> None:
    """Let all players finish their current request."""
    for player in players:
        player.stop.set()
    await asyncio.gather(*playing)
    for player in players:
        await player.leave()
        player.stop.clear()


async def _check_views(server: RestartableServer, players: list[PersistentPlayer]) -> None:
    """Players who reconnect see the same as a new connection of their seat."""
    for player in players:
        await player.person.connect()
        async with Person(player.person.address, player.person.token) as fresh:
            while player.person.after < fresh.after:
                await player.person.next()
            while fresh.after < player.person.after:
                await fresh.next()
            mine = [entry["n"] for entry in player.person.log]
            assert mine == [entry["n"] for entry in fresh.log]
            assert player.person.position == fresh.position
        await player.leave()


async def _check_log(database: Path, players: list[PersistentPlayer]) -> None:
    """Each acknowledged move is in the log once, with the acknowledged number."""
    store = await SqliteStore.open(database)
    try:
        for player in players:
            table = player.person.table["id"]
            moves: Counter[str] = Counter()
            last: dict[str, int] = {}
            for kept in await store.read(table, limit=1000):
                entry = events.decode(kept.n, kept.body)
                if entry.request is not None:
                    request_id = entry.request.partition(":")[2]
                    moves[request_id] += isinstance(entry.event, events.Played)
                    last[request_id] = kept.n  # the last move also ends the game
            for request_id, n in player.acknowledged.items():
                assert (moves[request_id], last[request_id]) == (1, n)
            assert max(moves.values(), default=0) <= 1
    finally:
        await store.close()
