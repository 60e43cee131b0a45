"""One thread that writes, and makes many requests durable by one commit.

A commit costs a wait for the disk, whatever is in it. So while one is under way the requests that
come in queue up, and the next commit takes them all. Nobody is answered before the commit that
holds the answer's truth, not even with a refusal: a refusal may rest on a neighbour's write.
"""

import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from archipel.store.errors import StoreBusy, StoreClosed, StoreFailed

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Request:
    work: Callable[[sqlite3.Connection], Any]
    future: Future[Any]


class GroupCommit:
    """Owns the writing connection from construction to `close`, which leaves it open."""

    def __init__(self, connection: sqlite3.Connection, capacity: int) -> None:
        self.commits = 0
        self._connection = connection
        self._capacity = capacity
        self._queue: deque[_Request] = deque()
        self._closing = False
        self._changed = threading.Condition()
        # A daemon, so that a store nobody closed cannot keep the process alive: what was not
        # committed was not acknowledged either.
        self._thread = threading.Thread(target=self._serve, name="archipel-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[sqlite3.Connection], Result]) -> Future[Result]:
        """Queue work that reads and writes; the future is resolved after its commit."""
        future: Future[Result] = Future()
        with self._changed:
            if self._closing:
                raise StoreClosed
            if len(self._queue) >= self._capacity:
                raise StoreBusy(len(self._queue))
            self._queue.append(_Request(work, future))
            self._changed.notify()
        return future

    def close(self) -> None:
        """Take no more, finish what is queued, end the thread."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _serve(self) -> None:
        while (waiting := self._next_batch()) is not None:
            batch = [
                request for request in waiting if request.future.set_running_or_notify_cancel()
            ]
            if batch:
                self._write(batch)

    def _next_batch(self) -> list[_Request] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            batch = list(self._queue)
            self._queue.clear()
        return batch or None

    def _write(self, batch: list[_Request]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            self._roll_back()
            self._fail(batch, error)
            return
        try:
            answers = [self._worked(request) for request in batch]
        except Exception as error:
            self._roll_back()
            # One request failed half-way, or SQLite gave up the whole transaction for its sake (a
            # full disk does that). Nothing was kept or answered: each may have a try of its own.
            if len(batch) == 1:
                self._fail(batch, error)
            else:
                for request in batch:
                    self._write([request])
            return
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            self._fail(batch, error)
            return
        self.commits += 1
        for request, answer in zip(batch, answers, strict=True):
            _resolve(request.future, answer)

    def _worked(self, request: _Request) -> object:
        """The work's result, or the exception with which it refused to change anything; raises one
        that came when it had changed something already."""
        changes = self._connection.total_changes
        try:
            answer: object = request.work(self._connection)
        except Exception as error:
            if not self._connection.in_transaction or self._connection.total_changes != changes:
                raise
            answer = error
        return answer

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    @staticmethod
    def _fail(batch: list[_Request], error: Exception) -> None:
        for request in batch:
            _resolve(request.future, error)


def _resolve(future: Future[Any], answer: object) -> None:
    if isinstance(answer, sqlite3.Error):
        failure = StoreFailed(f"not written: {answer}")
        failure.__cause__ = answer
        future.set_exception(failure)
    elif isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
