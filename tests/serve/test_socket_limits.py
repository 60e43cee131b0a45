"""Limits of sockets: origins, size and rate of messages, slow readers, silence."""

import asyncio
import json
import socket as sockets
import time
from contextlib import suppress
from dataclasses import replace

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from archipel.serve.api.messages import PROTOCOL
from archipel.serve.settings import Rate
from tests.serve.people import Person, make_table
from tests.serve.running import QUICK_BOTS, Running, running, stricter

HELLO = json.dumps({"type": "hello", "protocol": PROTOCOL})


async def close_code(address: str, *frames: str | bytes) -> int:
    """Connect, send, and read until the server closes; returns the close code."""
    async with connect(address) as socket:
        for frame in frames:
            await socket.send(frame)
        return await _code_at_end(socket)


async def _code_at_end(socket: ClientConnection) -> int:
    async with asyncio.timeout(20):
        await _read_all(socket)
    assert socket.close_code is not None
    return socket.close_code


async def _read_all(socket: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        while True:
            await socket.recv()


def test_the_first_message_must_be_a_valid_hello() -> None:
    with running(stricter(hello_seconds=0.3)) as server:
        address = server.socket_of(make_table(server.http)["table"])
        for frames, code in (
            ((), 4408),
            (('{"type":"ping"}',), 4400),
            (("nonsense",), 4400),
            ((b"binary",), 4400),
            (('{"type":"hello","token":"short"}',), 4400),
            ((HELLO.replace("{", '{"token": "' + "x" * 43 + '",'),), 4401),
            (('{"type":"hello"}',), 4406),
            ((HELLO.replace(str(PROTOCOL), str(PROTOCOL + 1)),), 4406),
        ):
            assert asyncio.run(close_code(address, *frames)) == code
        nowhere = server.socket_of("nosuchtable")
        assert asyncio.run(close_code(nowhere, HELLO)) == 4404
        assert asyncio.run(close_code(server.socket_of("!"), HELLO)) == 4404


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("same", True),
        ("https://play.example", True),
        ("https://evil.example", False),
        ("null", False),
    ],
)
@pytest.mark.promise("authority")
def test_sockets_of_other_origins_are_refused(origin: str | None, allowed: bool) -> None:
    async def open_one(server: Running) -> None:
        own = server.http if origin == "same" else origin
        address = server.socket_of(make_table(server.http)["table"])
        async with connect(address, origin=own) as socket:  # type: ignore[arg-type]
            await socket.send(HELLO)
            assert '"welcome"' in str(await socket.recv())

    with running(stricter(origins=("https://play.example",))) as server:
        if allowed:
            asyncio.run(open_one(server))
        else:
            with pytest.raises(InvalidStatus) as refused:
                asyncio.run(open_one(server))
            assert refused.value.response.status_code == 403


def test_sockets_for_an_unknown_host_name_are_refused() -> None:
    async def open_one(server: Running) -> None:
        table = make_table(server.http)["table"]
        address = f"ws://evil.example/api/tables/{table}/socket"
        async with connect(address, host="127.0.0.1", port=server.port):
            pass

    with running() as server, pytest.raises(InvalidStatus) as refused:
        asyncio.run(open_one(server))
    assert refused.value.response.status_code == 421


def test_a_large_message_closes_the_socket() -> None:
    with running() as server:
        address = server.socket_of(make_table(server.http)["table"])
        assert asyncio.run(close_code(address, HELLO, "x" * 5_000)) == 1009


async def test_too_many_messages_are_refused_and_then_closed() -> None:
    with running(stricter(messages=Rate(burst=4, per_second=0.5))) as server:
        table = make_table(server.http)
        async with Person(server.socket_of(table["table"]), table["token"]) as ana:
            for number in range(5):
                await ana.send({"type": "say", "id": f"s{number}", "phrase": "hello"})
            for _ in range(20):
                answer = await ana.next("refused")
                if answer["problem"]["code"] == "too_fast" and answer["id"] == "s4":
                    break
            with suppress(ConnectionClosed):
                for _ in range(1000):
                    await ana.send({"type": "ping"})
                    await asyncio.sleep(0)
            assert await _code_at_end(ana.socket) == 4429


async def connect_when_possible(address: str) -> None:
    """Retry until the server has noticed that others disconnected."""
    while True:
        with suppress(InvalidStatus):
            async with Person(address):
                return
        await asyncio.sleep(0.05)


@pytest.mark.promise("limits")
async def test_sockets_are_limited_per_address() -> None:
    with running(stricter(sockets_per_address=2)) as server:
        address = server.socket_of(make_table(server.http)["table"])
        async with Person(address), Person(address):
            with pytest.raises(InvalidStatus) as refused:
                await Person(address).connect()
            assert refused.value.response.status_code == 429
        await asyncio.wait_for(connect_when_possible(address), 60)


@pytest.mark.promise("limits")
async def test_a_slow_reader_is_dropped_and_the_others_are_not() -> None:
    settings = stricter(most_waiting_messages=8, close_seconds=0.2)
    talkative = replace(QUICK_BOTS, phrases=1_000_000)
    with running(settings, tables=talkative) as server:
        made = make_table(server.http, seats=[{}, {"bot": "random"}], begin=True)
        address = server.socket_of(made["table"])
        with _silent_reader(server, made["table"]) as lazy:
            async with Person(address, made["token"]) as ana:
                await ana.until(lambda person: person.table["spectators"] == 1)
                deadline = time.monotonic() + 60
                # Every request makes one update for each reader, of several thousand bytes.
                while ana.table["spectators"] and time.monotonic() < deadline:
                    for _ in range(50):
                        await ana.ask("say", phrase="hello")
                assert not ana.table["spectators"]
            await asyncio.sleep(1)  # the server gives up on an orderly close
            lazy.settimeout(5)
            with suppress(
                ConnectionError
            ):  # the error of a dropped connection depends on the system
                while lazy.recv(65_536):
                    pass


def _silent_reader(server: Running, table: str) -> sockets.socket:
    """A WebSocket that sends hello and never reads."""
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", server.port))
    raw.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += raw.recv(1)
    assert b" 101 " in answer
    payload = HELLO.encode()
    raw.sendall(bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
    return raw


async def test_a_peer_that_answers_no_ping_is_dropped() -> None:
    with running(stricter(ping_seconds=0.2, silence_seconds=0.6)) as server:
        made = make_table(server.http)
        address = server.socket_of(made["table"])
        with _silent_reader(server, made["table"]):
            async with Person(address, made["token"]) as ana:
                await ana.until(lambda person: person.table["spectators"] == 1)
                await ana.until(lambda person: person.table["spectators"] == 0)
