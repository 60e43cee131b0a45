"""What one durable move costs the server, beside another checkout and beside an empty echo.

The same tables play the same number of events on each, in turn and several times; the best of each
is what the least disturbed run shows.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.load.figures import percentile
from benchmarks.load.measuring import Room
from benchmarks.load.processes import served
from benchmarks.load.sockets import LightSocket

_TABLES = 20
#: Events per table: a game is over by then, or in the middle of it.
_EVENTS = 150
_LONGEST = 240.0
_ECHOES = 4_000


class Miscounted(Exception):
    """The server has kept another number of moves than it said."""


@dataclass(frozen=True)
class Cost:
    milliseconds: float
    moves: int
    frame: float  # bytes of an update, the median


async def cost_of(folder: Path, game: str, options: argparse.Namespace) -> tuple[Cost, Cost | None]:
    """Here, and in the checkout beside."""
    here: list[Cost] = []
    beside: list[Cost] = []
    for number in range(options.rounds):
        if options.beside is not None:
            database = folder / f"{game}-beside-{number}.db"
            beside.append(await _play(database, game, options.seats, options.beside.resolve()))
        here.append(await _play(folder / f"{game}-here-{number}.db", game, options.seats, None))
    return _best(here), _best(beside) if beside else None


def _best(costs: list[Cost]) -> Cost:
    return min(costs, key=lambda cost: cost.milliseconds)


async def _play(database: Path, game: str, seats: int, checkout: Path | None) -> Cost:
    with served("benchmarks.load.server", str(database), checkout=checkout) as server:
        room = await Room.fill(server, game, _TABLES, seats)
        measured = await room.play_out(_EVENTS, _LONGEST)
        kept = room.kept
        room.close()
    in_store = moves_in(database)
    if kept != in_store:
        raise Miscounted(f"{kept} moves were said to be kept, and {in_store} are")
    frame = percentile(measured.timings.frames, 0.5)
    return Cost(measured.milliseconds_per_move, measured.moves, frame)


def moves_in(database: Path) -> int:
    """How many moves a store has really kept."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        (moves,) = connection.execute(
            "SELECT count(*) FROM event WHERE instr(CAST(body AS TEXT), ?)", ('"type":"played"',)
        ).fetchone()
    return int(moves)


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
