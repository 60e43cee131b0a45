"""Random frames: no crash, refused frames change nothing, every refusal has a reason."""

import asyncio
import random
import re
import socket
from dataclasses import replace

import pytest
from websockets.exceptions import ConnectionClosed

from tests.serve.malformed_frames import FrameGenerator
from tests.serve.people import Message, Person, join_table, make_table
from tests.serve.running import QUICK_BOTS, RELAXED, Running, running

#: Parts of messages that explain a malformed frame.
EXPLAINED = re.compile(
    r"at `\$|at `key|missing required field|not JSON|nested|object|Invalid value|out of range"
    r"|said already"
)


@pytest.mark.parametrize("frames", [2_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_malformed_frames_change_nothing(frames: int) -> None:
    # One phrase per player keeps the log short.
    with running(RELAXED, tables=replace(QUICK_BOTS, phrases=1)) as server:
        asyncio.run(_fuzz(server, frames))
        metrics = server.application.metrics.text()
    assert not re.search(r"archipel_errors_total \d", metrics), metrics


async def _fuzz(server: Running, frames: int) -> None:
    generator = FrameGenerator(frames)
    sent = 0
    while sent < frames:
        made = make_table(server.http, seats=[{}, {}])
        joined = join_table(server.http, made["table"])
        address = server.socket_of(made["table"])
        async with (
            Person(address, made["token"]) as ana,
            Person(address, joined["token"]) as ben,
            Person(address) as watcher,
        ):
            speakers = (ana, ben, watcher)
            for _ in range(min(1_000, frames - sent)):
                sent += 1
                try:
                    await _one(server, made["table"], speakers[sent % 3], generator)
                except ConnectionClosed as closed:
                    if closed.rcvd is None or closed.rcvd.code != 4401:
                        raise
                    break  # the host freed that seat
                if server.application.service._live_tables[made["table"]].table.stage == "closed":
                    break


async def _one(server: Running, table: str, speaker: Person, generator: FrameGenerator) -> None:
    live_table = server.application.service._live_tables[table]
    before = live_table.table
    frame = generator.frame(before.n)
    await speaker.socket.send(frame)
    answer = await _answer(speaker)
    assert answer["type"] != "unknown", (frame, answer)
    if answer["type"] == "refused":
        # Only bots may have moved meanwhile.
        assert all(logged.request is None for logged in live_table.table.log.after(before.n)), frame
        problem = answer["problem"]
        assert problem["code"] != "internal", frame
        assert problem["message"], frame
        if problem["code"] == "malformed":
            assert EXPLAINED.search(problem["message"]), (frame, problem)
        elif problem["code"] == "illegal":
            assert problem["rule"], frame
    elif answer["type"] == "done":
        assert answer["n"] <= live_table.table.n


async def _answer(speaker: Person) -> Message:
    kinds = ("done", "refused", "unknown", "looked", "log_page", "view_seen", "reason", "pong")
    return await speaker.next(*kinds, seconds=30)


def test_bytes_that_follow_no_protocol() -> None:
    """Bytes that follow no protocol, before and after the handshake."""
    chance = random.Random(1)
    with running() as server:
        table = make_table(server.http)["table"]
        for number in range(60):
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as raw:
                if number % 2:
                    raw.sendall(
                        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\n"
                        "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                        "Sec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
                    )
                raw.sendall(chance.randbytes(chance.randrange(1, 2_000)))
        asyncio.run(_still_there(server, table))


async def _still_there(server: Running, table: str) -> None:
    async with Person(server.socket_of(table)) as watcher:
        await watcher.send({"type": "ping"})
        await watcher.next("pong")
