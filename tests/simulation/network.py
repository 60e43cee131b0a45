"""A simulated network: WebSockets whose messages are late, lost with their connection, or stuck."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
from starlette.websockets import WebSocketState

from archipel.chaos.player import Gone
from archipel.serve.transport.protocols import WIRE
from tests.simulation.loop import Process

#: Seconds after which the server's pings find that a silent peer is gone.
_SERVER_NOTICES = 25.0


class Sent(msgspec.Struct):
    """The part of a server's message that the simulation looks at."""

    type: str
    n: int = 0


_SENT = msgspec.json.Decoder(Sent)


class Connection:
    """Both ends of a WebSocket: `Player` uses `send`, `receive` and `abort`; the server the rest.

    ``on_sent`` is called with each message at the moment the server sends it.
    """

    def __init__(
        self,
        client: Process,
        server: Process,
        chance: random.Random,
        on_sent: Callable[[Sent], None],
    ) -> None:
        self._client, self._server = client, server
        self._loop = client.loop
        self._chance = chance
        self._on_sent = on_sent
        self._to_client: asyncio.Queue[str | None] = asyncio.Queue()
        self._to_server: asyncio.Queue[str | None] = asyncio.Queue()
        self._arrives = {client: 0.0, server: 0.0}
        self._writable = asyncio.Event()
        self.slowness = 1.0
        #: Messages disappear, and nobody is told.
        self.is_stuck = False
        self.is_closed = False
        self._is_full = False

    def _carry(self, to: Process, queue: asyncio.Queue[str | None], text: str | None) -> None:
        """Deliver after a delay, in order."""
        delay = self._chance.uniform(0.001, 0.03) * self.slowness
        self._arrives[to] = max(self._arrives[to], self._loop.now + delay)
        context = to.context.copy()
        self._loop.call_at(self._arrives[to], queue.put_nowait, text, context=context)

    def cut(self) -> None:
        """Break the connection: what is on the way may still arrive; the ends notice later."""
        if self.is_closed:
            return
        self.is_closed = True
        if self._chance.random() < 0.5:
            self.is_stuck = True
        for to, queue in ((self._client, self._to_client), (self._server, self._to_server)):
            late = self._chance.choice((0.0, 0.05, 3.0))
            context = to.context.copy()
            self._arrives[to] += late
            self._loop.call_at(
                max(self._arrives[to], self._loop.now + late + 0.001),
                queue.put_nowait,
                None,
                context=context,
            )

    def stick(self) -> None:
        self.is_stuck = True
        context = self._server.context.copy()
        self._loop.call_later(_SERVER_NOTICES, self._to_server.put_nowait, None, context=context)

    # ---- the client's end -----------------------------------------------------------------------

    async def send(self, text: str) -> None:
        self.post(text)

    def post(self, text: str) -> None:
        if not self.is_closed and not self.is_stuck:
            self._carry(self._server, self._to_server, text)

    async def receive(self) -> str:
        text = await self._to_client.get()
        if text is None:
            self.is_closed = True
            raise Gone
        return text

    def abort(self) -> None:
        """The client closes; what it sent before still arrives."""
        if not self.is_closed:
            self.is_closed = True
            if not self.is_stuck:
                self._carry(self._server, self._to_server, None)

    # ---- the server's end (`archipel.serve.transport.frames.Wire`) -------------------------------

    def write_frame(self, frame: bytes) -> bool:
        if self._is_full:
            return False
        text = frame[{126: 4, 127: 10}.get(frame[1], 2) :]  # without the header
        self._on_sent(_SENT.decode(text))
        if not self.is_closed and not self.is_stuck:
            self._carry(self._client, self._to_client, text.decode())
            if self._chance.random() < 0.03:  # the client reads slowly
                self._is_full = True
                self._writable.clear()
                context = self._server.context.copy()
                self._loop.call_later(0.2, self._empty, context=context)
        return True

    def _empty(self) -> None:
        self._is_full = False
        self._writable.set()

    async def until_writable(self) -> bool:
        if self._is_full:
            await self._writable.wait()
        return not self.is_closed

    async def _receive(self) -> Any:
        text = await self._to_server.get()
        if text is None:
            return {"type": "websocket.disconnect", "code": 1006}
        return {"type": "websocket.receive", "text": text}

    async def _close(self, code: int, reason: str) -> None:
        if not self.is_closed and not self.is_stuck:
            self._carry(self._client, self._to_client, None)

    def server_end(self, table_id: str) -> Any:
        """What `archipel.serve.api.connection.Connection` uses of a Starlette WebSocket."""
        wire = SimpleNamespace(
            begin=lambda budget, stop: None,
            write_frame=self.write_frame,
            until_writable=self.until_writable,
            receive=self._receive,
            abort=lambda: self._carry(self._client, self._to_client, None),
        )
        return SimpleNamespace(
            path_params={"id": table_id},
            scope={"extensions": {WIRE: wire}},
            application_state=WebSocketState.CONNECTED,
            close=self._close,
        )
