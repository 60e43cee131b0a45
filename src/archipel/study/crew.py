"""Work in numbered pieces, done here, in several processes, or on a Ray cluster.

A piece of work is bytes in, bytes out, done by a function that is known by its name
(``package.module:function``) and whose answer depends on nothing but what it is given.  Answers
come in the order of the tasks, so whoever writes them down writes the same bytes whoever did the
work, and wherever.  A worker that is killed costs only time: its task is done again.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from archipel.study.threads import usable_cores

PROCESSES = "processes"
RAY = "ray"
PLACES = (PROCESSES, RAY)

#: Tasks begun or done ahead of the one that is waited for, per worker.
AHEAD = 4

#: A task that ends so many workers is itself to blame.
MOST_ATTEMPTS = 5

Work = Callable[[bytes], bytes]


class WorkFailed(Exception):
    """A task that cannot be done; the message says why, in one line."""


class NoRayError(Exception):
    """Ray is asked for and is not installed."""


class Crew(Protocol):
    """Those who do the work."""

    @property
    def workers(self) -> int: ...

    def do(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        """The answers, in the order of the tasks, of which only a few are taken ahead.

        Raises `WorkFailed`.  Closing it gives up what has been begun.
        """
        ...


@contextmanager
def crew_on(place: str = PROCESSES, workers: int | None = None) -> Iterator[Crew]:
    """A crew, dismissed in the end: one of ``PLACES``, with so many workers (usual: as many as
    there are cores).  One process is this one.

    Ray is used where ``RAY_ADDRESS`` says, and else started here.  Raises `NoRayError`.
    """
    if place == RAY:
        if find_spec("ray") is None:
            raise NoRayError
        from archipel.study.crew_ray import ray_crew

        with ray_crew(workers) as crew:
            yield crew
    elif place != PROCESSES:
        raise ValueError(f"{place!r} is not one of {', '.join(PLACES)}")
    elif (workers or usable_cores()) == 1:
        yield Alone()
    else:
        from archipel.study.crew_processes import process_crew

        with process_crew(workers or usable_cores()) as crew:
            yield crew


@cache
def work_named(name: str) -> Work:
    module, _, function = name.partition(":")
    found: Work = getattr(import_module(module), function)
    return found


def answer_to(name: str, task: bytes) -> bytes:
    """What came of a task, fit to travel: a byte that says whether it went well, then the answer or
    what went wrong."""
    try:
        return b"+" + work_named(name)(task)
    except Exception as error:
        text = str(error).strip().splitlines()
        return b"-" + (text[0] if text else type(error).__name__).encode()


def opened(answer: bytes) -> bytes:
    """Raises `WorkFailed`."""
    if answer[:1] != b"+":
        raise WorkFailed(answer[1:].decode())
    return answer[1:]


class Alone:
    """Nobody but this process."""

    workers = 1

    def do(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        for task in tasks:
            yield opened(answer_to(work, task))


def in_order(
    submit: Callable[[bytes], Any],
    result: Callable[[Any], bytes],
    tasks: Iterable[bytes],
    ahead: int,
) -> Generator[bytes, None, None]:
    """Keep so many tasks under way, and give the answers in the order of the tasks."""
    waiting = iter(tasks)
    under_way: deque[Any] = deque()
    while True:
        while len(under_way) < ahead:
            task = next(waiting, None)
            if task is None:
                break
            under_way.append(submit(task))
        if not under_way:
            return
        yield opened(result(under_way.popleft()))


def worker_environment() -> dict[str, str]:
    """One thread each: there are as many workers as cores.  And the same boards as here."""
    ours = {name: text for name, text in os.environ.items() if name.startswith("ARCHIPEL_")}
    return {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **ours}
