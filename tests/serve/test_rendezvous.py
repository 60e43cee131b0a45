"""The rendezvous: who gets what, and its limits."""

import asyncio
import base64
import json
import time
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from archipel.serve.rendezvous import name_of
from archipel.serve.settings import Rate
from tests.serve.running import Running, running, stricter

SECRET = base64.urlsafe_b64encode(bytes(range(16))).rstrip(b"=").decode()
OTHER = base64.urlsafe_b64encode(bytes(16)).rstrip(b"=").decode()
HOST = {"type": "host", "secret": SECRET}
GUEST = {"type": "guest"}
#: A page of another site.
ELSEWHERE = "https://games.example"


def address(server: Running, room: str = name_of(SECRET)) -> str:
    return f"{server.websocket}/api/rendezvous/{room}"


def join(server: Running, room: str = name_of(SECRET)) -> connect:
    return connect(address(server, room), origin=ELSEWHERE)  # type: ignore[arg-type]


async def say(socket: ClientConnection, message: dict[str, Any]) -> None:
    await socket.send(json.dumps(message))


async def hear(socket: ClientConnection) -> Any:
    async with asyncio.timeout(20):
        return json.loads(await socket.recv())


async def code_at_end(socket: ClientConnection) -> int | None:
    async with asyncio.timeout(20):
        try:
            while True:
                await socket.recv()
        except ConnectionClosed:
            return socket.close_code


def sealed(content: str, guest: int | None = None) -> dict[str, Any]:
    return {"type": "sealed", "sealed": content, **({} if guest is None else {"guest": guest})}


def test_offers_and_answers_reach_one_side_each() -> None:
    async def meet(server: Running) -> None:
        async with join(server) as ben, join(server) as host, join(server) as cem:
            await say(ben, GUEST)
            await say(host, HOST)
            assert await hear(ben) == {"type": "host_here"}
            await say(ben, sealed("offer-of-ben"))
            assert await hear(host) == sealed("offer-of-ben", 1)
            await say(cem, GUEST)
            assert await hear(cem) == {"type": "host_here"}
            await say(cem, sealed("offer-of-cem"))
            assert await hear(host) == sealed("offer-of-cem", 2)
            await say(host, sealed("for-nobody", 7))
            await say(host, sealed("answer-to-cem", 2))
            await say(host, sealed("answer-to-ben", 1))
            assert await hear(cem) == sealed("answer-to-cem")
            assert await hear(ben) == sealed("answer-to-ben")
            assert len(server.application.rendezvous) == 1

    with running(stricter(rendezvous=True)) as server:
        asyncio.run(meet(server))


def test_nothing_is_stored_for_a_host_who_is_away() -> None:
    async def meet(server: Running) -> None:
        async with join(server) as ben:
            await say(ben, GUEST)
            await say(ben, sealed("too-early"))
            async with join(server) as host:
                await say(host, HOST)
                assert await hear(ben) == {"type": "host_here"}
                await say(ben, sealed("now"))
                assert await hear(host) == sealed("now", 1)

    with running(stricter(rendezvous=True)) as server:
        asyncio.run(meet(server))
        for _ in range(2_000):
            if not len(server.application.rendezvous):
                break
            time.sleep(0.01)
        assert not len(server.application.rendezvous)


def test_only_the_holder_of_the_secret_is_the_host() -> None:
    async def meet(server: Running) -> None:
        async with join(server) as host, join(server) as thief:
            await say(host, HOST)
            await say(thief, {"type": "host", "secret": OTHER})
            assert await code_at_end(thief) == 4401
            # The host's page was reloaded: the newer socket counts.
            async with join(server) as again, join(server) as guest:
                await say(again, HOST)
                assert await code_at_end(host) == 4409
                await say(guest, GUEST)
                assert await hear(guest) == {"type": "host_here"}
                await say(guest, sealed("offer"))
                assert await hear(again) == sealed("offer", 1)

    with running(stricter(rendezvous=True)) as server:
        asyncio.run(meet(server))


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ({"type": "watch"}, None, 4400),
        ({"type": "host", "secret": "short"}, None, 4400),
        (GUEST, {"type": "sealed", "sealed": "x" * 2_001}, 4400),
        (GUEST, {"type": "sealed", "sealed": "not sealed!"}, 4400),
        (GUEST, GUEST, 4400),
    ],
)
def test_malformed_messages_end_the_connection(
    first: dict[str, Any], second: dict[str, Any] | None, code: int
) -> None:
    async def send(server: Running) -> int | None:
        async with join(server) as socket:
            await say(socket, first)
            if second is not None:
                await say(socket, second)
            return await code_at_end(socket)

    with running(stricter(rendezvous=True)) as server:
        assert asyncio.run(send(server)) == code


def test_number_rate_and_time_are_limited() -> None:
    limits = stricter(
        rendezvous=True, most_rooms=1, most_guests=1, signals=Rate(3, 0.001), hello_seconds=0.3
    )

    async def exceed(server: Running) -> None:
        async with join(server) as silent:
            assert await code_at_end(silent) == 4408
        async with join(server, "!") as nowhere:
            assert await code_at_end(nowhere) == 4400
        async with join(server) as host, join(server) as first, join(server) as second:
            await say(host, HOST)
            await say(first, GUEST)
            assert await hear(first) == {"type": "host_here"}
            await say(second, GUEST)
            assert await code_at_end(second) == 4409
            async with join(server, name_of(OTHER)) as elsewhere:
                await say(elsewhere, GUEST)
                assert await code_at_end(elsewhere) == 4409
            for _ in range(4):
                await say(first, sealed("offer"))
            assert await code_at_end(first) == 4429

    with running(limits) as server:
        asyncio.run(exceed(server))

    async def wait(server: Running) -> int | None:
        async with join(server) as guest:
            await say(guest, GUEST)
            return await code_at_end(guest)

    with running(stricter(rendezvous=True, guest_seconds=0.2)) as server:
        assert asyncio.run(wait(server)) == 4408


def test_a_server_has_no_rendezvous_unless_told_to() -> None:
    async def knock(server: Running) -> None:
        with pytest.raises(InvalidStatus):
            async with join(server):
                raise AssertionError("the socket was accepted")

    with running() as server:
        asyncio.run(knock(server))
