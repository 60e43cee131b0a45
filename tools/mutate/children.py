"""Run tasks in forked child processes, a few at a time.

A child starts with everything imported; its changes do not affect the parent.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

#: The tests need no pytest plugins, and importing those installed takes longer than the tests.
PYTEST_OPTIONS = ("-q", "--tb=native", "--disable-plugin-autoload", "-p", "no:cacheprovider")

#: The answer of a child that exceeded its time limit.
TIMED_OUT = {"timed_out": True}


class BaselineError(RuntimeError):
    """The tests fail without a mutant, so their results would mean nothing."""


def limit_time(seconds: float) -> None:
    """Limit the processor time of this process from now on, independent of the load."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


def in_children(
    tasks: Iterable[T], work: Callable[[T], dict[str, Any]], jobs: int
) -> Iterator[tuple[T, dict[str, Any]]]:
    """Run each task in a child process; yield the answers as they arrive."""
    waiting = iter(tasks)
    with selectors.DefaultSelector() as selector:
        while True:
            while len(selector.get_map()) < jobs:
                try:
                    task = next(waiting)
                except StopIteration:
                    break
                process, pipe = _start(work, task)
                selector.register(pipe, selectors.EVENT_READ, (task, process, bytearray()))
            if not selector.get_map():
                return
            for ready, _ in selector.select():
                task, process, answer = ready.data
                part = os.read(ready.fd, 65536)
                answer.extend(part)
                if not part:
                    selector.unregister(ready.fd)
                    os.close(ready.fd)
                    yield task, _finish(process, answer)


def _start(work: Callable[[T], dict[str, Any]], task: T) -> tuple[int, int]:
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    os.close(reading)
    try:
        _be_silent()
        answer = work(task)
    except BaseException as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    with contextlib.suppress(BaseException), os.fdopen(writing, "wb") as pipe:
        pipe.write(json.dumps(answer).encode())
    os._exit(0)


def _be_silent() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


def _finish(process: int, answer: bytearray) -> dict[str, Any]:
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) == signal.SIGPROF:
            return TIMED_OUT
        return {"error": f"ended by signal {os.WTERMSIG(status)}"}
    try:
        decoded: dict[str, Any] = json.loads(bytes(answer))
    except ValueError:
        return {"error": "gave no answer"}
    return decoded
