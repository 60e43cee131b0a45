"""The three measurements: people at their pace, all at once, and an empty echo beside them."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.load.players import Player, Timings
from benchmarks.load.sitting import Seat


@dataclass(frozen=True)
class Measured:
    """What a while of play brought."""

    timings: Timings
    seconds: float
    moves: int  # with those before the counting began

    @property
    def moves_per_second(self) -> float:
        return len(self.timings.receipts) / self.seconds


class Room:
    """Every player of every table, connected."""

    def __init__(self, tables: Sequence[Sequence[Seat]], seed: int) -> None:
        self.timings = Timings()
        self.tables = [
            [Player(seat, random.Random(seed * 7919 + number), self.timings) for seat in seats]
            for number, seats in enumerate(tables)
        ]
        self.players = [player for table in self.tables for player in table]
        self._running: list[asyncio.Task[None]] = []

    async def open(self, port: int) -> None:
        for group in range(0, len(self.players), 50):
            await asyncio.gather(
                *(player.connect(port) for player in self.players[group : group + 50])
            )
        self._running = [asyncio.create_task(player.run()) for player in self.players]
        for table in self.tables:
            await table[0].begin()

    async def play(self, seconds: float, think: tuple[float, float]) -> Measured:
        """Let everybody play for a while, beginning with a little that is not counted."""
        # A thousand clients in one process: a look through all their garbage would be taken for
        # the server's delay.
        gc.disable()
        for player in self.players:
            player.think = think
            player.playing.set()
        await asyncio.sleep(min(3.0, seconds / 4))
        timings = Timings()
        for player in self.players:
            player.timings = timings
        started = time.perf_counter()
        await asyncio.sleep(seconds)
        lasted = time.perf_counter() - started
        moves = len(self.timings.receipts) + len(timings.receipts)
        measured = Measured(timings, lasted, moves)
        for player in self.players:
            player.timings = self.timings
            player.playing.clear()
        gc.enable()
        return measured

    async def close(self) -> None:
        await asyncio.gather(*(player.close() for player in self.players), return_exceptions=True)
        await asyncio.gather(*self._running, return_exceptions=True)


async def measure_echo(port: int, sockets: int, seconds: float, message: str) -> float:
    """How many messages per second come back from an application that does nothing else."""
    address = f"ws://127.0.0.1:{port}/"
    connections = [
        await connect(address, compression=None, ping_interval=None) for _ in range(sockets)
    ]
    counts = [0] * sockets
    stop_at = time.perf_counter() + seconds

    async def exchange(number: int, connection: ClientConnection) -> None:
        while time.perf_counter() < stop_at:
            await connection.send(message)
            await connection.recv()
            counts[number] += 1

    await asyncio.gather(*(exchange(*numbered) for numbered in enumerate(connections)))
    await asyncio.gather(*(connection.close() for connection in connections))
    return sum(counts) / seconds
