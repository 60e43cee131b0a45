"""Processor time of a durable move, compared with another checkout and with an echo server.

Both servers play the same recorded games, with the same chance, several times; the best round of
each counts.  They alternate every few thousand moves, so that changes in the speed of a shared
machine affect both.  Alternating more often would cost the faster server more than the other.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.load.measuring import ClientPool, Measured, percentile
from benchmarks.load.processes import served
from benchmarks.load.recorded_games import RecordedGame, record_game
from benchmarks.load.sockets import LightSocket

_TABLES = 20
#: Games per measurement: about eight thousand moves.
_USUAL_GAMES = 20
_GAMES = {"deep-sea": 70, "mauna-kea": 50}
#: Games before the measurement.
_WARMING_UP = 1
_LONGEST = 600.0
#: Moves at one server before it is the turn of the other.
_IN_TURN = 2_500
_ECHOES = 4_000


class Miscounted(Exception):
    """The store has other moves than the server acknowledged, or than the other server."""


@dataclass(frozen=True)
class Cost:
    milliseconds: float
    moves: int
    frame: float  # bytes of an update, the median


#: Seat, action and outcomes of an event.
Move = tuple[int, int, tuple[int, ...]]


async def cost_of(folder: Path, game: str, options: argparse.Namespace) -> tuple[Cost, Cost | None]:
    """The cost in this checkout, and in the one of ``--beside``."""
    recorded = await asyncio.to_thread(_record_games, game, options.seats, options.games)
    checkouts = [None] if options.beside is None else [None, options.beside.resolve()]
    rounds: list[list[Cost]] = []
    for number in range(options.rounds):
        databases = [folder / f"{game}-{number}-{which}.db" for which in range(len(checkouts))]
        rounds.append(await _play(databases, checkouts, game, options.seats, recorded))
        if any(games_in(databases[0]) != games_in(other) for other in databases[1:]):
            raise Miscounted(f"{game}: the servers played different games")
    here, *beside = (_best(costs) for costs in zip(*rounds, strict=True))
    return here, beside[0] if beside else None


def _record_games(game: str, seats: int, games: int | None) -> list[RecordedGame]:
    return [
        record_game(game, seats, number)
        for number in range(_WARMING_UP + (games or _GAMES.get(game, _USUAL_GAMES)))
    ]


def _best(costs: Sequence[Cost]) -> Cost:
    return min(costs, key=lambda cost: cost.milliseconds)


async def _play(
    databases: list[Path],
    checkouts: Sequence[Path | None],
    game: str,
    seats: int,
    recorded: list[RecordedGame],
) -> list[Cost]:
    """The cost of one round at each checkout; they alternate."""
    pools: list[ClientPool] = []
    with ExitStack() as servers:
        for database, checkout in zip(databases, checkouts, strict=True):
            server = servers.enter_context(
                served("benchmarks.load.server", str(database), checkout=checkout)
            )
            fresh = [replace(game, sent=0) for game in recorded]
            pools.append(await ClientPool.open(server, game, len(fresh), seats, fresh))
            await pools[-1].warm_up(_WARMING_UP, _LONGEST)
        parts = await _by_turns(pools)
        for pool in pools:
            pool.close()
    for pool, database in zip(pools, databases, strict=True):
        in_store = sum(map(len, games_in(database)))
        if not pool.kept == in_store == sum(len(game.actions) for game in recorded):
            raise Miscounted(f"{pool.kept} moves were acknowledged, {in_store} are in the store")
    return [
        Cost(measured.milliseconds_per_move, measured.moves, percentile(frames, 0.5))
        for measured in map(Measured.combined, parts)
        for frames in (measured.timings.frames,)
    ]


async def _by_turns(pools: list[ClientPool]) -> list[list[Measured]]:
    """Let the servers alternate; the first of one turn is the last of the next."""
    parts: list[list[Measured]] = [[] for _ in pools]
    order, moves = list(range(len(pools))), 0
    while not all(pool.is_over for pool in pools):
        moves += _IN_TURN
        for which in order:
            parts[which].append(await pools[which].play_to(moves, _LONGEST))
        order.reverse()
    return parts


def games_in(database: Path) -> list[list[Move]]:
    """The moves in a store, by table, sorted."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "SELECT table_id, body FROM event ORDER BY table_id, n"
        ).fetchall()
    games: defaultdict[str, list[Move]] = defaultdict(list)
    for table, body in rows:
        event: dict[str, Any] = msgspec.json.decode(body)["event"]
        if event["type"] == "played":
            games[table].append((event["seat"], event["action"], tuple(event["outcomes"])))
    return sorted(games.values())


async def echo_cost(sockets: int, rounds: int) -> float:
    """Milliseconds of processor time to broadcast a small message to ``sockets`` sockets and
    acknowledge it."""
    return min([await _echo(sockets) for _ in range(rounds)])


async def _echo(sockets: int) -> float:
    message = b'{"type":"play","id":"m12","n":123,"action":4}'
    with served("benchmarks.load.echo") as server:
        groups = [_Group(sockets) for _ in range(_TABLES)]
        for number, group in enumerate(groups):
            await group.connect(server.port, f"/{number}")
        used = server.processor_seconds()
        await asyncio.gather(*(group.exchange(message, _ECHOES // _TABLES) for group in groups))
        spent = server.processor_seconds() - used
        for group in groups:
            group.close()
    return 1000 * spent / _ECHOES


class _Group:
    """Sockets at one table of the echo server, which broadcasts every message."""

    def __init__(self, sockets: int) -> None:
        self._wanted = sockets + 1  # and the acknowledgement
        self._sockets: list[LightSocket] = []
        self._heard = 0
        self._all_heard = asyncio.Event()

    async def connect(self, port: int, path: str) -> None:
        for _ in range(self._wanted - 1):
            self._sockets.append(await LightSocket.connect(port, path, self._hear))

    async def exchange(self, message: bytes, times: int) -> None:
        for number in range(times):
            self._heard = 0
            self._all_heard.clear()
            self._sockets[number % len(self._sockets)].send(message)
            await self._all_heard.wait()

    def _hear(self, text: bytes) -> None:
        self._heard += 1
        if self._heard == self._wanted:
            self._all_heard.set()

    def close(self) -> None:
        for socket in self._sockets:
            socket.close()
