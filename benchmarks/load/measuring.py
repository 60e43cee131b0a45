"""Clients of a server under load: at human pace, without pauses, or to the end of their games."""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from benchmarks.load.players import Player, Seat, Timings, set_up_tables
from benchmarks.load.processes import Served
from benchmarks.load.recorded_games import RecordedGame

_LONGEST_WAIT = 30.0
_POLL_SECONDS = 0.01


@dataclass(frozen=True)
class Measured:
    """A measured period of play; counts only moves that the server acknowledged as durable."""

    timings: Timings
    seconds: float
    moves: int
    processor: float  # processor seconds of the server

    @classmethod
    def combined(cls, parts: Sequence[Measured]) -> Measured:
        """The sum of several periods."""
        return cls(
            Timings.combined([part.timings for part in parts]),
            sum(part.seconds for part in parts),
            sum(part.moves for part in parts),
            sum(part.processor for part in parts),
        )

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def milliseconds_per_move(self) -> float:
        return 1000 * self.processor / self.moves if self.moves else float("nan")

    @property
    def busy(self) -> float:
        """The number of cores that the server kept busy."""
        return self.processor / self.seconds


class ClientPool:
    """Connected players of all tables."""

    def __init__(
        self,
        server: Served,
        tables: Sequence[Sequence[Seat]],
        recorded: Sequence[RecordedGame | None],
    ) -> None:
        self._server = server
        self._timings = Timings()
        self.tables = [
            [Player(seat, random.Random(7919 + number), self._timings, game) for seat in seats]
            for number, (seats, game) in enumerate(zip(tables, recorded, strict=True))
        ]
        self.players = [player for table in self.tables for player in table]
        #: The tables that are measured, and the moves acknowledged before the measurement.
        self._counted = self.tables
        self._kept_before = 0

    @classmethod
    async def open(
        cls,
        server: Served,
        game: str,
        tables: int,
        seats: int,
        recorded: Sequence[RecordedGame] | None = None,
        ports: Sequence[int] = (),
    ) -> ClientPool:
        """Set up tables, connect a player to every seat and start the games.

        Players follow the recorded game of their table, or else play at random.  The players of a
        table are spread over the ``ports``, if given.
        """
        announce = server.next_table if recorded else _ignore
        seated = await asyncio.to_thread(set_up_tables, server.port, game, tables, seats, announce)
        pool = cls(server, seated, recorded or [None] * tables)
        next_port = itertools.cycle(ports or (server.port,))
        for first in range(0, len(pool.players), 50):
            batch = pool.players[first : first + 50]
            await asyncio.gather(*(player.connect(next(next_port)) for player in batch))
        for number, table in enumerate(pool.tables):
            announce(number)
            table[0].begin()
            async with asyncio.timeout(_LONGEST_WAIT):
                for player in table:
                    await player.begun()
        return pool

    @property
    def kept(self) -> int:
        """The number of moves that the server acknowledged since the pool was opened."""
        return sum(player.kept for player in self.players)

    async def play_for(self, seconds: float, think: tuple[float, float]) -> Measured:
        """Let all play for a time; a warm-up before it is not counted."""
        self._start(think)
        await asyncio.sleep(min(3.0, seconds / 4))
        measured = await self._measure(asyncio.sleep(seconds))
        await self._stop()
        return measured

    async def play_out(self, seconds: float, warming_up: int = 0) -> Measured:
        """Let every table play without pauses until its game or its recorded game ends.

        The first ``warming_up`` tables play before the others and are not counted.
        """
        await self.warm_up(warming_up, seconds)
        return await self.play_to(None, seconds)

    async def warm_up(self, tables: int, seconds: float) -> None:
        """Let the first tables play to the end; only the others are measured."""
        first, self._counted = self.tables[:tables], self.tables[tables:]
        self._start((0.0, 0.0), begin=False)
        for player in (player for table in first for player in table):
            player.play()
        await self._until(lambda: self._are_over(first), seconds)
        await self._stop()
        self._kept_before = self.kept

    async def play_to(self, moves: int | None, seconds: float) -> Measured:
        """Let the measured tables play until ``moves`` of their moves are acknowledged, or all."""
        self._start((0.0, 0.0), begin=False)
        measured = await self._measure(self._until(lambda: self._has_come_to(moves), seconds))
        await self._stop()
        return measured

    @property
    def is_over(self) -> bool:
        """Whether all measured tables have played to the end."""
        return self._are_over(self._counted)

    def close(self) -> None:
        for player in self.players:
            player.close()

    def _start(self, think: tuple[float, float], *, begin: bool = True) -> None:
        # With a thousand clients in one process, a garbage collection would look like a delay of
        # the server.
        gc.disable()
        for player in self.players:
            player.think = think
            if begin:
                player.play()

    async def _measure(self, until: Awaitable[None]) -> Measured:
        timings = Timings()
        for player in self.players:
            player.timings = timings
        kept, used = self.kept, self._server.processor_seconds()
        started = time.perf_counter()
        for player in self.players:
            player.play()
        await until
        lasted = time.perf_counter() - started
        moves, spent = self.kept - kept, self._server.processor_seconds() - used
        for player in self.players:
            player.timings = self._timings
        return Measured(timings, lasted, moves, spent)

    def _has_come_to(self, moves: int | None) -> bool:
        """Whether ``moves`` were acknowledged (then pauses all players) and nothing is pending."""
        if moves is not None and self.kept - self._kept_before >= moves:
            self._pause()
        if any(player.is_playing for player in self.players):
            return self.is_over
        return not any(player.waits_for_answers for player in self.players)

    @staticmethod
    async def _until(condition: Callable[[], bool], seconds: float) -> None:
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110
                await asyncio.sleep(_POLL_SECONDS)

    @staticmethod
    def _are_over(tables: Sequence[Sequence[Player]]) -> bool:
        return all(
            any(player.is_over for player in table)
            and not any(player.waits_for_answers for player in table)
            for table in tables
        )

    def _pause(self) -> None:
        for player in self.players:
            player.is_playing = False

    async def _stop(self) -> None:
        """Pause all players and wait for pending answers."""
        self._pause()
        async with asyncio.timeout(_LONGEST_WAIT):
            for player in self.players:
                while player.waits_for_answers:  # noqa: ASYNC110
                    await asyncio.sleep(_POLL_SECONDS)
        gc.enable()


def _ignore(number: int) -> None:
    """Announce nothing: the tables draw their chance as usual."""


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that is at least as large as this share of all values."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def in_milliseconds(values: Sequence[float]) -> str:
    parts = [
        f"p{round(100 * share)} {1000 * percentile(values, share):.1f} ms"
        for share in (0.5, 0.9, 0.99)
    ]
    longest = f"longest {1000 * max(values, default=float('nan')):.1f} ms"
    return ", ".join((*parts, longest))
