"""One page at a table: the messages of a WebSocket, over any channel that passes texts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

import msgspec

from archipel.serve.api import messages
from archipel.serve.api.conversation import Conversation, HelloRefused
from archipel.serve.api.http_errors import Denied
from archipel.serve.transport import frames
from archipel.tables import (
    Participant,
    Problem,
    SharedMessage,
    Subscription,
    SubscriptionEnded,
    TableService,
)

log = logging.getLogger("archipel.tab")

#: Messages that may wait for their answer; a page sends the next one after the last answer.
MOST_WAITING = 64


class Channel:
    """Answers the messages of one page until either side closes the channel."""

    def __init__(
        self,
        service: TableService,
        table_id: str,
        send: Callable[[str], None],
        closed: Callable[[], None],
    ) -> None:
        self._service = service
        self._table_id = table_id
        self._send = send
        self._closed = closed
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._conversation = Conversation(service, table_id, self)
        self._task = asyncio.get_running_loop().create_task(self._run())

    def receive(self, text: str) -> None:
        """Take a message of the page."""
        if self._inbox.qsize() < MOST_WAITING:
            self._inbox.put_nowait(text)
        else:
            self.close()

    def close(self) -> None:
        """End the conversation after the answer in progress, if any."""
        self._inbox.put_nowait(None)

    async def _run(self) -> None:
        try:
            greeted = await self._greet()
            if greeted is not None:
                await self._stay(*greeted)
        except Exception as error:
            self.unexpected("a channel failed", error)
        finally:
            self._conversation.end()
            self._closed()

    async def _greet(self) -> tuple[Participant, Subscription] | None:
        text = await self._inbox.get()
        if text is None:
            return None
        try:
            hello = frames.decode(text)
            if not isinstance(hello, messages.Hello):
                raise Denied(400, "malformed", "the first message must be hello")
            return await self._conversation.greet(hello)
        except Denied as denied:
            self.refuse(None, denied.problem)
        except HelloRefused:
            pass
        return None

    async def _stay(self, who: Participant, subscription: Subscription) -> None:
        self._service.arrived(who)
        subscription.deliver_to(self._deliver)
        watcher = asyncio.create_task(self._watch(subscription))
        try:
            while (text := await self._inbox.get()) is not None:
                try:
                    message = frames.decode(text)
                except Denied as denied:
                    self.refuse(frames.request_id(text), denied.problem)
                else:
                    await self._conversation.answer(message, who, subscription)
        finally:
            watcher.cancel()
            self._service.departed(who)
            subscription.close()

    async def _watch(self, subscription: Subscription) -> None:
        with suppress(SubscriptionEnded):
            async for _ in subscription:
                raise AssertionError("every message is delivered by `_deliver`")
        self.close()

    def _deliver(self, news: SharedMessage) -> bool:
        self.send(news.message)
        return True

    def send(self, message: messages.ToBrowser) -> None:
        self._send(msgspec.json.encode(message).decode())

    def refuse(self, request_id: str | None, problem: Problem) -> None:
        self.send(messages.Refused(request_id, problem))

    def unknown(self, request_id: str, problem: Problem) -> None:
        self.send(messages.Unknown(request_id, problem))

    def unexpected(self, what: str, error: BaseException) -> None:
        log.error(what, exc_info=error)
