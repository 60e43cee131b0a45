"""One WebSocket at a table: a hello, then requests and answers until either side closes it.

Updates of the table are sent at once. Three tasks share a connection: the reader reads requests and
answers them in turn, the watcher waits for the end of the subscription, the sender sends the frames
that a slow peer has kept waiting. The first task that ends also ends the others.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_args

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from archipel.serve.api import messages
from archipel.serve.api.conversation import Conversation, HelloRefused
from archipel.serve.api.http_errors import Denied
from archipel.serve.logs import log
from archipel.serve.rate_limits import Bucket, FrameBudget
from archipel.serve.transport import frames
from archipel.serve.transport.frames import Outgoing, TooSlow, Wire
from archipel.serve.transport.protocols import WIRE
from archipel.store.fingerprint import fingerprint
from archipel.tables import (
    Participant,
    Problem,
    SharedMessage,
    Subscription,
    SubscriptionEnded,
)

if TYPE_CHECKING:
    from archipel.serve.application import Application

#: Close codes for the ends of a subscription and for refused hellos.
_DROPPED = {"slow": 4409, "seat_freed": 4401, "stopping": 1012, "deleted": 4404}
_NOT_WELCOME = {
    "no_table": 4404,
    "not_seated": 4401,
    "other_protocol": 4406,
    "stopping": 1012,
    "unavailable": 1012,
}

#: How many messages in a row may be refused for their rate before the socket is closed.
_MOST_REFUSED = 40

#: Labels of the metric that counts messages.
_LABELS = {
    kind: (("type", str(kind.__struct_config__.tag)),) for kind in get_args(messages.FromBrowser)
}

#: Requests that are finished after their connection has ended.
_FINISHING: set[asyncio.Task[Any]] = set()


def _finished(task: asyncio.Task[Any]) -> None:
    _FINISHING.discard(task)
    if not task.cancelled():
        task.exception()  # marks it as retrieved: the peer is gone


class Closing(Exception):
    """The server closes this socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Connection:
    """An accepted socket; `run` returns when it is closed. ``address`` is that of its limits."""

    def __init__(self, socket: WebSocket, address: str, application: Application) -> None:
        self._socket = socket
        self._address = address
        self._application = application
        self._table_id: str = socket.path_params["id"]
        self._service = application.service
        self._settings = settings = application.settings
        self._metrics = application.metrics
        self._wire: Wire = socket.scope["extensions"][WIRE]
        self._outgoing = Outgoing(
            self._wire, settings.most_waiting_messages, settings.most_waiting_bytes
        )
        self._bucket = Bucket(settings.messages)
        self._too_fast = 0
        self._answering = False
        self._is_leaving = False
        self._stop_code: int | None = None
        self._reader: asyncio.Task[Any] | None = None
        self._conversation = Conversation(
            application.service, self._table_id, self, application.profiles
        )

    # ---- life -----------------------------------------------------------------------------------

    async def run(self) -> None:
        budget = FrameBudget(self._settings.frames, self._application.frames, self._address)
        self._wire.begin(budget, lambda: self.stop(4429))
        sender = asyncio.create_task(self._outgoing.send_queued())
        try:
            code = await self._converse(sender)
        except WebSocketDisconnect:
            return
        except Exception as error:
            self.unexpected("a connection failed", error)
            code = 4500
        finally:
            self._conversation.end()
            await self._end(sender)
            # Both refer to this connection, the reader by the traceback of its exception.
            del self._conversation
            self._reader = None
        if code is not None:
            await self._close(code)

    def stop(self, code: int) -> None:
        """Close soon: after the current answer, if any."""
        self._stop_code = code
        if self._reader is not None and not self._answering:
            self._reader.cancel()

    async def _converse(self, sender: asyncio.Task[None]) -> int | None:
        """Run from hello to the end; returns the close code, None if the peer is gone."""
        self._reader = asyncio.create_task(self._greet())
        try:
            who, subscription = await self._reader
        except Closing as closing:
            return await self._flush(closing.code)
        except asyncio.CancelledError:
            if self._stop_code is None:
                raise
            return self._stop_code
        self._service.arrived(who)
        try:
            return await self._stay(who, subscription, sender)
        finally:
            self._service.departed(who)
            subscription.close()

    async def _stay(
        self, who: Participant, subscription: Subscription, sender: asyncio.Task[None]
    ) -> int | None:
        subscription.deliver_to(self._deliver)  # first: updates are sent before their answer
        self._reader = asyncio.create_task(self._read(who, subscription))
        watcher = asyncio.create_task(self._watch(subscription))
        if self._stop_code is not None:
            self.stop(self._stop_code)
        tasks = (self._reader, watcher, sender)
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self._end(watcher)
            await self._end_reading(self._reader)
        return None if sender in done else await self._flush(self._code_after(done))

    def _code_after(self, done: set[asyncio.Task[None]]) -> int | None:
        """The close code after these tasks have ended; None if the peer is gone."""
        if self._stop_code is not None:
            return self._stop_code
        for task in done:
            match None if task.cancelled() else task.exception():
                case Closing(code=code):
                    return code
                case SubscriptionEnded(code=reason):
                    return _DROPPED.get(reason, 4500)
                case WebSocketDisconnect():
                    return None
                case BaseException() as error:
                    self.unexpected("a connection failed", error)
                    return 4500
        return 4500

    async def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            # Does not raise the task's exception, whose traceback would refer to the task again.
            await asyncio.gather(task, return_exceptions=True)

    async def _end_reading(self, reader: asyncio.Task[Any]) -> None:
        """Read no more. A request in progress runs to completion, although the peer is gone."""
        self._is_leaving = True
        if not self._answering or reader.done():
            await self._end(reader)
            return
        _FINISHING.add(reader)
        reader.add_done_callback(_finished)

    async def _flush(self, code: int | None) -> int | None:
        """Send the last answers before a close, without waiting long for a slow peer."""
        if code is not None and code != 4409:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._outgoing.flushed(), self._settings.close_seconds)
        return code

    async def _close(self, code: int) -> None:
        self._metrics.closed.add(code=str(code))
        if code not in (1012, 4404):
            log.info("socket closed", extra={"facts": {"code": code, **self._facts()}})
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            if self._socket.application_state is WebSocketState.CONNECTED:
                close = self._socket.close(code, messages.CLOSE_CODES.get(code, ""))
                await asyncio.wait_for(close, self._settings.close_seconds)
                return
        self._wire.abort()

    # ---- hello ----------------------------------------------------------------------------------

    async def _greet(self) -> tuple[Participant, Subscription]:
        try:
            async with asyncio.timeout(self._settings.hello_seconds):
                text = await self._receive()
        except TimeoutError:
            raise Closing(4408) from None
        try:
            hello = frames.decode(text)
            if not isinstance(hello, messages.Hello):
                raise Denied(400, "malformed", "the first message must be hello")
        except Denied as denied:
            self.refuse(None, denied.problem)
            raise Closing(4400) from None
        self._metrics.messages.add(type="hello")
        try:
            return await self._conversation.greet(hello)
        except HelloRefused as refused:
            raise Closing(_NOT_WELCOME.get(refused.code, 4400)) from None

    # ---- the three tasks ------------------------------------------------------------------------

    async def _watch(self, subscription: Subscription) -> None:
        async for _ in subscription:
            raise AssertionError("every message is delivered by `_deliver`")

    def _deliver(self, news: SharedMessage) -> bool:
        try:
            self._outgoing.put(news.frame or frames.encode_once(news))
        except TooSlow:
            return False
        except Exception as error:  # must not fail the request of the player who moved
            self.unexpected("an update could not be sent", error)
            return False
        self._metrics.sent.add_one()
        return True

    async def _read(self, who: Participant, subscription: Subscription) -> None:
        while self._stop_code is None and not self._is_leaving:
            text = await self._receive()
            self._answering = True
            try:
                await self._answer(text, who, subscription)
            finally:
                self._answering = False

    async def _receive(self) -> str | None:
        """The next message, None for a binary one; raises `WebSocketDisconnect`."""
        message = await self._wire.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text: str | None = message.get("text")
        return text

    # ---- answering ------------------------------------------------------------------------------

    async def _answer(self, text: str | None, who: Participant, subscription: Subscription) -> None:
        if not self._bucket.take() or self._application.messages.wait(self._address):
            self._too_fast += 1
            if self._too_fast > _MOST_REFUSED:
                raise Closing(4429)
            problem = Problem("too_fast", "too many messages: wait a moment, then send it again")
            self.refuse(frames.request_id(text), problem)
            return
        self._too_fast = 0
        started = time.perf_counter()
        try:
            message = frames.decode(text)
        except Denied as denied:
            self._metrics.messages.add(type="malformed")
            self.refuse(frames.request_id(text), denied.problem)
            return
        self._metrics.messages.add_one(_LABELS[type(message)])
        await self._conversation.answer(message, who, subscription)
        self._metrics.answers.observe(time.perf_counter() - started)

    # ---- helpers --------------------------------------------------------------------------------

    def unknown(self, request_id: str, problem: Problem) -> None:
        self._metrics.refusals.add(code=problem.code)
        self.send(messages.Unknown(request_id, problem))

    def refuse(self, request_id: str | None, problem: Problem) -> None:
        self._metrics.refusals.add(code=problem.code)
        self.send(messages.Refused(request_id, problem))

    def send(self, message: messages.ToBrowser) -> None:
        try:
            self._outgoing.put(frames.encode(message))
        except TooSlow:
            self.stop(4409)
        else:
            self._metrics.sent.add_one()

    def unexpected(self, what: str, error: BaseException) -> None:
        self._metrics.errors.add()
        log.error(what, exc_info=error, extra={"facts": self._facts()})

    def _facts(self) -> dict[str, str]:
        return {"table": fingerprint(self._table_id)}
