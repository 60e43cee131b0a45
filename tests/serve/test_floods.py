"""Floods of WebSocket frames: bounded slices, budgets, and an end for whoever goes on."""

import asyncio
import socket
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from archipel.serve.admission_control import AdmissionControl
from archipel.serve.rate_limits import FrameBudget, RatePerAddress
from archipel.serve.settings import Rate, Settings
from archipel.serve.transport.protocols import FRAMES_PER_SLICE, SocketProtocol
from tests.serve.people import Person, make_table
from tests.serve.running import UNLIMITED, running, stricter
from tests.serve.test_websocket_frames import BINARY, CONTINUED, PING, TEXT, Raw, frame, raw

PONG, CLOSE = 0xA, 0x8
FLOODS = {
    "pings": frame(PING, b""),
    "long pings": frame(PING, b"x" * 125),
    "pongs": frame(PONG, b""),
    "texts": frame(TEXT, b'{"type":"ping"}'),
    "empty texts": frame(TEXT, b""),
    "binaries": frame(BINARY, b""),
    "empty fragments": frame(CONTINUED, b"", last=False),
    "whole messages in fragments": frame(TEXT, b"", last=False) + frame(CONTINUED, b""),
    "long texts": frame(TEXT, b"x" * 4096),
    "closes": frame(CLOSE, b""),
    "reserved kinds": frame(3, b""),
}
LIMITS = {
    name: getattr(Settings(), name) for name in ("messages", "all_messages", "frames", "all_frames")
}


HANDSHAKE = (
    "GET /api/tables/{table}/socket HTTP/1.1\r\nHost: testserver\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def _application(scope: object, receive: object, send: object) -> None:
    await asyncio.Event().wait()


class Transport(asyncio.Transport):
    """Records what is written, and takes any amount."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()
        self.reading = True
        self.closing = False

    def write(self, data: Any) -> None:
        self.written += data

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    abort = close


class Counting(SocketProtocol):
    """Counts the frames that it handles in each turn of the event loop."""

    def __init__(self, budget: FrameBudget | None = None) -> None:
        config = Config(_application, ws_max_size=4096, log_config=None, interface="asgi3")
        config.load()
        admission = AdmissionControl(Settings(), 10).enter("127.0.0.1")
        assert admission is not None
        self.turn = 0
        self.handled: Counter[int] = Counter()
        self.exceeded = 0
        state = ServerState()
        super().__init__(config=config, server_state=state, app_state={}, admission=admission)
        self.pipe = Transport()
        self.connection_made(self.pipe)
        self._allowed = budget or FrameBudget(UNLIMITED, RatePerAddress(UNLIMITED, 10), "a")

    async def open(self) -> "Counting":
        self.data_received(HANDSHAKE.format(table="table").encode())
        assert not self.pipe.reading
        await self.receive()
        await self.send({"type": "websocket.accept"})
        self.begin(self._allowed, self._note)
        assert self.pipe.reading
        self.pipe.written.clear()
        return self

    def _note(self) -> None:
        self.exceeded += 1

    def _take(self, frame: bytes, header: int) -> None:
        self.handled[self.turn] += 1
        super()._take(frame, header)

    async def turns(self, number: int) -> None:
        for _ in range(number):
            self.turn += 1
            await asyncio.sleep(0)


@pytest.mark.parametrize("kind", FLOODS)
@pytest.mark.promise("limits")
async def test_a_flood_is_parsed_in_slices(kind: str) -> None:
    wire = await Counting().open()
    if kind == "empty fragments":
        wire.data_received(frame(TEXT, b"", last=False))
    wire.data_received(FLOODS[kind] * 2_000)
    await wire.turns(50)
    assert max(wire.handled.values()) <= FRAMES_PER_SLICE + 1
    assert not wire.pipe.reading or wire.exceeded or wire.pipe.closing


@pytest.mark.parametrize("kind", FLOODS)
@pytest.mark.promise("limits")
async def test_a_flood_beyond_the_budget_ends_the_socket(kind: str) -> None:
    budget = FrameBudget(Rate(100, 1), RatePerAddress(UNLIMITED, 10), "a")
    wire = await Counting(budget).open()
    if kind == "empty fragments":
        wire.data_received(frame(TEXT, b"", last=False))
    for _ in range(2_000):
        await wire.turns(1)
        while not wire.queue.empty():
            await wire.receive()
        wire.data_received(FLOODS[kind])
    await wire.turns(20)
    assert sum(wire.handled.values()) <= 101
    assert (wire.exceeded == 1 and not wire.pipe.reading) or wire.pipe.closing


@pytest.mark.parametrize("kind", ["closes", "reserved kinds"])
async def test_nothing_is_parsed_after_the_end(kind: str) -> None:
    wire = await Counting().open()
    wire.data_received(FLOODS[kind] * 2_000)
    await wire.turns(20)
    assert wire.pipe.closing
    assert wire.handled.total() == 1


@pytest.mark.promise("limits")
async def test_no_frames_are_parsed_while_answers_wait() -> None:
    wire = await Counting().open()
    wire.pause_writing()
    wire.data_received(FLOODS["pings"] * 100)
    await wire.turns(20)
    assert not wire.pipe.written
    assert not wire.pipe.reading
    wire.resume_writing()
    await wire.turns(20)
    assert wire.pipe.written == b"\x8a\x00" * 100
    assert wire.pipe.reading


async def test_no_frames_are_parsed_while_messages_wait() -> None:
    wire = await Counting().open()
    wire.data_received(FLOODS["texts"] * 100)
    await wire.turns(20)
    assert wire.queue.qsize() < 2 * FRAMES_PER_SLICE
    assert not wire.pipe.reading
    for _ in range(100):
        assert (await wire.receive())["text"] == '{"type":"ping"}'
    await wire.turns(5)
    assert wire.pipe.reading


async def test_a_socket_pauses_when_its_address_has_used_up_its_budget() -> None:
    budget = FrameBudget(UNLIMITED, RatePerAddress(Rate(20, 1e-6), 10), "a")
    wire = await Counting(budget).open()
    wire.data_received(FLOODS["pongs"] * 100)
    await wire.turns(20)
    assert 0 < sum(wire.handled.values()) <= 20
    assert not wire.pipe.reading
    assert not wire.exceeded


def flood(here: Raw, data: bytes) -> None:
    """Send until the server closes the socket."""
    with suppress(OSError):
        for _ in range(1_000):
            here.send(data)
    with suppress(OSError, ValueError):
        while True:
            here.frame()


@pytest.mark.parametrize("kind", ["pings", "pongs", "empty fragments"])
@pytest.mark.promise("limits")
async def test_a_flooding_socket_is_closed_and_others_play_on(kind: str) -> None:
    with running(stricter(**LIMITS)) as server:
        made = make_table(server.http)
        async with Person(server.socket_of(made["table"]), made["token"]) as ana:
            with raw(server) as here:
                if kind == "empty fragments":
                    here.send(frame(TEXT, b"", last=False))
                await asyncio.to_thread(flood, here, FLOODS[kind] * 5_000)
            await ana.send({"type": "ping"})
            await ana.next("pong")
        lines = list(server.application.metrics.closed.lines("closed"))
        assert lines == ['closed{code="4429"} 1'], lines


def test_frames_before_the_response_to_the_handshake_wait() -> None:
    with running(stricter(**LIMITS)) as server:
        made = make_table(server.http)
        with socket.create_connection(("127.0.0.1", server.port), 60) as connection:
            connection.sendall(HANDSHAKE.format(table=made["table"]).encode())
            with suppress(OSError):
                for _ in range(200):
                    connection.sendall(FLOODS["pings"] * 10_000)
            with suppress(OSError):
                while connection.recv(65_536):
                    pass
        assert list(server.application.metrics.closed.lines("closed")) == ['closed{code="4429"} 1']
