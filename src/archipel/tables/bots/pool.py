"""Bots in processes that can be killed: the built-in workers, and the host's own programs.

Every decision has a deadline.  A process that misses it is killed and replaced at the next
decision, so no bot can block other bots or the shutdown of the server.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from itertools import chain
from typing import TypeVar

from archipel.bots.external.bot_program import BotProgram, ProgramPlayer
from archipel.bots.external.line_process import (
    LineProcess,
    ProcessEnded,
    ProcessFailed,
    python_command,
    python_environment,
    usable_cores,
)
from archipel.bots.external.worker_protocol import (
    READY,
    UNREADABLE,
    Choice,
    Question,
    encode_line,
    pack_view,
    read_choice,
)
from archipel.tables.bots.executor import BotAnswer, BotFailed, BotQuestion, checked
from archipel.tables.bots.warming import Warming

WORKER = "archipel.bots.external.bot_worker"

#: Seconds in which a worker must start.
TO_START = 60.0
#: Seconds to wait for the threads that ask the killed processes.
_STOP_SECONDS = 2.0


P = TypeVar("P", LineProcess, ProgramPlayer)


class BotPool:
    """At most ``cores`` worker processes at once, and as many programs of the host."""

    def __init__(
        self,
        cores: int | None = None,
        programs: Mapping[str, BotProgram] | None = None,
        worker: Sequence[str] | None = None,
        warm: Sequence[str] = (),
    ) -> None:
        """``worker`` is the command of a worker process, by default the built-in one.

        `start` compiles the searches of the games in ``warm`` in the background; until a search is
        compiled a lighter bot answers.
        """
        self.cores = usual_cores() if cores is None else cores
        # Operating systems tend to use the first cores for other work.
        self._cpus = usable_cores()[-self.cores :]
        self._command = worker or python_command(WORKER)
        # One thread per worker: keep libraries from starting one per core.
        self._environment = python_environment(NUMBA_NUM_THREADS="1", OMP_NUM_THREADS="1")
        self._programs = dict(programs or {})
        self._turns = FairQueue(self.cores)
        self._program_turns = FairQueue(self.cores)
        self._threads = ThreadPoolExecutor(2 * self.cores, "archipel-bots")
        self._idle: list[LineProcess] = []
        self._idle_programs: dict[str, list[ProgramPlayer]] = {name: [] for name in self._programs}
        self._busy: set[LineProcess | ProgramPlayer] = set()
        self._asking: set[asyncio.Task[BotAnswer]] = set()
        self._stopping = False
        self._warming = Warming(warm, self._cpus, self._environment)

    def start(self) -> None:
        self._warming.start()

    async def choose(
        self, asked: BotQuestion, seconds: float, *, consider: bool = False
    ) -> BotAnswer:
        # The caller may be cancelled; the turn lasts until the process is free again.
        task = asyncio.create_task(self._in_turn(asked, seconds, consider))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return await asyncio.shield(task)

    async def stop(self) -> None:
        """Kill all processes."""
        self._stopping = True
        self._warming.stop()
        for task in list(self._asking):
            task.cancel()
        for process in [*self._busy, *self._idle, *chain(*self._idle_programs.values())]:
            process.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                await asyncio.to_thread(self._threads.shutdown)

    def process_ids(self) -> list[int]:
        """The ids of the running worker processes."""
        workers = [p for p in (*self._busy, *self._idle) if isinstance(p, LineProcess)]
        return [worker.process_id for worker in workers if worker.is_running]

    async def _in_turn(self, asked: BotQuestion, seconds: float, consider: bool) -> BotAnswer:
        program = self._programs.get(asked.bot)
        if program is None:
            turns, ask = self._turns, partial(self._ask_worker, asked, seconds, consider)
        else:
            turns, ask = self._program_turns, partial(self._ask_program, program, asked)
        try:
            async with turns.turn(asked.table):
                chosen = await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except ProcessFailed as failure:
            raise BotFailed(str(failure)) from failure
        return checked(chosen, asked)

    # ---- in a thread ----------------------------------------------------------------------------

    def _ask_worker(self, asked: BotQuestion, seconds: float, consider: bool) -> BotAnswer:
        question = Question(
            asked.game,
            asked.bot,
            pack_view(asked.view),
            [int(action) for action in asked.legal],
            asked.seed,
            seconds,
            consider,
        )
        choice = self._answer(encode_line(question), seconds)
        if choice.error:
            raise BotFailed(choice.error)
        return BotAnswer(choice.action, choice.by, choice.candidates)

    def _answer(self, line: bytes, seconds: float) -> Choice:
        process = _take(self._idle)
        if process is not None:
            try:
                return self._answer_of(process, line, seconds)
            except ProcessEnded:
                pass  # perhaps it had ended long ago: try a new one
        process = LineProcess(self._command, cores=self._cpus, environment=self._environment)
        with self._kept_track_of(process):
            process.ask(READY, TO_START)
        return self._answer_of(process, line, seconds)

    def _answer_of(self, process: LineProcess, line: bytes, seconds: float) -> Choice:
        with self._kept_track_of(process):
            answer = process.ask(line, seconds)
        try:
            choice = read_choice(answer)
        except UNREADABLE as error:
            process.kill()
            raise BotFailed(f"a worker's answer cannot be read: {error}") from error
        self._idle.append(process)
        return choice

    def _ask_program(self, program: BotProgram, asked: BotQuestion) -> BotAnswer:
        idle = self._idle_programs[program.name]
        player = _take(idle) or ProgramPlayer(program, cores=self._cpus)
        with self._kept_track_of(player):
            action, candidates = player.choose(asked.game, asked.view, asked.legal, asked.seed)
        idle.append(player)
        return BotAnswer(action, program.name, candidates)

    @contextmanager
    def _kept_track_of(self, process: LineProcess | ProgramPlayer) -> Iterator[None]:
        """Register a busy process, so that `stop` can kill it."""
        self._busy.add(process)
        try:
            if self._stopping:
                process.kill()
            yield
        finally:
            self._busy.discard(process)


def _take(idle: list[P]) -> P | None:
    """Take the last idle process that still runs; threads share the list."""
    with suppress(IndexError):
        while True:
            process = idle.pop()
            if process.is_running:
                return process
    return None


def usual_cores() -> int:
    """All cores but one, which is for the server."""
    return max(1, len(usable_cores()) - 1)


class FairQueue:
    """A fair queue: of the waiting tables, the one goes next whose bots have used least time.

    Used time is relative to the tables that wait, so an idle table gathers no credit.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._clock = clock
        self.running = 0
        #: The least used time of any waiting table.
        self._common = 0.0
        #: The used time of tables that have used more.
        self._had: dict[str, float] = {}
        #: In order of arrival.
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, table: str) -> AsyncIterator[None]:
        """Wait for a turn; it lasts as long as the context."""
        await self._wait(table)
        begun = self._clock()
        try:
            yield
        finally:
            self._had[table] = self._had_by(table) + self._clock() - begun
            self.running -= 1
            self._let_next_in()

    async def _wait(self, table: str) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((table, future))
        self._let_next_in()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():  # its turn had begun
                self.running -= 1
                self._let_next_in()
            raise

    def _let_next_in(self) -> None:
        self._waiting = [(table, future) for table, future in self._waiting if not future.done()]
        while self.running < self.most and self._waiting:
            # `min` takes the first of equals: the earliest.
            first = min(self._waiting, key=lambda waiting: self._had_by(waiting[0]))
            self._waiting.remove(first)
            table, future = first
            self.running += 1
            self._common = self._had_by(table)
            future.set_result(None)
        self._had = {table: had for table, had in self._had.items() if had > self._common}

    def _had_by(self, table: str) -> float:
        return max(self._common, self._had.get(table, 0.0))
