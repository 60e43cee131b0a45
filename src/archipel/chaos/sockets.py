"""WebSockets and HTTP requests of the players of a chaos test."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib import request

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from archipel.chaos.player import PROTOCOL, Gone

Message = dict[str, Any]


class WebSocket:
    """A connection to a table. Its methods raise `Gone`, as `Player` wants it."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, server: str, table: str, patience: float) -> WebSocket:
        address = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        try:
            connection = await connect(
                address, open_timeout=patience, max_size=None, ping_interval=None, proxy=None
            )
        except (OSError, InvalidHandshake, InvalidMessage, ConnectionClosed):
            raise Gone from None
        return cls(connection)

    async def send(self, text: str) -> None:
        try:
            await self._connection.send(text)
        except (ConnectionClosed, OSError):
            raise Gone from None

    async def receive(self) -> str:
        try:
            return await self._connection.recv(decode=True)
        except (ConnectionClosed, OSError):
            raise Gone from None

    def abort(self) -> None:
        self._connection.transport.abort()


async def post(address: str, body: Message) -> Message:
    """Send a POST request; raises `OSError` if the server is gone or refuses."""
    sent = request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return await asyncio.to_thread(_answer, sent)


def _answer(sent: request.Request) -> Message:
    with request.urlopen(sent, timeout=20) as answer:
        given: Message = json.load(answer)
        return given


async def ask_once(
    socket: WebSocket, token: str, message: Message, patience: float
) -> Message | None:
    """Send one request after the greeting; None if the server did not decide."""
    hello = {"type": "hello", "token": token, "after": 0, "protocol": PROTOCOL}
    await socket.send(json.dumps(hello))
    await socket.send(json.dumps(message))
    async with asyncio.timeout(patience):
        while True:
            answer: Message = json.loads(await socket.receive())
            if answer.get("id") == message["id"]:
                return answer if answer["type"] == "done" else None
