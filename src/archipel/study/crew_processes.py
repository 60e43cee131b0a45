"""A crew of processes on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress

from archipel.bots.outside.line_process import python_command, python_environment, settle
from archipel.study.crew import AHEAD, MOST_ATTEMPTS, WorkFailed, in_order, worker_environment
from archipel.study.crew_worker import read_message, write_message

WORKER = "archipel.study.crew_worker"


class _Worker:
    """A process that is asked one thing at a time."""

    def __init__(self) -> None:
        self._child = subprocess.Popen(
            python_command(WORKER),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=python_environment(**worker_environment()),
            start_new_session=True,  # Ctrl-C is ours alone
        )
        settle(self._child.pid, ())

    @property
    def process_id(self) -> int:
        return self._child.pid

    def ask(self, message: bytes) -> bytes | None:
        """None where it was killed."""
        child = self._child
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            write_message(child.stdin, message)  # type: ignore[arg-type]
            return read_message(child.stdout)  # type: ignore[arg-type]
        except (OSError, ValueError):
            return None

    def kill(self) -> None:
        """End it, and with it what it started: programs that play."""
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


class ProcessCrew:
    """As many threads as there are workers, each of which waits for one."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._of_thread = threading.local()
        self._lock = threading.Lock()
        self._hired: list[_Worker] = []
        self._dismissed = False
        self._pool = ThreadPoolExecutor(workers, "crew")

    @property
    def process_ids(self) -> list[int]:
        """Of those at work now."""
        with self._lock:
            return [worker.process_id for worker in self._hired]

    def do(self, work: str, tasks: Iterable[bytes]) -> Generator[bytes, None, None]:
        head = work.encode() + b"\0"
        futures: list[Future[bytes]] = []

        def submit(task: bytes) -> Future[bytes]:
            futures[:] = [future for future in futures if not future.done()]
            futures.append(self._pool.submit(self._ask, head + task))
            return futures[-1]

        try:
            answers = in_order(submit, Future.result, tasks, AHEAD * self.workers)
            with closing(answers):
                yield from answers
        finally:
            for future in futures:
                future.cancel()

    def _ask(self, message: bytes) -> bytes:
        for _ in range(MOST_ATTEMPTS):
            worker = self._worker()
            answer = worker.ask(message)
            if answer is not None:
                return answer
            if self._dismissed:
                return b"-the work was given up"
            self._let_go(worker)
        return f"-a task ended {MOST_ATTEMPTS} processes, one after the other".encode()

    def _worker(self) -> _Worker:
        worker: _Worker | None = getattr(self._of_thread, "worker", None)
        if worker is None:
            with self._lock:
                if self._dismissed:
                    raise WorkFailed("the work was given up")
                worker = self._of_thread.worker = _Worker()
                self._hired.append(worker)
        return worker

    def _let_go(self, worker: _Worker) -> None:
        self._of_thread.worker = None
        with self._lock:
            self._hired.remove(worker)
        worker.kill()

    def dismiss(self) -> None:
        with self._lock:
            self._dismissed = True
            hired = list(self._hired)
        for worker in hired:
            worker.kill()
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def process_crew(workers: int) -> Iterator[ProcessCrew]:
    crew = ProcessCrew(workers)
    try:
        yield crew
    finally:
        crew.dismiss()
