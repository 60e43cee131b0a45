"""A room full of people: at their pace, as fast as they can, or to the end of their games."""

from __future__ import annotations

import asyncio
import gc
import itertools
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from benchmarks.load.courses import Course
from benchmarks.load.players import Player, Timings
from benchmarks.load.processes import Served
from benchmarks.load.sitting import Seat, set_up_tables

_LONGEST_WAIT = 30.0
_LOOKS_EVERY = 0.01


@dataclass(frozen=True)
class Measured:
    """What a while of play brought; every move is one that the server said is kept for good."""

    timings: Timings
    seconds: float
    moves: int
    processor: float  # seconds that the server used meanwhile

    @classmethod
    def together(cls, parts: Sequence[Measured]) -> Measured:
        """What several whiles brought in all."""
        return cls(
            Timings.together([part.timings for part in parts]),
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
        """How many cores the server kept busy."""
        return self.processor / self.seconds


class Room:
    """Every player of every table, connected."""

    def __init__(
        self, server: Served, tables: Sequence[Sequence[Seat]], courses: Sequence[Course | None]
    ) -> None:
        self._server = server
        self._timings = Timings()
        self.tables = [
            [Player(seat, random.Random(7919 + number), self._timings, course) for seat in seats]
            for number, (seats, course) in enumerate(zip(tables, courses, strict=True))
        ]
        self.players = [player for table in self.tables for player in table]
        #: The tables whose moves count, of which so many were kept when they began to.
        self._counted = self.tables
        self._kept_before = 0

    @classmethod
    async def fill(
        cls,
        server: Served,
        game: str,
        tables: int,
        seats: int,
        courses: Sequence[Course] | None = None,
        ports: Sequence[int] = (),
    ) -> Room:
        """Tables of a game, all seats taken by people who are here, and all games begun.

        They play what their course says, or whatever is possible where there is none.  Where there
        are several ``ports``, those of a table are spread over them.
        """
        announce = server.next_table if courses else _nobody_needs_to_know
        seated = await asyncio.to_thread(set_up_tables, server.port, game, tables, seats, announce)
        room = cls(server, seated, courses or [None] * tables)
        doors = itertools.cycle(ports or (server.port,))
        for group in range(0, len(room.players), 50):
            together = room.players[group : group + 50]
            await asyncio.gather(*(player.connect(next(doors)) for player in together))
        for number, table in enumerate(room.tables):
            announce(number)
            table[0].begin()
            async with asyncio.timeout(_LONGEST_WAIT):
                for player in table:
                    await player.begun()
        return room

    @property
    def kept(self) -> int:
        """How many moves the server said it keeps, since the room was filled."""
        return sum(player.kept for player in self.players)

    async def play_for(self, seconds: float, think: tuple[float, float]) -> Measured:
        """Let everybody play for a while, after a little that is not counted."""
        self._start(think)
        await asyncio.sleep(min(3.0, seconds / 4))
        measured = await self._measure(asyncio.sleep(seconds))
        await self._stop()
        return measured

    async def play_out(self, seconds: float, warming_up: int = 0) -> Measured:
        """Let every table play, without a pause, until its game is over or its course is.

        The first few tables play before all others, and what that costs is not counted.
        """
        await self.warm_up(warming_up, seconds)
        return await self.play_to(None, seconds)

    async def warm_up(self, tables: int, seconds: float) -> None:
        """Let the first few tables play to the end; only what the others do counts."""
        first, self._counted = self.tables[:tables], self.tables[tables:]
        self._start((0.0, 0.0), begin=False)
        for player in (player for table in first for player in table):
            player.play()
        await self._until(lambda: self._are_over(first), seconds)
        await self._stop()
        self._kept_before = self.kept

    async def play_to(self, moves: int | None, seconds: float) -> Measured:
        """Let the others go on until so many of their moves are kept, or all of them."""
        self._start((0.0, 0.0), begin=False)
        measured = await self._measure(self._until(lambda: self._has_come_to(moves), seconds))
        await self._stop()
        return measured

    @property
    def is_over(self) -> bool:
        """Whether all have played to the end, those that count."""
        return self._are_over(self._counted)

    def close(self) -> None:
        for player in self.players:
            player.close()

    def _start(self, think: tuple[float, float], *, begin: bool = True) -> None:
        # A thousand clients in one process: a look through all their garbage would be taken for
        # the server's delay.
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
        """With everything answered: nobody plays any more from so many moves on."""
        if moves is not None and self.kept - self._kept_before >= moves:
            self._pause()
        if any(player.is_playing for player in self.players):
            return self.is_over
        return not any(player.waits_for_answers for player in self.players)

    @staticmethod
    async def _until(is_so: Callable[[], bool], seconds: float) -> None:
        async with asyncio.timeout(seconds):
            while not is_so():  # noqa: ASYNC110
                await asyncio.sleep(_LOOKS_EVERY)

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
        """Nobody plays any more; what is under way is answered."""
        self._pause()
        async with asyncio.timeout(_LONGEST_WAIT):
            for player in self.players:
                while player.waits_for_answers:  # noqa: ASYNC110
                    await asyncio.sleep(_LOOKS_EVERY)
        gc.enable()


def _nobody_needs_to_know(number: int) -> None:
    """Chance is as it always is."""
