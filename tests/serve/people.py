"""Simulated players: they connect, play legal actions and record every frame."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Callable
from types import TracebackType
from typing import Any
from urllib import request

from websockets.asyncio.client import ClientConnection, connect

from archipel.chaos.following import Following
from archipel.serve.api.messages import PROTOCOL

Message = dict[str, Any]
_NUMBERS = itertools.count()
ANSWERS = ("done", "refused", "unknown", "looked", "log_page", "view_seen", "reason")


def post(address: str, body: object, headers: dict[str, str] | None = None) -> Message:
    """Send a POST request, which must succeed."""
    sent = request.Request(
        address,
        json.dumps(body).encode(),
        {"Content-Type": "application/json", **(headers or {})},
    )
    with request.urlopen(sent, timeout=20) as answer:
        given: Message = json.load(answer)
        return given


def make_table(http: str, **changes: object) -> Message:
    """Create a table, by default Deep Sea Adventure with one open seat and one bot."""
    body = {
        "game": "deep-sea",
        "seats": [{}, {}, {"bot": "random"}],
        "my_name": "Ana",
        **changes,
    }
    return post(f"{http}/api/tables", body)


def join_table(http: str, table: str, name: str = "Ben", **changes: object) -> Message:
    return post(f"{http}/api/tables/{table}/join", {"name": name, **changes})


class Person:
    """One socket at a table; without a token, a spectator."""

    def __init__(self, socket_address: str, token: str | None = None, after: int = 0) -> None:
        self.address = socket_address
        self.token = token
        self.after = after
        self.frames: list[str] = []
        self._following = Following()
        self.log: list[Message] = []
        self.welcome: Message = {}
        self._socket: ClientConnection | None = None
        self._inbox: list[Message] = []

    @property
    def table(self) -> Message:
        return self._following.table

    @property
    def position(self) -> Message | None:
        return self._following.position

    @property
    def socket(self) -> ClientConnection:
        assert self._socket is not None
        return self._socket

    async def __aenter__(self) -> Person:
        await self.connect()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.socket.close()

    async def connect(self) -> None:
        self._socket = await connect(self.address, max_size=None, close_timeout=1)
        self._inbox.clear()
        hello = {"type": "hello", "token": self.token, "after": self.after, "protocol": PROTOCOL}
        await self.send(hello)
        self.welcome = await self.next("welcome")

    async def send(self, message: object) -> None:
        await self.socket.send(json.dumps(message))

    async def next(self, *types: str, seconds: float = 20) -> Message:
        """The next message of one of these types; earlier ones are recorded and skipped."""
        while True:
            async with asyncio.timeout(seconds):
                frame = await self.socket.recv()
            assert isinstance(frame, str)
            self.frames.append(frame)
            message: Message = json.loads(frame)
            self._record(message)
            if not types or message["type"] in types:
                return message

    async def until(self, condition: Callable[[Person], bool]) -> None:
        while not condition(self):
            await self.next()

    async def ask(self, kind: str, **fields: object) -> Message:
        """Send a request and wait for its answer."""
        request_id = str(fields.pop("id", f"r{next(_NUMBERS)}"))
        await self.send({"type": kind, "id": request_id, **fields})
        while True:
            answer = await self.next(*ANSWERS)
            if answer["id"] == request_id:
                return answer

    @property
    def choices(self) -> list[int]:
        if self.position is None:
            return []
        return [choice["action"] for choice in self.position["scene"]["choices"]]

    @property
    def is_over(self) -> bool:
        return self.table.get("stage") in ("over", "closed")

    async def play_until_over(self, chooser: random.Random) -> None:
        """Play random legal actions until the game is over."""
        while not self.is_over:
            if not self.choices or self.position is None:
                await self.next()
                continue
            n = self.position["n"]
            answer = await self.ask("play", n=n, action=chooser.choice(self.choices))
            assert answer["type"] == "done", answer
            while self.after < answer["n"]:
                await self.next()

    def _record(self, message: Message) -> None:
        self._following.hear(message)
        if message["type"] in ("welcome", "update"):
            self.log += message["log"]
            self.after = message["n"]
