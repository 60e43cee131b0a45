"""Strange frames: no crash, no change by what was refused, and every refusal says why."""

from __future__ import annotations

import asyncio
import random
import re
import socket
from dataclasses import replace

import pytest
from websockets.exceptions import ConnectionClosed

from tests.serve.people import Message, Person, join_table, make_table
from tests.serve.running import QUICK_BOTS, RELAXED, Running, running
from tests.serve.strange_frames import Strange

#: How a refusal of something malformed says what it was.
NAMED = re.compile(
    r"at `\$|at `key|missing required field|not JSON|nested|object|Invalid value|out of range"
    r"|said already"
)


@pytest.mark.parametrize("frames", [2_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_strange_frames_change_nothing(frames: int) -> None:
    # Phrases without end would only make the log long.
    with running(RELAXED, tables=replace(QUICK_BOTS, phrases=1)) as server:
        asyncio.run(_fuzz(server, frames))
        metrics = server.application.metrics.text()
    assert not re.search(r"archipel_errors_total \d", metrics), metrics


async def _fuzz(server: Running, frames: int) -> None:
    strange = Strange(frames)
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
                    await _one(server, made["table"], speakers[sent % 3], strange)
                except ConnectionClosed as closed:
                    if closed.rcvd is None or closed.rcvd.code != 4401:
                        raise
                    break  # the host freed that seat
                if server.application.service._live_tables[made["table"]].table.stage == "closed":
                    break


async def _one(server: Running, table: str, speaker: Person, strange: Strange) -> None:
    place = server.application.service._live_tables[table]
    before = place.table
    frame = strange.frame(before.n)
    await speaker.socket.send(frame)
    answer = await _answer(speaker)
    if answer["type"] == "refused":
        # Bots that stand in for somebody may have played meanwhile; nobody asked for that.
        assert all(logged.request is None for logged in place.table.log.after(before.n)), frame
        problem = answer["problem"]
        assert problem["code"] != "internal", frame
        assert problem["message"], frame
        if problem["code"] == "malformed":
            assert NAMED.search(problem["message"]), (frame, problem)
        elif problem["code"] == "illegal":
            assert problem["rule"], frame
    elif answer["type"] == "done":
        assert answer["n"] <= place.table.n


async def _answer(speaker: Person) -> Message:
    kinds = ("done", "refused", "looked", "log_page", "view_seen", "reason", "pong")
    return await speaker.next(*kinds, seconds=30)


def test_what_is_no_websocket_at_all() -> None:
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
