"""One thread that writes, and makes many requests durable by one commit.

A commit costs a wait for the disk, whatever is in it. So while one is under way the requests that
come in queue up, and the next commit takes them all; where many come, it waits a moment for more.
Nobody is answered before the commit that holds the answer's truth, not even with a refusal: a
refusal may rest on a neighbour's write.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from archipel.store.errors import StoreBusy, StoreClosed, StoreFailed

Result = TypeVar("Result")

#: How long a commit waits for others to come along, after one that did not serve a single request.
_GATHERING_SECONDS = 0.001


@dataclass(slots=True)
class _Request:
    work: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    answer: object = None


class GroupCommit:
    """Owns the writing connection from construction to `close`, which leaves it open."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        capacity: int,
        rolled_back: Callable[[], None] = lambda: None,
    ) -> None:
        """``rolled_back`` is called whenever what was written has been taken back."""
        self.commits = 0
        self._rolled_back = rolled_back
        self._connection = connection
        self._capacity = capacity
        #: None is the last there is.
        self._queue: SimpleQueue[_Request | None] = SimpleQueue()
        self._closing = False
        self._many_come = False
        self._submitting = threading.Lock()  # so that nothing comes after the last
        # A daemon, so that a store nobody closed cannot keep the process alive: what was not
        # committed was not acknowledged either.
        self._thread = threading.Thread(target=self._serve, name="archipel-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[sqlite3.Connection], Result]) -> asyncio.Future[Result]:
        """Queue work that reads and writes; the future, of the loop that runs here, is resolved
        after its commit."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        with self._submitting:
            if self._closing:
                raise StoreClosed
            waiting = self._queue.qsize()
            if waiting >= self._capacity:
                raise StoreBusy(waiting)
            self._queue.put(_Request(work, future, loop))
        return future

    def close(self) -> None:
        """Take no more, finish what is queued, end the thread."""
        with self._submitting:
            self._closing = True
            self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        more = True
        while more:
            waiting, more = self._next_batch()
            # Of what nobody waits for any more, as much as can be told from here is left out.
            batch = [request for request in waiting if not request.future.cancelled()]
            if batch:
                self._write(batch)

    def _next_batch(self) -> tuple[list[_Request], bool]:
        """Everything that waits, and whether there may be more after it."""
        batch: list[_Request] = []
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
        return batch, more

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
        _answer(batch)

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
    """Each loop is woken once, however many of its requests were answered."""
    for loop in {request.loop for request in batch}:
        answered = [request for request in batch if request.loop is loop]
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_resolve, answered)


def _resolve(answered: Iterable[_Request]) -> None:
    for request in answered:
        future, answer = request.future, request.answer
        if future.done():  # nobody waits for it any more
            continue
        if isinstance(answer, sqlite3.Error):
            failure = StoreFailed(f"not written: {answer}")
            failure.__cause__ = answer
            future.set_exception(failure)
        elif isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
