"""Executor with worker processes on this machine.

A worker is ``python -m archipel.study.executors.process_executor``.  A message on its pipes is a
length in four bytes and that many bytes: the name of the work, a zero byte and the task, or the
answer.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import IO

from archipel.bots.external.line_process import limit_process, python_command, python_environment
from archipel.study.executors.executor import (
    MAX_ATTEMPTS,
    Executor,
    WorkFailed,
    answer_to,
    worker_environment,
)

WORKER = "archipel.study.executors.process_executor"
CANCELLED = "the work was cancelled"
LENGTH = 4


def write_message(file: IO[bytes], message: bytes) -> None:
    file.write(len(message).to_bytes(LENGTH, "big") + message)
    file.flush()


def read_message(file: IO[bytes]) -> bytes | None:
    """The next message, or None at the end of the input."""
    head = file.read(LENGTH)
    if len(head) < LENGTH:
        return None
    length = int.from_bytes(head, "big")
    message = file.read(length)
    return message if len(message) == length else None


class _Worker:
    """A process that runs one task at a time."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            python_command(WORKER),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=python_environment(**worker_environment()),
            start_new_session=True,  # Ctrl-C reaches only the parent
        )
        self.process_id = self._child.pid
        limit_process(self._child.pid, ())

    def ask(self, message: bytes) -> bytes | None:
        """Run a task; None if the process was killed."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            write_message(self._child.stdin, message)
            return read_message(self._child.stdout)
        except (OSError, ValueError):
            return None

    def kill(self) -> None:
        """Kill the process and the programs it started."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._child.pid, signal.SIGKILL)
            else:
                self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


class ProcessExecutor(Executor):
    """One thread per worker process; a worker that dies is replaced."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._of_thread = threading.local()
        self._lock = threading.Lock()
        self._running: list[_Worker] = []
        self._closed = False
        self._pool = ThreadPoolExecutor(workers, "executor")

    @property
    def process_ids(self) -> list[int]:
        """Ids of the running worker processes."""
        with self._lock:
            return [worker.process_id for worker in self._running]

    def _submit(self, work: str, task: bytes) -> Future[bytes]:
        return self._pool.submit(self._ask, work.encode() + b"\0" + task)

    def _answer(self, submitted: Future[bytes]) -> bytes:
        return submitted.result()

    def _cancel(self, submitted: Future[bytes]) -> None:
        submitted.cancel()

    def _ask(self, message: bytes) -> bytes:
        for _ in range(MAX_ATTEMPTS):
            worker = self._worker()
            answer = worker.ask(message)
            if answer is not None:
                return answer
            if self._closed:
                return f"-{CANCELLED}".encode()
            self._of_thread.worker = None
            with self._lock:
                self._running.remove(worker)
            worker.kill()
        return f"-a task ended {MAX_ATTEMPTS} processes, one after the other".encode()

    def _worker(self) -> _Worker:
        worker: _Worker | None = getattr(self._of_thread, "worker", None)
        if worker is None:
            with self._lock:
                if self._closed:
                    raise WorkFailed(CANCELLED)
                worker = self._of_thread.worker = _Worker()
                self._running.append(worker)
        return worker

    def close(self) -> None:
        with self._lock:
            self._closed = True
            running = list(self._running)
        for worker in running:
            worker.kill()
        self._pool.shutdown(cancel_futures=True)


def main() -> int:
    """Run tasks from standard input until it ends."""
    # What a bot prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    while (message := read_message(sys.stdin.buffer)) is not None:
        name, _, task = message.partition(b"\0")
        write_message(answers, answer_to(name.decode(), task))
    return 0


if __name__ == "__main__":
    sys.exit(main())
