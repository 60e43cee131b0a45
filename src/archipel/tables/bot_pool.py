"""Bots in processes that can be killed: workers of the house, and the host's own programs.

A decision has a deadline. Whoever misses it is killed and replaced by a fresh process at the next
decision, so nothing that a bot does stops other bots, or the server from ending.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

import msgspec

from archipel.bots.outside.line_process import (
    LineProcess,
    ProcessEnded,
    ProcessFailed,
    python_command,
    python_environment,
    usable_cores,
)
from archipel.bots.outside.programs import BotProgram, ProgramPlayer
from archipel.bots.outside.questions import (
    READY,
    Choice,
    Question,
    pack_view,
    question_line,
    read_choice,
)
from archipel.tables.bot_warming import Warming
from archipel.tables.fair_turns import FairTurns
from archipel.tables.thinking import Asked, BotFailed, Chosen, checked

WORKER = "archipel.bots.outside.worker"

#: Seconds that a worker has to start.
TO_START = 60.0


class Running(Protocol):
    @property
    def is_running(self) -> bool: ...

    def kill(self) -> None: ...


R = TypeVar("R", bound=Running)


class BotPool:
    """Lets at most ``cores`` workers think at once, and as many programs; all on so many cores."""

    def __init__(
        self,
        cores: int | None = None,
        programs: Mapping[str, BotProgram] | None = None,
        worker: Sequence[str] | None = None,
        warm: Sequence[str] = (),
        afterwards: Callable[[Sequence[int]], None] | None = None,
    ) -> None:
        """``worker`` is the command that runs a worker, if it is not the house's own.

        The searches of the games in ``warm`` are compiled, one after the other, once it has
        started; until then lighter bots answer in their place.  ``afterwards`` is called then, in a
        thread, with the cores that bots may use.
        """
        self.cores = usual_cores() if cores is None else cores
        self._cpus = _cpus(self.cores)
        self._command = worker or python_command(WORKER)
        # A worker is one thread: libraries must not start as many as the machine has cores.
        self._environment = python_environment(NUMBA_NUM_THREADS="1", OMP_NUM_THREADS="1")
        self._programs = dict(programs or {})
        self._turns = FairTurns(self.cores)
        self._program_turns = FairTurns(self.cores)
        self._threads = ThreadPoolExecutor(2 * self.cores, "archipel-bots")
        self._idle: _Idle[LineProcess] = _Idle()
        self._idle_programs: dict[str, _Idle[ProgramPlayer]] = {
            name: _Idle() for name in self._programs
        }
        self._busy: set[Running] = set()
        self._asking: set[asyncio.Task[Chosen]] = set()
        self._stopping = False
        self._warming = Warming(warm, self._cpus, self._environment, afterwards=afterwards)

    def start(self) -> None:
        self._warming.start()

    async def choose(self, asked: Asked, seconds: float) -> Chosen:
        return await self._ask(asked, seconds, consider=False)

    async def consider(self, asked: Asked, seconds: float) -> Chosen:
        return await self._ask(asked, seconds, consider=True)

    async def stop(self) -> None:
        """Kill them all: nobody waits for what they were about to say."""
        self._stopping = True
        self._warming.stop()
        for task in list(self._asking):
            task.cancel()
        programs = [player for idle in self._idle_programs.values() for player in idle.all()]
        for process in [*self._busy, *self._idle.all(), *programs]:
            process.kill()
        await asyncio.to_thread(self._threads.shutdown)

    def process_ids(self) -> list[int]:
        """Of the workers that run now."""
        workers = [p for p in (*self._busy, *self._idle.all()) if isinstance(p, LineProcess)]
        return [worker.process_id for worker in workers if worker.is_running]

    async def _ask(self, asked: Asked, seconds: float, *, consider: bool) -> Chosen:
        # Whoever asked may leave: the turn goes on until the process is free again.
        task = asyncio.create_task(self._in_turn(asked, seconds, consider))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return await asyncio.shield(task)

    async def _in_turn(self, asked: Asked, seconds: float, consider: bool) -> Chosen:
        program = self._programs.get(asked.bot)
        loop = asyncio.get_running_loop()
        try:
            if program is None:
                async with self._turns.turn(asked.table):
                    chosen = await loop.run_in_executor(
                        self._threads, self._ask_worker, asked, seconds, consider
                    )
            else:
                async with self._program_turns.turn(asked.table):
                    chosen = await loop.run_in_executor(
                        self._threads, self._ask_program, program, asked
                    )
        except ProcessFailed as failure:
            raise BotFailed(str(failure)) from failure
        return checked(chosen, asked)

    # ---- in a thread ----------------------------------------------------------------------------

    def _ask_worker(self, asked: Asked, seconds: float, consider: bool) -> Chosen:
        question = Question(
            asked.game,
            asked.bot,
            pack_view(asked.view),
            [int(action) for action in asked.legal],
            asked.seed,
            seconds,
            consider,
        )
        choice = self._answer(question_line(question), seconds)
        if choice.error:
            raise BotFailed(choice.error)
        return Chosen(choice.action, choice.by, choice.candidates)

    def _answer(self, line: bytes, seconds: float) -> Choice:
        process = self._idle.take()
        if process is not None:
            try:
                return self._answer_of(process, line, seconds)
            except ProcessEnded:
                pass  # for a reason that may lie in the past: it is tried anew
        process = LineProcess(self._command, cores=self._cpus, environment=self._environment)
        with self._kept_track_of(process):
            process.ask(READY, TO_START)
        return self._answer_of(process, line, seconds)

    def _answer_of(self, process: LineProcess, line: bytes, seconds: float) -> Choice:
        with self._kept_track_of(process):
            answer = process.ask(line, seconds)
        try:
            choice = read_choice(answer)
        except msgspec.DecodeError as error:
            process.kill()
            raise BotFailed(f"a worker's answer cannot be read: {error}") from error
        self._idle.put(process)
        return choice

    def _ask_program(self, program: BotProgram, asked: Asked) -> Chosen:
        idle = self._idle_programs[program.name]
        player = idle.take() or ProgramPlayer(program, cores=self._cpus)
        with self._kept_track_of(player):
            action, candidates = player.choose(asked.game, asked.view, asked.legal, asked.seed)
        idle.put(player)
        return Chosen(action, program.name, candidates)

    @contextmanager
    def _kept_track_of(self, process: Running) -> Iterator[None]:
        """So that it can be killed while it thinks."""
        self._busy.add(process)
        try:
            if self._stopping:
                process.kill()
            yield
        finally:
            self._busy.discard(process)


class _Idle(Generic[R]):
    """Processes that wait for something to do; the last that had something is asked first."""

    def __init__(self) -> None:
        self._processes: list[R] = []
        self._lock = threading.Lock()

    def take(self) -> R | None:
        with self._lock:
            while self._processes:
                process = self._processes.pop()
                if process.is_running:
                    return process
        return None

    def put(self, process: R) -> None:
        with self._lock:
            self._processes.append(process)

    def all(self) -> list[R]:
        with self._lock:
            return list(self._processes)


def usual_cores() -> int:
    """All but one, which is for the people at the tables."""
    return max(1, len(usable_cores()) - 1)


def _cpus(cores: int) -> list[int]:
    """The cores for bots: the last ones, since systems like to begin with the first."""
    return usable_cores()[-cores:]
