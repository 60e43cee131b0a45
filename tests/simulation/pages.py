"""Pages of the browser client in the simulation: the real session and connection, run by Node.

Node does nothing by itself: the simulation opens its sockets, delivers their messages and fires its
timers, in virtual time.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import random
import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from archipel.chaos.history import Answer, Call, History, Read, Sight, View
from archipel.chaos.player import UNDECIDED, Gone, choose_command
from archipel.serve.client_build import variables_for
from tests.engine.node import require_node
from tests.simulation.loop import SimulatedLoop
from tests.simulation.network import Connection

ROOT = Path(__file__).parents[2]
_EPOCH = 1_700_000_000_000
#: Seconds after which a page may give up a connection: without an answer to a ping, and silent.
_ANSWERS_WITHIN, _SILENCE = 3.0, 25.0
#: Seconds until a browser reports that a socket is closed: late if it was half-open.
_CLOSED, _CLOSED_LATE = 0.05, 20.0


class Node:
    """One Node process for all simulations of a test process."""

    def __init__(self, sources: Path = ROOT / "client") -> None:
        """``sources``: the folder of the client, or of a changed copy."""
        node = str(require_node())
        self._folder = tempfile.TemporaryDirectory()
        bundle = Path(self._folder.name) / "session.mjs"
        subprocess.run(
            [node, "scripts/bundle_session.mjs", str(bundle)],
            cwd=sources,
            env=variables_for(require_node()),
            check=True,
            capture_output=True,
        )
        self._process = subprocess.Popen(
            [node, str(Path(__file__).with_name("pages.mjs")), str(bundle)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        atexit.register(self.close)

    def tell(self, **command: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the pages crashed"
        return json.loads(line)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


@cache
def the_node() -> Node:
    return Node()


@dataclass
class _Open:
    """A socket that a page has open: what came last, and the ping that waits for an answer."""

    connection: Connection
    heard: float
    pinged: float | None = None
    is_welcomed: bool = False

    def may_be_closed(self, now: float) -> bool:
        if self.pinged is not None and now - self.pinged > _ANSWERS_WITHIN - 0.01:
            return True
        return not self.is_welcomed or now - self.heard > _SILENCE


class Pages:
    """The pages of one simulation."""

    def __init__(self, loop: SimulatedLoop, node: Node, seed: int) -> None:
        self._loop = loop
        self._node = node
        self.by_number: list[Page] = []
        self.tell("reset", seed=seed % 2**31)

    def tell(self, command: str, **given: Any) -> Any:
        """Do something in Node at the present time, then what it asks for."""
        now = _EPOCH + int(self._loop.now * 1000)
        answer = self._node.tell(do=command, now=now, **given)
        for effect in answer["effects"]:
            self.by_number[effect["page"]].on_effect(effect)
        return answer["state"]


class Page:
    """A page at the table, with the interface of `archipel.chaos.player.Player`."""

    def __init__(
        self,
        pages: Pages,
        name: str,
        table: str,
        token: str | None,
        connect: Callable[[], Awaitable[Connection]],
        *,
        chance: random.Random,
        history: History,
        clock: Callable[[], float],
        pace: float,
        seat: int | None,
    ) -> None:
        self.name = name
        self.table = table
        self.calls = 0
        self.n = 0
        self.open: list[Call] = []
        self.is_quiet = False
        self.stop = False
        self._pages = pages
        self._token = token
        self._connect = connect
        self._chance = chance
        self._history = history
        self._clock = clock
        self._pace = pace
        self._seat = seat
        self._number = len(pages.by_number)
        self._connections = 0
        self._sockets: dict[int, _Open] = {}
        self._asked: dict[int, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        #: A command that the session has not sent yet, so that its id is not known.
        self._unsent: dict[str, Any] | None = None
        pages.by_number.append(self)

    async def run(self) -> None:
        self._tell("start", id=self._number, table=self.table, token=self._token)
        while not (self.stop and not self.is_waiting):
            await asyncio.sleep(self._pace * self._chance.expovariate(1.0) + 0.001)
            if self._seat is None or self.is_quiet or self.is_waiting:
                continue
            if self._chance.random() < 0.05:
                self._tell("hurry", id=self._number)  # the device's network changed
            self._act()

    async def catch_up(self, n: int) -> None:
        """Wait: a page gets all updates by itself."""
        while self.n < n:  # noqa: ASYNC110
            await asyncio.sleep(0.25)

    @property
    def is_waiting(self) -> bool:
        return bool(self.open) or self._unsent is not None

    @property
    def view(self) -> View:
        state = self._tell("state", id=self._number)
        assert not state["restored"], "no backup was restored"
        return View(
            self.name, self.table, self._seat, self.n, state["position"], tuple(state["lines"])
        )

    def _tell(self, command: str, **given: Any) -> Any:
        return self._pages.tell(command, **given)

    def _act(self) -> None:
        state = self._tell("state", id=self._number)
        if state["status"] != "online" and self._chance.random() < 0.7:
            return  # mostly people wait
        table, position = state["table"], state["position"]
        if table is None or position is None or table["stage"] != "playing":
            return
        message = choose_command(self._chance, self._seat, self.n, table["seats"], position)
        if message is None:
            return
        self.calls += 1
        self._unsent = message
        self._tell("request", id=self._number, wish=message)

    # ---- what Node asks for ---------------------------------------------------------------------

    def on_effect(self, effect: dict[str, Any]) -> None:
        match effect["kind"]:
            case "timer":
                asyncio.get_running_loop().call_later(
                    effect["wait"] / 1000, lambda: self._tell("timer", timer=effect["timer"])
                )
            case "open":
                self._asked[effect["socket"]] = self._clock()
                task = asyncio.create_task(self._serve(effect["socket"]))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case "send":
                self._on_send(effect["socket"], effect["text"])
            case "close":
                number, late = effect["socket"], _CLOSED
                socket = self._sockets.pop(number, None)
                if socket is not None:
                    assert socket.may_be_closed(self._clock()), "a page closed a socket that works"
                    late = _CLOSED_LATE if socket.connection.is_stuck else _CLOSED
                    socket.connection.abort()
                asyncio.get_running_loop().call_later(
                    late, lambda: self._tell("socket", socket=number, event="close")
                )
            case "done":
                call = self.open.pop()
                assert effect["n"] in [answer.n for answer in call.answers], effect
            case "refused":
                self.open.pop()
            case "reload":
                raise AssertionError("nobody lost a seat")

    def _on_send(self, number: int, text: str) -> None:
        message = json.loads(text)
        request = message.get("id")
        if request is not None and self._unsent is not None:
            call = Call(self.name, self.table, request, message, self._clock())
            self._history.calls.append(call)
            self.open.append(call)
            self._unsent = None
        elif request is not None:
            assert [call.id for call in self.open] == [request], (
                "a request was sent again as another"
            )
        socket = self._sockets.get(number)
        if socket is not None:
            if message["type"] == "ping" and socket.pinged is None:
                socket.pinged = self._clock()
            socket.connection.post(text)

    async def _serve(self, number: int) -> None:
        """Deliver what a socket receives."""
        try:
            socket = await self._connect()
        except Gone:
            self._tell("socket", socket=number, event="close")
            return
        mine = self._sockets[number] = _Open(socket, self._clock())
        self._connections += 1
        connection = self._connections
        self._tell("socket", socket=number, event="open")
        while True:
            try:
                text = await socket.receive()
            except Gone:
                if self._sockets.pop(number, None) is not None:
                    self._tell("socket", socket=number, event="close")
                return
            if number in self._sockets:  # else the page has closed it
                mine.heard, mine.pinged = self._clock(), None
                self._note(number, connection, json.loads(text))
                self._tell("socket", socket=number, event="message", text=text)

    def _note(self, number: int, connection: int, message: dict[str, Any]) -> None:
        now, kind = self._clock(), message["type"]
        if kind == "welcome":
            self._sockets[number].is_welcomed = True
            asked = self._asked[number]
            read = Read(self.name, self.table, asked, now, message["n"])
            self._history.reads.append(read)
        if kind in ("welcome", "update"):
            self.n = max(self.n, message["n"])
            if message.get("whole") and kind == "update":
                self._connections += 1
            self._history.sights += [
                Sight(
                    self.name,
                    self.table,
                    connection,
                    now,
                    line["n"],
                    line["at"],
                    line["kind"],
                    line["seat"],
                )
                for line in message["log"]
            ]
        elif kind in ("done", "refused"):
            for call in self._history.calls:
                if call.id == message["id"]:
                    if kind == "done":
                        call.answers.append(Answer(now, "done", message["n"]))
                    elif message["problem"]["code"] not in UNDECIDED:
                        call.answers.append(Answer(now, "refused"))
