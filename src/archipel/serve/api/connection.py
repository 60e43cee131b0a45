"""One WebSocket at a table: hello, then requests and answers until one of us goes.

What happens at the table is sent at once. Three tasks share a connection: one reads requests and
answers them one after the other, one waits for the end of what there is to tell, one sends what a
slow reader has kept waiting. Whoever ends first ends the others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, get_args

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from archipel.serve.api import messages
from archipel.serve.api.http_errors import Denied, other_protocol, too_many
from archipel.serve.logs import fingerprint, log
from archipel.serve.metrics import Metrics
from archipel.serve.rate_limits import Bucket
from archipel.serve.settings import Settings
from archipel.serve.transport import frames
from archipel.serve.transport.frames import Outgoing, TooSlow, Wire
from archipel.serve.transport.protocols import ABORT, WIRE
from archipel.tables import (
    Participant,
    Problem,
    SharedMessage,
    Subscription,
    SubscriptionEnded,
    TableRefused,
    TableService,
)
from archipel.tables.commands import Command

#: Why the tables end a subscription, as the number to close the socket with.
_DROPPED = {"slow": 4409, "seat_freed": 4401, "stopping": 1012}
_NOT_WELCOME = {"no_table": 4404, "not_seated": 4401, "stopping": 1012, "unavailable": 1012}

#: How many messages in a row may be refused for their speed before the socket is closed.
_PATIENCE = 40


#: How messages are counted.
_LABELS = {
    kind: (("type", str(kind.__struct_config__.tag)),) for kind in get_args(messages.FromBrowser)
}

#: What goes on after its connection has ended.
_FINISHING: set[asyncio.Task[Any]] = set()


def _finished(task: asyncio.Task[Any]) -> None:
    _FINISHING.discard(task)
    if not task.cancelled():
        task.exception()  # nobody is there any more to be told


class Closing(Exception):
    """The server closes this socket."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Allowance:
    """What an address may still do, over all its sockets; each call takes one."""

    may_greet: Callable[[], bool]
    may_speak: Callable[[], bool]


class Connection:
    """A socket that was accepted; `run` returns when it is closed."""

    def __init__(
        self,
        socket: WebSocket,
        table_id: str,
        service: TableService,
        settings: Settings,
        metrics: Metrics,
        allowance: Allowance,
    ) -> None:
        self._socket = socket
        self._table_id = table_id
        self._service = service
        self._settings = settings
        self._metrics = metrics
        self._sent = metrics.sent
        self._allowance = allowance
        self._wire: Wire = socket.scope["extensions"][WIRE]
        self._outgoing = Outgoing(
            self._wire,
            settings.most_waiting_messages,
            settings.most_waiting_bytes,
        )
        self._bucket = Bucket(settings.messages)
        self._too_fast = 0
        self._answering = False
        self._is_leaving = False
        self._stop_code: int | None = None
        self._reader: asyncio.Task[Any] | None = None
        self._reason: asyncio.Task[None] | None = None

    # ---- life -----------------------------------------------------------------------------------

    async def run(self) -> None:
        sender = asyncio.create_task(self._outgoing.send_queued())
        try:
            code = await self._converse(sender)
        except WebSocketDisconnect:
            return
        except Exception as error:
            self._unexpected("a connection failed", error)
            code = 4500
        finally:
            if self._reason is not None:
                self._reason.cancel()
            await self._end(sender)
        if code is not None:
            await self._close(code)

    def stop(self, code: int) -> None:
        """Close soon: after the answer that is being worked on, if any."""
        self._stop_code = code
        if self._reader is not None and not self._answering:
            self._reader.cancel()

    async def _converse(self, sender: asyncio.Task[None]) -> int | None:
        """From hello to the end; the number to close with, None if the peer has gone."""
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
        subscription.deliver_to(self._deliver)  # first: what happens is told before it is answered
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
        if sender in done:
            return None
        return await self._flush(self._reason_of(done))

    def _reason_of(self, done: set[asyncio.Task[None]]) -> int | None:
        """With which number to close, after these tasks came to their end."""
        if self._stop_code is not None:
            return self._stop_code
        for task in done:
            error = None if task.cancelled() else task.exception()
            if isinstance(error, Closing):
                return error.code
            if isinstance(error, SubscriptionEnded):
                return _DROPPED.get(error.code, 4500)
            if isinstance(error, TooSlow):
                return 4409
            if isinstance(error, WebSocketDisconnect):
                return None
            if error is not None:
                self._unexpected("a connection failed", error)
                return 4500
        return 4500

    async def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task

    async def _end_reading(self, reader: asyncio.Task[Any]) -> None:
        """Read no more. A request that is being worked on is done to its end, beside all else: half
        an acceptance must not be."""
        self._is_leaving = True
        if not self._answering or reader.done():
            await self._end(reader)
            return
        _FINISHING.add(reader)
        reader.add_done_callback(_finished)

    async def _flush(self, code: int | None) -> int | None:
        """Let the last answers out before a close, but do not wait long for a slow reader."""
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
                reason = messages.CLOSE_CODES.get(code, "")
                close = self._socket.close(code, reason)
                await asyncio.wait_for(close, self._settings.close_seconds)
                return
        self._abort()

    def _abort(self) -> None:
        abort: Callable[[], None] | None = self._socket.scope.get("extensions", {}).get(ABORT)
        if abort is not None:
            abort()

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
            self._metrics.messages.add(type="hello")
            if not self._allowance.may_greet():
                self._refuse(None, too_many("sockets opened", 1).problem)
                raise Closing(4429)
            if hello.protocol != messages.PROTOCOL:
                self._refuse(None, other_protocol(hello.protocol, hello.language))
                raise Closing(4406)
            who = await self._service.identify(self._table_id, hello.token, hello.language)
            subscription = await self._service.subscribe(
                who, hello.after, at=hello.at, hurried=hello.hurried
            )
        except Denied as denied:
            self._refuse(None, denied.problem)
            raise Closing(4400) from None
        except TableRefused as refused:
            self._refuse(None, refused.problem)
            raise Closing(_NOT_WELCOME.get(refused.problem.code, 4400)) from None
        self._put(frames.encode(subscription.welcome))
        return who, subscription

    # ---- the three tasks ------------------------------------------------------------------------

    async def _watch(self, subscription: Subscription) -> None:
        async for _ in subscription:
            raise AssertionError("everything is delivered as it comes")

    def _deliver(self, news: SharedMessage) -> bool:
        try:
            self._outgoing.put(news.frame or frames.encode_once(news))
        except TooSlow:
            return False
        except Exception as error:  # it must not become the trouble of who made the move
            self._unexpected("something could not be told", error)
            return False
        self._sent.add_one()
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
        if not self._bucket.take() or not self._allowance.may_speak():
            self._hurry_less(text)
            return
        self._too_fast = 0
        started = time.perf_counter()
        try:
            message = frames.decode(text)
        except Denied as denied:
            self._metrics.messages.add(type="malformed")
            self._refuse(frames.request_id(text), denied.problem)
            return
        self._metrics.messages.add_one(_LABELS[type(message)])
        try:
            if isinstance(message, Command):
                accepted = await self._service.command(who, message, patient=True)
                self._say(messages.Done(message.id, accepted.n, accepted.table))
            else:
                await self._grant(message, who, subscription)
        except TableRefused as refused:
            problem = refused.problem
            self._refuse(getattr(message, "id", None), problem)
        except (TooSlow, Closing):
            raise
        except Exception as error:
            self._unexpected("a request failed", error)
            problem = Problem("internal", "the server made an error; nothing is lost")
            self._refuse(getattr(message, "id", None), problem)
        self._metrics.answers.observe(time.perf_counter() - started)

    async def _grant(
        self, message: messages.Query, who: Participant, subscription: Subscription
    ) -> None:
        match message:
            case messages.Ping():
                self._say(messages.Pong(time.time()))
            case messages.Hello():
                problem = Problem("malformed", "hello was said already")
                self._refuse(None, problem)
            case messages.LookAt():
                await self._look_at(message, who)
            case messages.ReadLog():
                page = await self._service.log_page(who, message.before, seat=message.seat)
                self._say(messages.LogPage(message.id, page.log, page.log_from))
            case messages.LookThrough():
                await self._look_through(message, who, subscription)
            case messages.AskView():
                seen = await self._service.seen(
                    who, message.n, seat=message.seat, hint=message.purpose == "hint"
                )
                self._say(messages.ViewSeen(message.id, seen))
            case messages.AskWhy():
                self._beside(message, self._find_reason(message, who))

    async def _look_at(self, message: messages.LookAt, who: Participant) -> None:
        position = await self._service.position(
            who, n=message.n, seat=message.seat, revealed=message.revealed
        )
        self._say(messages.Looked(message.id, position))

    async def _look_through(
        self, message: messages.LookThrough, who: Participant, subscription: Subscription
    ) -> None:
        position = await self._service.position(who, seat=message.seat)
        subscription.look_through(message.seat)
        self._say(messages.Looked(message.id, position))

    def _beside(self, message: messages.AskWhy, work: Coroutine[Any, Any, None]) -> None:
        """Reasons take a while, so they are worked out beside the conversation, one at a time."""
        if self._reason is not None and not self._reason.done():
            work.close()
            problem = Problem("busy", "what you asked for before is not ready yet")
            self._refuse(message.id, problem)
            return
        self._reason = asyncio.create_task(self._worked_out(message, work))

    async def _find_reason(self, message: messages.AskWhy, who: Participant) -> None:
        self._say(messages.Reason(message.id, await self._service.why(who, message.n)))

    async def _worked_out(self, message: messages.AskWhy, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except TableRefused as refused:
            self._refuse(message.id, refused.problem)
        except TooSlow:
            self.stop(4409)
        except Exception as error:
            self._unexpected("what was asked for could not be worked out", error)
            self._refuse(message.id, Problem("internal", "the server made an error"))

    # ---- small things ---------------------------------------------------------------------------

    def _hurry_less(self, text: str | None) -> None:
        self._too_fast += 1
        if self._too_fast > _PATIENCE:
            raise Closing(4429)
        problem = Problem("too_fast", "too many messages: wait a moment, then send it again")
        self._refuse(frames.request_id(text), problem)

    def _refuse(self, request_id: str | None, problem: Problem) -> None:
        self._metrics.refusals.add(code=problem.code)
        self._say(messages.Refused(request_id, problem))

    def _say(self, message: messages.ToBrowser) -> None:
        self._put(frames.encode(message))

    def _put(self, frame: bytes) -> None:
        self._outgoing.put(frame)
        self._sent.add_one()

    def _unexpected(self, what: str, error: BaseException) -> None:
        self._metrics.errors.add()
        log.error(what, exc_info=error, extra={"facts": self._facts()})

    def _facts(self) -> dict[str, str]:
        return {"table": fingerprint(self._table_id)}
