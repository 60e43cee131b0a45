"""What one durable move costs the server, beside another checkout and beside an empty echo.

Both servers play the same whole games, move by move and outcome by outcome, and several times; the
best of each is what the least disturbed run shows.  They take turns after some thousand moves, so
that a machine which is now faster and now slower, as shared ones are, is so for both; more often,
and taking turns would cost the quicker one more than the other.
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

from benchmarks.load.courses import Course, played_by_bots
from benchmarks.load.figures import percentile
from benchmarks.load.measuring import Measured, Room
from benchmarks.load.processes import served
from benchmarks.load.sockets import LightSocket

_TABLES = 20
#: Whole games that a cost is of, so that it is of some eight thousand moves.
_USUAL_GAMES = 20
_GAMES = {"deep-sea": 70, "mauna-kea": 50}
#: So many more play before the others, uncounted.
_WARMING_UP = 1
_LONGEST = 600.0
#: So many moves are made at one server before it is the other's turn.
_IN_TURN = 2_500
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
    checkouts = [None] if options.beside is None else [None, options.beside.resolve()]
    rounds: list[list[Cost]] = []
    for number in range(options.rounds):
        databases = [folder / f"{game}-{number}-{which}.db" for which in range(len(checkouts))]
        rounds.append(await _play(databases, checkouts, game, options.seats, courses))
        if any(games_in(databases[0]) != games_in(other) for other in databases[1:]):
            raise Miscounted(f"{game}: other games were played beside")
    here, *beside = (_best(costs) for costs in zip(*rounds, strict=True))
    return here, beside[0] if beside else None


def _courses(game: str, seats: int, games: int | None) -> list[Course]:
    return [
        played_by_bots(game, seats, number)
        for number in range(_WARMING_UP + (games or _GAMES.get(game, _USUAL_GAMES)))
    ]


def _best(costs: Sequence[Cost]) -> Cost:
    return min(costs, key=lambda cost: cost.milliseconds)


async def _play(
    databases: list[Path],
    checkouts: Sequence[Path | None],
    game: str,
    seats: int,
    courses: list[Course],
) -> list[Cost]:
    """The cost of a round at each checkout, by turns."""
    rooms: list[Room] = []
    with ExitStack() as servers:
        for database, checkout in zip(databases, checkouts, strict=True):
            server = servers.enter_context(
                served("benchmarks.load.server", str(database), checkout=checkout)
            )
            fresh = [replace(course, sent=0) for course in courses]
            rooms.append(await Room.fill(server, game, len(fresh), seats, fresh))
            await rooms[-1].warm_up(_WARMING_UP, _LONGEST)
        parts = await _by_turns(rooms)
        for room in rooms:
            room.close()
    for room, database in zip(rooms, databases, strict=True):
        in_store = sum(map(len, games_in(database)))
        if not room.kept == in_store == sum(len(course.actions) for course in courses):
            raise Miscounted(f"{room.kept} moves were said to be kept, and {in_store} are")
    return [
        Cost(measured.milliseconds_per_move, measured.moves, percentile(frames, 0.5))
        for measured in map(Measured.together, parts)
        for frames in (measured.timings.frames,)
    ]


async def _by_turns(rooms: list[Room]) -> list[list[Measured]]:
    """What each did, turn by turn; who is first in one turn is last in the next."""
    parts: list[list[Measured]] = [[] for _ in rooms]
    order, moves = list(range(len(rooms))), 0
    while not all(room.is_over for room in rooms):
        moves += _IN_TURN
        for which in order:
            parts[which].append(await rooms[which].play_to(moves, _LONGEST))
        order.reverse()
    return parts


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
