"""Run independent tasks in this process, in several processes or on a Ray cluster.

A task is bytes in, bytes out, done by a function that is named ``package.module:function`` and
whose answer depends on its input alone.  Answers come in the order of the tasks, so the output does
not depend on the executor.  A task whose worker is killed is run again.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from itertools import islice
from pkgutil import resolve_name
from typing import Any

from archipel.rules.deprecation import warn_renamed
from archipel.study.executors.threads import usable_cores

PROCESSES = "processes"
RAY = "ray"
PLACES = (PROCESSES, RAY)

#: Tasks that are submitted ahead of the one whose answer is awaited, per worker.
AHEAD = 4

#: A task is given up after it has killed this many workers.
MAX_ATTEMPTS = 5


class WorkFailed(Exception):
    """A task failed; the message gives the reason in one line."""


class NoRayError(Exception):
    """Ray is not installed."""


class Executor(ABC):
    """Runs tasks and returns their answers in order."""

    workers = 1

    @abstractmethod
    def _submit(self, work: str, task: bytes) -> Any:
        """Start a task."""

    @abstractmethod
    def _answer(self, submitted: Any) -> bytes:
        """Wait for a task; the result of `answer_to`."""

    def _cancel(self, submitted: Any) -> None:
        """Abandon a task; an executor that cannot does nothing."""
        return

    @property
    def ahead(self) -> int:
        return AHEAD * self.workers

    def map(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        """Yield the answers in the order of the tasks; few tasks are taken ahead.

        Raises `WorkFailed`.  Closing the generator cancels the tasks that were submitted.
        """
        waiting = iter(tasks)
        submitted: deque[Any] = deque()
        try:
            while True:
                for task in islice(waiting, self.ahead - len(submitted)):
                    submitted.append(self._submit(work, task))
                if not submitted:
                    return
                answer = self._answer(submitted.popleft())
                if answer[:1] != b"+":
                    raise WorkFailed(answer[1:].decode())
                yield answer[1:]
        finally:
            for each in submitted:
                self._cancel(each)

    def do(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        """Deprecated name of `map`."""
        warn_renamed("Executor.do", "Executor.map")
        return self.map(work, tasks)


class SerialExecutor(Executor):
    """Runs each task in this process when its answer is asked for."""

    ahead = 1

    def _submit(self, work: str, task: bytes) -> bytes:
        return answer_to(work, task)

    def _answer(self, submitted: bytes) -> bytes:
        return submitted


@contextmanager
def open_executor(place: str = PROCESSES, workers: int | None = None) -> Iterator[Executor]:
    """Open an executor on one of ``PLACES``, by default with one worker per core.

    One process means this process.  Ray connects to ``RAY_ADDRESS`` or starts a local cluster.
    Raises `NoRayError`.
    """
    if place == RAY:
        if find_spec("ray") is None:
            raise NoRayError
        from archipel.study.executors.ray_executor import ray_executor

        with ray_executor(workers) as executor:
            yield executor
    elif place != PROCESSES:
        raise ValueError(f"{place!r} is not one of {', '.join(PLACES)}")
    elif (workers or usable_cores()) == 1:
        yield SerialExecutor()
    else:
        from archipel.study.executors.process_executor import ProcessExecutor

        with closing(ProcessExecutor(workers or usable_cores())) as processes:
            yield processes


def answer_to(name: str, task: bytes) -> bytes:
    """Run a task; ``+`` and its answer, or ``-`` and the first line of the error."""
    try:
        answer: bytes = resolve_name(name)(task)
        return b"+" + answer
    except Exception as error:
        text = str(error).strip().splitlines()
        return b"-" + (text[0] if text else type(error).__name__).encode()


def worker_environment() -> dict[str, str]:
    """Environment of a worker: one thread, and this process's ``ARCHIPEL_*`` settings."""
    ours = {name: text for name, text in os.environ.items() if name.startswith("ARCHIPEL_")}
    return {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **ours}
