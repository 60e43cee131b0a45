"""A player who sends random commands, reconnects, repeats them until they are answered, and
records everything."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from archipel.chaos.following import Following, Missed
from archipel.chaos.history import Answer, Call, Gap, History, Read, Sight, View

Message = dict[str, Any]

PROTOCOL = 2
#: Refusals that do not say whether the request was performed: it is repeated with the same id.
UNDECIDED = frozenset({"unavailable", "unknown", "stopping", "too_fast", "internal", "busy"})


class Gone(Exception):
    """The connection is closed, or the server is silent."""


class Socket(Protocol):
    """A WebSocket. Both methods raise `Gone`."""

    async def send(self, text: str) -> None: ...

    async def receive(self) -> str: ...

    def abort(self) -> None: ...


class Player:
    """Holds a seat, or watches without a ``token``. ``clock`` returns seconds."""

    def __init__(
        self,
        name: str,
        table: str,
        token: str | None,
        connect: Callable[[], Awaitable[Socket]],
        *,
        chance: random.Random,
        history: History,
        clock: Callable[[], float],
        pace: float,
        patience: float,
    ) -> None:
        """``pace``: mean pause between commands; ``patience``: longest silence before the player
        reconnects. In seconds."""
        self.name = name
        self.table = table
        self.calls = 0
        self.open: list[Call] = []
        #: Send no new commands.
        self.is_quiet = False
        #: End `run` as soon as nothing is open.
        self.stop = False
        self._token = token
        self._connect = connect
        self._chance = chance
        self._history = history
        self._clock = clock
        self._pace = pace
        self._patience = patience
        self._following = Following()
        self._seat: int | None = None
        self._last_line: float | None = None
        self._connections = 0
        #: The numbers of the log lines that the player knows.
        self._lines: list[int] = []
        self._heard_at = 0.0
        #: Whether the server asked to repeat the open request.
        self._must_repeat = False

    @property
    def n(self) -> int:
        """The last event that this player knows of."""
        return self._following.n

    @property
    def is_waiting(self) -> bool:
        """Whether a request is not answered yet."""
        return bool(self.open)

    @property
    def is_over(self) -> bool:
        return self._following.table.get("stage") in ("over", "closed")

    @property
    def view(self) -> View:
        lines = tuple(self._lines)
        return View(self.name, self.table, self._seat, self.n, self._following.position, lines)

    async def run(self) -> None:
        failures = 0
        while not (self.stop and not self.open):
            socket = None
            try:
                asked = self._clock()
                socket = await self._connect()
                await self._greet(socket, asked)
                failures = 0
                await self._play(socket)
            except (Gone, Missed, TimeoutError):
                failures += 1
            finally:
                if socket is not None:
                    socket.abort()
            await asyncio.sleep(self._pace * self._chance.uniform(0.5, 2 + min(failures, 5)))

    async def catch_up(self, n: int) -> None:
        """Receive until event ``n`` is known, on a connection of its own."""
        while self.n < n:
            socket = None
            try:
                asked = self._clock()
                socket = await self._connect()
                await self._greet(socket, asked)
                async with asyncio.timeout(self._patience):
                    while self.n < n:
                        await self._hear(socket)
            except (Gone, Missed, TimeoutError):
                await asyncio.sleep(self._pace)
            finally:
                if socket is not None:
                    socket.abort()

    # ---- one connection -------------------------------------------------------------------------

    async def _greet(self, socket: Socket, asked: float) -> None:
        hello: Message = {"type": "hello", "after": self.n, "protocol": PROTOCOL}
        if self._token is not None:
            hello["token"] = self._token
        if self._last_line is not None:
            hello["at"] = self._last_line
        self._connections += 1
        await socket.send(json.dumps(hello))
        async with asyncio.timeout(self._patience):
            message = await self._hear(socket)
        if message["type"] != "welcome":
            raise Gone
        self._seat = message["seat"]
        read = Read(self.name, self.table, asked, self._clock(), message["n"])
        self._history.reads.append(read)
        for call in self.open:
            await socket.send(json.dumps(call.message))

    async def _play(self, socket: Socket) -> None:
        acts_at = self._clock() + self._pause()
        while not (self.stop and not self.open):
            try:
                async with asyncio.timeout(max(0.0, acts_at - self._clock())):
                    await self._hear(socket)
                continue
            except TimeoutError:
                acts_at = self._clock() + self._pause()
            silence = self._clock() - self._heard_at
            if silence > self._patience:
                raise Gone
            if silence > self._patience / 2:
                await socket.send('{"type":"ping"}')
            if self._must_repeat and self.open:
                self._must_repeat = False
                await socket.send(json.dumps(self.open[0].message))
            elif not self.open and not self.is_quiet:
                await self._act(socket)

    def _pause(self) -> float:
        return self._pace * self._chance.expovariate(1.0) + 0.001

    async def _hear(self, socket: Socket) -> Message:
        message: Message = json.loads(await socket.receive())
        self._heard_at = self._clock()
        kind = message["type"]
        if kind in ("welcome", "update"):
            self._see(message)
        try:
            self._following.hear(message)
        except Missed:
            gap = Gap(self.name, self.table, message["base"], self.n)
            self._history.gaps.append(gap)
            raise
        if kind in ("done", "refused", "unknown"):
            self._note_answer(message)
        return message

    def _see(self, message: Message) -> None:
        if message.get("whole"):
            self._connections += 1  # the log from its beginning, or its last page
            self._lines.clear()
        lines = message["log"]
        if message["type"] == "update" and message["base"] != self.n:
            return
        for line in lines:
            self._lines.append(line["n"])
            self._history.sights.append(
                Sight(
                    self.name,
                    self.table,
                    self._connections,
                    self._clock(),
                    line["n"],
                    line["at"],
                    line["kind"],
                    line["seat"],
                )
            )
        if lines:
            self._last_line = lines[-1]["at"]

    def _note_answer(self, message: Message) -> None:
        call = next((call for call in self.open if call.id == message["id"]), None)
        if call is None:  # answered before
            call = next((c for c in self._history.calls if c.id == message["id"]), None)
            if call is None:
                return
        if message["type"] == "done":
            call.answers.append(Answer(self._clock(), "done", message["n"]))
        elif message["type"] == "unknown" or message["problem"]["code"] in UNDECIDED:
            self._must_repeat = True
            return
        else:
            call.answers.append(Answer(self._clock(), "refused"))
        if call in self.open:
            self.open.remove(call)

    # ---- commands -------------------------------------------------------------------------------

    async def _act(self, socket: Socket) -> None:
        message = self._choose()
        if message is None:
            return
        self.calls += 1
        request = f"{self.name}-{self.calls}"
        message["id"] = request
        call = Call(self.name, self.table, request, message, self._clock())
        self._history.calls.append(call)
        self.open.append(call)
        text = json.dumps(message)
        await socket.send(text)
        if self._chance.random() < 0.1:
            await socket.send(text)  # a duplicate

    def _choose(self) -> Message | None:
        position, table = self._following.position, self._following.table
        if self._seat is None or self.is_over or position is None:
            return None
        return choose_command(self._chance, self._seat, self.n, table["seats"], position)


def choose_command(
    chooser: random.Random, seat: int | None, n: int, seats: list[Message], position: Message
) -> Message | None:
    """A random command for a seat in the position after event ``n``; None: wait."""
    if seat is None:
        return None
    chance = chooser.random()
    choices = [choice["action"] for choice in position["scene"]["choices"]]
    if seats[seat]["bot_plays"]:
        return {"type": "come_back"} if chance < 0.7 else None
    if position.get("take_back_asked_by") not in (None, seat):
        return {"type": "agree_to_take_back", "n": n, "agree": chance < 0.7}
    if chance < 0.08:
        return {"type": "say", "phrase": chooser.choice(["hello", "oops", "wait"])}
    if chance < 0.11:
        return {"type": "hand_over", "seat": seat}
    if chance < 0.3 and position.get("may_take_back"):
        return {"type": "take_back", "n": n}
    if not choices:
        return {"type": "take_back", "n": n} if chance > 0.9 else None
    return {"type": "play", "n": n, "action": chooser.choice(choices)}
