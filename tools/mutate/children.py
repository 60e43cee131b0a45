"""Work done in forked copies of this process, a few at a time.

A copy starts with everything imported, may break what it likes, and leaves no trace.
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

#: Rules need no plugins, and to import what happens to be installed takes longer than the tests.
PYTEST_OPTIONS = ("-q", "--tb=native", "--disable-plugin-autoload", "-p", "no:cacheprovider")

#: What a child answers when it used up its time.
TIMED_OUT = {"timed_out": True}


class BaselineError(RuntimeError):
    """The tests do not pass as they are, so nothing can be learnt from mutants."""


def limit_time(seconds: float) -> None:
    """End this process once it has worked for so long from now; waiting does not count, so a busy
    machine makes no difference."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)


def in_children(
    tasks: Iterable[T], work: Callable[[T], dict[str, Any]], jobs: int
) -> Iterator[tuple[T, dict[str, Any]]]:
    """Do the work for each task in a child of its own; the answers as they come."""
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
