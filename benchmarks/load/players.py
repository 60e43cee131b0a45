"""Simulated players, for protocols with complete positions and with differences.

A player needs only the choices, which are complete in both protocols.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any

import msgspec

from benchmarks.load.recorded_games import RecordedGame
from benchmarks.load.sockets import LightSocket

#: Frames begin with their type, so most need not be decoded.
_UPDATE = b'{"type":"update"'
_WELCOME = b'{"type":"welcome"'
_DONE = b'{"type":"done"'
_REFUSED = b'{"type":"refused"'

#: Protocol version in the hello; servers of the first protocol ignore it.
PROTOCOL = 2

#: Pause before a move that was refused because of overload is repeated.
_RETRY_SECONDS = 1.0


class _Choice(msgspec.Struct):
    action: int


class _Scene(msgspec.Struct):
    choices: list[_Choice] | msgspec.UnsetType = msgspec.UNSET


class _Position(msgspec.Struct):
    scene: _Scene | msgspec.UnsetType = msgspec.UNSET


class _Table(msgspec.Struct):
    """A table, complete or in part."""

    stage: str | msgspec.UnsetType = msgspec.UNSET


class _Frame(msgspec.Struct):
    n: int
    table: _Table | msgspec.UnsetType = msgspec.UNSET
    position: _Position | msgspec.UnsetType | None = msgspec.UNSET
    change: _Position | msgspec.UnsetType = msgspec.UNSET


class _Done(msgspec.Struct):
    id: str


_FRAMES = msgspec.json.Decoder(_Frame)
_DONES = msgspec.json.Decoder(_Done)


@dataclass(frozen=True)
class Seat:
    """A seat at a table, and the token to connect with."""

    table: str
    number: int
    token: str


def set_up_tables(
    port: int, game: str, tables: int, seats: int, announce: Callable[[int], None]
) -> list[list[Seat]]:
    """Set up tables over HTTP, all seats for people; ``announce`` gets the number of each."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    made = []
    try:
        for number in range(tables):
            announce(number)
            made.append(_set_up(connection, game, seats))
    finally:
        connection.close()
    return made


def _set_up(connection: HTTPConnection, game: str, seats: int) -> list[Seat]:
    made = _post(
        connection,
        "/api/tables",
        {"game": game, "seats": [{}] * seats, "my_name": "P0"},
    )
    table = str(made["table"])
    joined = [
        _post(connection, f"/api/tables/{table}/join", {"name": f"P{number}"})
        for number in range(1, seats)
    ]
    return [Seat(table, int(one["seat"]), str(one["token"])) for one in (made, *joined)]


def _post(connection: HTTPConnection, path: str, body: object) -> dict[str, Any]:
    connection.request(
        "POST", path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    answer = connection.getresponse()
    given: dict[str, Any] = json.loads(answer.read())
    if answer.status >= 300:
        raise RuntimeError(f"{path} answered {answer.status}: {given}")
    return given


@dataclass
class Timings:
    """Seconds from a move to its acknowledgement and to its update, and bytes per update."""

    receipts: list[float] = field(default_factory=list)
    echoes: list[float] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    games_over: int = 0

    @classmethod
    def combined(cls, parts: Sequence[Timings]) -> Timings:
        return cls(
            [seconds for part in parts for seconds in part.receipts],
            [seconds for part in parts for seconds in part.echoes],
            [size for part in parts for size in part.frames],
            sum((part.refused for part in parts), Counter()),
            sum(part.games_over for part in parts),
        )


class Player:
    """One socket. Plays the recorded game, or else at random, after a pause."""

    def __init__(
        self,
        seat: Seat,
        chooser: random.Random,
        timings: Timings,
        recorded: RecordedGame | None = None,
    ) -> None:
        self.seat = seat
        self.timings = timings
        self.think = (0.0, 0.0)
        self.is_playing = False
        self.is_over = False
        #: The number of acknowledged moves.
        self.kept = 0
        self._chooser = chooser
        self._recorded = recorded
        self._socket: LightSocket | None = None
        self._moves = 0
        self._sent: dict[str, float] = {}
        self._last_sent_at: float | None = None
        self._choices: list[_Choice] = []
        self._n = 0
        self._answered_n = -1
        self._begun: asyncio.Future[None] | None = None

    async def connect(self, port: int) -> None:
        path = f"/api/tables/{self.seat.table}/socket"
        self._socket = await LightSocket.connect(port, path, self._receive)
        self._begun = asyncio.get_running_loop().create_future()
        hello = {"type": "hello", "token": self.seat.token, "protocol": PROTOCOL}
        self._socket.send(msgspec.json.encode(hello))

    def begin(self) -> None:
        """For the host: start the game."""
        assert self._socket is not None
        self._socket.send(b'{"type":"begin","id":"begin"}')

    async def begun(self) -> None:
        assert self._begun is not None
        await self._begun

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()

    @property
    def waits_for_answers(self) -> bool:
        return bool(self._sent)

    def play(self) -> None:
        self.is_playing = True
        self._consider()

    # ---- input ----------------------------------------------------------------------------------

    def _receive(self, frame: bytes) -> None:
        if frame.startswith(_UPDATE):
            self.timings.frames.append(len(frame))
            self._read(frame)
        elif frame.startswith(_DONE):
            self._note_done(_DONES.decode(frame).id)
        elif frame.startswith(_WELCOME):
            self._read(frame)
        elif frame.startswith(_REFUSED):
            self._note_refusal(msgspec.json.decode(frame))

    def _note_done(self, request: str) -> None:
        sent_at = self._sent.pop(request, None)
        if sent_at is not None:
            self.kept += 1
            self.timings.receipts.append(time.perf_counter() - sent_at)

    def _note_refusal(self, refusal: dict[str, object]) -> None:
        self._sent.pop(str(refusal["id"]), None)
        problem = refusal["problem"]
        assert isinstance(problem, dict)
        self.timings.refused[str(problem["code"])] += 1
        if problem["code"] == "overloaded":  # try again, as the page tells its player to
            self._answered_n = -1
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._consider)
        if self._begun is not None and not self._begun.done():
            self._begun.set_exception(RuntimeError(f"refused: {problem}"))

    def _read(self, frame: bytes) -> None:
        received = time.perf_counter()
        decoded = _FRAMES.decode(frame)
        if self._last_sent_at is not None:
            self.timings.echoes.append(received - self._last_sent_at)
            self._last_sent_at = None
        self._n = decoded.n
        if isinstance(decoded.table, _Table) and isinstance(decoded.table.stage, str):
            self._note_stage(decoded.table.stage)
        for position in (decoded.position, decoded.change):
            scene = position.scene if isinstance(position, _Position) else None
            if isinstance(scene, _Scene) and isinstance(scene.choices, list):
                self._choices = scene.choices
        self._consider()

    def _note_stage(self, stage: str) -> None:
        if stage != "gathering" and self._begun is not None and not self._begun.done():
            self._begun.set_result(None)
        if stage == "over" and not self.is_over:
            self.is_over = True
            self.timings.games_over += 1

    # ---- output ---------------------------------------------------------------------------------

    def _consider(self) -> None:
        """Move, at once or after a pause, if it is this seat's turn and it has not moved yet."""
        if not self.is_playing or not self._choices or self._n <= self._answered_n:
            return
        if self._recorded is not None and self._recorded.is_over:
            self.is_over = True
            return
        self._answered_n = self._n
        shortest, longest = self.think
        if longest:
            pause = self._chooser.uniform(shortest, longest)
            asyncio.get_running_loop().call_later(pause, self._move)
        else:
            self._move()

    def _move(self) -> None:
        if not self.is_playing:
            self._answered_n = -1
            return
        assert self._socket is not None
        self._moves += 1
        offered = [choice.action for choice in self._choices]
        if self._recorded is None:
            action = self._chooser.choice(offered)
        else:
            action = self._recorded.next_move(offered)
        request = f"m{self._moves}"
        move = {"type": "play", "id": request, "n": self._n, "action": action}
        encoded = msgspec.json.encode(move)
        self._sent[request] = self._last_sent_at = time.perf_counter()
        self._socket.send(encoded)
