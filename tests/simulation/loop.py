"""An event loop on virtual time that runs simulated processes in a seeded order.

Time passes only when no process has anything to do. Within a process callbacks run in order, as
asyncio promises; between processes a seeded generator chooses. A process can crash or freeze
between any two callbacks, that is at every `await` that waits.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
import random
import warnings
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context, ContextVar, copy_context
from typing import Any, TypeVar, TypeVarTuple, Unpack

Result = TypeVar("Result")
Given = TypeVarTuple("Given")

#: The process whose code runs now.
CURRENT: ContextVar[Process] = ContextVar("process")


class Stuck(AssertionError):
    """Nothing is left to run although the simulation is not over, or it never ends."""


class Process:
    """A simulated process: its tasks and callbacks run until it crashes."""

    def __init__(self, loop: SimulatedLoop, name: str) -> None:
        self.loop = loop
        self.name = name
        self.ready: deque[asyncio.Handle] = deque()
        self.is_dead = False
        self.is_frozen = False
        #: Crashes after that many further callbacks.
        self.callbacks_left: int | None = None
        self.on_crash: Callable[[], None] = lambda: None
        self.context: Context = copy_context()
        self.context.run(CURRENT.set, self)

    def run(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Start a task of this process."""
        context = self.context.copy()
        return context.run(self.loop.create_task, work)

    def crash(self) -> None:
        """Run nothing of this process any more, not even its `finally` blocks."""
        if not self.is_dead:
            self.is_dead = True
            self.ready.clear()
            self.on_crash()

    def freeze(self) -> None:
        self.is_frozen = True

    def thaw(self) -> None:
        self.is_frozen = False


class _Task(asyncio.Task[Any]):
    """A task with a hash that is equal in every run, so that sets of tasks keep their order."""

    _numbers = itertools.count()

    def __init__(self, *given: Any, **named: Any) -> None:
        self._number = next(self._numbers)
        super().__init__(*given, **named)

    def __hash__(self) -> int:
        return self._number


class SimulatedLoop(asyncio.BaseEventLoop):
    MOST_STEPS = 400_000

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.now = 0.0
        self.steps = 0
        #: Errors that no code handled.
        self.errors: list[str] = []
        self._chance = chance
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = itertools.count()
        self._tasks: list[asyncio.Task[Any]] = []
        self._nobody = Process(self, "world")
        self._processes = [self._nobody]
        _Task._numbers = itertools.count()
        self.set_task_factory(self._make_task)
        self.set_exception_handler(self._note_error)

    def process(self, name: str) -> Process:
        made = Process(self, name)
        self._processes.append(made)
        return made

    # ---- what asyncio calls ---------------------------------------------------------------------

    def time(self) -> float:
        return self.now

    def _make_task(self, loop: asyncio.AbstractEventLoop, work: Any, **given: Any) -> Any:
        task = _Task(work, loop=loop, **given)
        # Kept to the end: the garbage collector would run `finally` blocks of crashed processes.
        self._tasks.append(task)
        return task

    def call_soon(
        self,
        callback: Callable[[Unpack[Given]], object],
        *args: *Given,
        context: Context | None = None,
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._process_of(handle).ready.append(handle)
        return handle

    def call_soon_threadsafe(
        self,
        callback: Callable[[Unpack[Given]], object],
        *args: *Given,
        context: Context | None = None,
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Given]], object],
        *args: *Given,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._numbers), timer))
        return timer

    def call_later(
        self,
        delay: float,
        callback: Callable[[Unpack[Given]], object],
        *args: *Given,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass  # skipped when it is due

    def _note_error(self, loop: asyncio.AbstractEventLoop, facts: dict[str, Any]) -> None:
        self.errors.append(f"{facts['message']}: {facts.get('exception')!r}")

    def _process_of(self, handle: asyncio.Handle) -> Process:
        context: Context = handle._context  # type: ignore[attr-defined]
        return context.get(CURRENT, self._nobody) or self._nobody

    # ---- scheduling -----------------------------------------------------------------------------

    def _run_once(self) -> None:
        self.steps += 1
        if self.steps > self.MOST_STEPS:
            raise Stuck(f"no end after {self.steps} steps, at {self.now:.1f} s")
        able = [each for each in self._processes if each.ready and not each.is_frozen]
        if not able:
            self._pass_time()
            return
        process = able[0] if len(able) == 1 else self._chance.choice(able)
        handle = process.ready.popleft()
        if process.is_dead or handle.cancelled():
            return
        handle._run()
        if process.callbacks_left is not None:
            process.callbacks_left -= 1
            if process.callbacks_left <= 0:
                process.callbacks_left = None
                process.crash()

    def _pass_time(self) -> None:
        while self._timers:
            when, _, timer = heapq.heappop(self._timers)
            process = self._process_of(timer)
            if timer.cancelled() or process.is_dead:
                continue
            self.now = max(self.now, when)
            process.ready.append(timer)
            if not process.is_frozen:
                return
        raise Stuck(f"nothing is left to do at {self.now:.1f} s")

    def dispose(self) -> None:
        """Close the loop without running anything further."""
        logging.disable(logging.CRITICAL)  # of `finally` blocks, which run without a loop
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # work that they begin
            self._close_tasks()
        logging.disable(logging.NOTSET)
        self._timers.clear()
        for process in self._processes:
            process.ready.clear()
        self.close()

    def _close_tasks(self) -> None:
        for task in self._tasks:
            if task.done():
                if not task.cancelled():
                    task.exception()
                continue
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            with suppress(BaseException):
                coroutine = task.get_coro()
                assert coroutine is not None
                coroutine.close()
        self._tasks.clear()
