"""People at tables, as light as they can be: the measuring must not be slower than the measured."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.load.sitting import Seat

#: Frames begin with their type, so most need not be decoded at all.
_UPDATE = '{"type":"update"'
_DONE = '{"type":"done"'
_REFUSED = '{"type":"refused"'


class _Choice(msgspec.Struct):
    action: int


class _Scene(msgspec.Struct):
    choices: list[_Choice]


class _Position(msgspec.Struct):
    n: int
    seat: int | None
    to_move: int | None
    scene: _Scene


class _Frame(msgspec.Struct):
    n: int
    position: _Position | None


class _Done(msgspec.Struct):
    id: str


_FRAMES = msgspec.json.Decoder(_Frame)
_DONES = msgspec.json.Decoder(_Done)


@dataclass
class Timings:
    """What was measured, in seconds: from sending a move to its receipt, and to its own update."""

    receipts: list[float] = field(default_factory=list)
    echoes: list[float] = field(default_factory=list)
    refused: int = 0
    games_over: int = 0


class Player:
    """One socket: plays something legal when asked, after thinking."""

    def __init__(self, seat: Seat, chooser: random.Random, timings: Timings) -> None:
        self.seat = seat
        self.timings = timings
        self.think = (0.0, 0.0)
        self.playing = asyncio.Event()
        self._chooser = chooser
        self._socket: ClientConnection | None = None
        self._moves = 0
        self._sent_at = 0.0
        self._waits_for_update = False
        self._moved_at = -1
        self._thinking: asyncio.Task[None] | None = None

    async def connect(self, port: int) -> None:
        address = f"ws://127.0.0.1:{port}/api/tables/{self.seat.table}/socket"
        self._socket = await connect(address, compression=None, max_size=None, ping_interval=None)
        hello = {"type": "hello", "token": self.seat.token}
        await self._socket.send(msgspec.json.encode(hello).decode())

    async def begin(self) -> None:
        """For the host: start the game."""
        assert self._socket is not None
        await self._socket.send('{"type":"begin","id":"begin"}')

    async def run(self) -> None:
        """Read, and move when it is this seat's turn, until the socket is closed."""
        assert self._socket is not None
        async for frame in self._socket:
            assert isinstance(frame, str)
            if frame.startswith(_DONE):
                self._note_done(frame)
            elif frame.startswith(_REFUSED):
                self.timings.refused += 1
            elif frame.startswith((_UPDATE, '{"type":"welcome"')):
                await self._look(frame)

    async def close(self) -> None:
        assert self._socket is not None
        if self._thinking is not None:
            self._thinking.cancel()
        await self._socket.close()

    def _note_done(self, frame: str) -> None:
        if _DONES.decode(frame).id == f"m{self._moves}":
            self.timings.receipts.append(time.perf_counter() - self._sent_at)

    async def _look(self, frame: str) -> None:
        received = time.perf_counter()
        position = _FRAMES.decode(frame).position
        if self._waits_for_update:
            self._waits_for_update = False
            self.timings.echoes.append(received - self._sent_at)
        if position is None or position.to_move != position.seat:
            return
        if position.scene.choices and position.n > self._moved_at:
            self._moved_at = position.n
            self._thinking = asyncio.create_task(self._move(position))

    async def _move(self, position: _Position) -> None:
        await self.playing.wait()
        shortest, longest = self.think
        if longest:
            await asyncio.sleep(self._chooser.uniform(shortest, longest))
        assert self._socket is not None
        self._moves += 1
        choice = self._chooser.choice(position.scene.choices)
        move = {"type": "play", "id": f"m{self._moves}", "n": position.n, "action": choice.action}
        encoded = msgspec.json.encode(move).decode()
        self._waits_for_update = True
        self._sent_at = time.perf_counter()
        await self._socket.send(encoded)
