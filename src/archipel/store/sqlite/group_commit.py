"""Group commit: one writer thread that commits many requests at once.

Each commit waits for the disk. Requests that arrive meanwhile queue up, and the next commit takes
them all; under load it first waits a moment for more. Every request is answered after its commit,
also a refused one: the refusal may depend on another write of the same transaction.

An unexpected error fails the requests at hand, and the thread goes on; after several in a row it
stops for good, and every request fails at once.
"""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from archipel.store.errors import StoreBusy, StoreClosed, StoreFailed

log = logging.getLogger("archipel.store")

Result = TypeVar("Result")

#: How long a commit waits for more requests, if the last one had more than one.
_GATHERING_SECONDS = 0.001
#: The number of unexpected errors in a row after which the thread stops.
_MOST_FAILURES = 3


@dataclass(slots=True)
class _Request:
    work: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    answer: object = None
    is_answered: bool = False


class GroupCommit:
    """Owns the writing connection until `close`, which does not close the connection."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        capacity: int,
        rolled_back: Callable[[], None] = lambda: None,
    ) -> None:
        """``rolled_back`` is called after every rollback."""
        self.commits = 0
        #: Why the thread has stopped for good; empty while it works.
        self.failure = ""
        self._rolled_back = rolled_back
        self._connection = connection
        self._capacity = capacity
        #: None ends the queue.
        self._queue: SimpleQueue[_Request | None] = SimpleQueue()
        self._closing = False
        self._many_come = False
        self._submitting = threading.Lock()  # so that nothing is queued after the end
        # A daemon, so that a store that was not closed does not keep the process alive.
        self._thread = threading.Thread(target=self._serve, name="archipel-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[sqlite3.Connection], Result]) -> asyncio.Future[Result]:
        """Queue work that reads and writes; the future is resolved after its commit."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        with self._submitting:
            if self.failure:
                raise StoreFailed(self.failure)
            if self._closing:
                raise StoreClosed
            waiting = self._queue.qsize()
            if waiting >= self._capacity:
                raise StoreBusy(waiting)
            self._queue.put(_Request(work, future, loop))
        return future

    def close(self) -> None:
        """Accept no more requests, finish the queued ones, end the thread."""
        with self._submitting:
            self._closing = True
            self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        more, failures = True, 0
        batch: list[_Request] = []
        while more and failures < _MOST_FAILURES:
            batch.clear()
            try:
                more = self._wait_for(batch)
                # Leaves out requests whose caller was cancelled.
                waiting = [request for request in batch if not request.future.cancelled()]
                if waiting:
                    self._write(waiting)
                failures = 0
            except BaseException as error:  # whatever it is, nobody may wait for an answer forever
                failures += 1
                log.critical("the writer of the database failed", exc_info=error)
                self._fail_unanswered(batch, error)
                more = not self._closing
        with self._submitting:
            if more:
                self.failure = "the writer of the database has stopped after an error"
                log.critical(self.failure)
            batch.clear()
            with suppress(Empty):
                while True:
                    request = self._queue.get_nowait()
                    batch += [] if request is None else [request]
            self._fail_unanswered(batch, StoreClosed())

    def _fail_unanswered(self, batch: list[_Request], error: BaseException) -> None:
        with suppress(Exception):
            self._roll_back()
        failure = StoreFailed(f"perhaps not written: {type(error).__name__} in the writer")
        failure.__cause__ = error
        self._fail([request for request in batch if not request.is_answered], failure)

    def _wait_for(self, batch: list[_Request]) -> bool:
        """Add all waiting requests to a batch; returns whether more may follow."""
        more = True
        request = self._queue.get()
        if self._many_come and request is not None:
            time.sleep(_GATHERING_SECONDS)
        with suppress(Empty):
            while request is not None:
                batch.append(request)
                request = self._queue.get_nowait()
            more = False
        self._many_come = len(batch) > 1
        return more

    def _write(self, batch: list[_Request]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            self._roll_back()
            self._fail(batch, error)
            return
        try:
            for request in batch:
                request.answer = self._worked(request)
        except Exception as error:
            self._roll_back()
            # One request failed half-way, or SQLite rolled back the whole transaction because of it
            # (a full disk does that). Each request gets a transaction of its own.
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
        _answer(batch)

    def _worked(self, request: _Request) -> object:
        """The work's result, or its exception if it has changed nothing; else raises."""
        changes = self._connection.total_changes
        try:
            answer: object = request.work(self._connection)
        except Exception as error:
            if not self._connection.in_transaction or self._connection.total_changes != changes:
                raise
            answer = error
        return answer

    def _roll_back(self) -> None:
        self._rolled_back()
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")

    @staticmethod
    def _fail(batch: list[_Request], error: Exception) -> None:
        for request in batch:
            request.answer = error
        _answer(batch)


def _answer(batch: list[_Request]) -> None:
    """Wake each event loop once for all its requests."""
    for request in batch:
        request.is_answered = True
    for loop in {request.loop for request in batch}:
        answered = [request for request in batch if request.loop is loop]
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_resolve, answered)


def _resolve(answered: Iterable[_Request]) -> None:
    for request in answered:
        future, answer = request.future, request.answer
        if future.done():  # the caller was cancelled
            continue
        if isinstance(answer, sqlite3.Error):
            failure = StoreFailed(f"not written: {answer}")
            failure.__cause__ = answer
            future.set_exception(failure)
        elif isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
