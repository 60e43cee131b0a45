"""What one durable move costs the server, beside another checkout and beside an empty echo.

Both servers play the same whole games, move by move and outcome by outcome, in turn and several
times; the best of each is what the least disturbed run shows.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.load.courses import Course, played_by_bots
from benchmarks.load.figures import percentile
from benchmarks.load.measuring import Room
from benchmarks.load.processes import served
from benchmarks.load.sockets import LightSocket

_TABLES = 20
#: So many more play before the others, uncounted.
_WARMING_UP = 1
_LONGEST = 600.0
_ECHOES = 4_000


class Miscounted(Exception):
    """The server has kept other moves than it said, or than the one beside."""


@dataclass(frozen=True)
class Cost:
    milliseconds: float
    moves: int
    frame: float  # bytes of an update, the median


#: Of one event: its seat, action and outcomes.
Move = tuple[int, int, tuple[int, ...]]


async def cost_of(folder: Path, game: str, options: argparse.Namespace) -> tuple[Cost, Cost | None]:
    """Here, and in the checkout beside."""
    courses = await asyncio.to_thread(_courses, game, options.seats, options.games)
    here: list[Cost] = []
    beside: list[Cost] = []
    for number in range(options.rounds):
        kept = folder / f"{game}-here-{number}.db"
        here.append(await _play(kept, game, options.seats, courses, None))
        if options.beside is not None:
            other = folder / f"{game}-beside-{number}.db"
            checkout = options.beside.resolve()
            beside.append(await _play(other, game, options.seats, courses, checkout))
            if games_in(kept) != games_in(other):
                raise Miscounted(f"{game}: other games were played beside")
    return _best(here), _best(beside) if beside else None


def _courses(game: str, seats: int, games: int) -> list[Course]:
    return [played_by_bots(game, seats, number) for number in range(_WARMING_UP + games)]


def _best(costs: list[Cost]) -> Cost:
    return min(costs, key=lambda cost: cost.milliseconds)


async def _play(
    database: Path, game: str, seats: int, courses: list[Course], checkout: Path | None
) -> Cost:
    fresh = [replace(course, sent=0) for course in courses]
    with served("benchmarks.load.server", str(database), checkout=checkout) as server:
        room = await Room.fill(server, game, len(fresh), seats, fresh)
        measured = await room.play_out(_LONGEST, _WARMING_UP)
        kept = room.kept
        room.close()
    in_store = sum(map(len, games_in(database)))
    if not kept == in_store == sum(len(course.actions) for course in courses):
        raise Miscounted(f"{kept} moves were said to be kept, and {in_store} are")
    frame = percentile(measured.timings.frames, 0.5)
    return Cost(measured.milliseconds_per_move, measured.moves, frame)


def games_in(database: Path) -> list[list[Move]]:
    """The moves that a store has really kept, table by table, in an order of their own."""
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
    """Milliseconds of processor for a small message that goes to as many sockets as sit at a table,
    with a receipt for who sent it."""
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
    """Sockets at one table of the echo: what one says all of them hear."""

    def __init__(self, sockets: int) -> None:
        self._wanted = sockets + 1  # and the receipt
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
