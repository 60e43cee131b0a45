"""Messages arrive however their frames are split or joined on the way."""

import json
import logging
import os
import re
import socket
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.serve.people import make_table
from tests.serve.running import Running, running

TEXT, CONTINUED, BINARY, PING = 0x1, 0x0, 0x2, 0x9
LAST = 0x80


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        yield started


def frame(kind: int, content: bytes, *, last: bool = True) -> bytes:
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
    length = len(content)
    head = bytes([(LAST if last else 0) | kind])
    head += bytes([0x80 | length]) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
    return head + mask + masked


def ping(padding: int = 0) -> bytes:
    """A ping message of any length, which is answered by a pong."""
    return b'{"type":"ping"' + b" " * padding + b"}"


class Raw:
    """A socket after its welcome, read and written as bytes."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._file = connection.makefile("rb")

    def send(self, data: bytes) -> None:
        self._connection.sendall(data)

    def frame(self) -> tuple[int, bytes]:
        first, length = self._file.read(2)
        if length >= 126:
            length = int.from_bytes(self._file.read(2 if length == 126 else 8), "big")
        return first & 15, self._file.read(length)

    def answer(self) -> Any:
        """The next message except pings and presence."""
        while True:
            kind, content = self.frame()
            if kind == TEXT and (message := json.loads(content))["type"] != "presence":
                return message
            assert kind != 0x8, content

    def lines(self) -> None:
        while self._file.readline() != b"\r\n":
            pass


@contextmanager
def raw(server: Running) -> Iterator[Raw]:
    made = make_table(server.http)
    with socket.create_connection(("127.0.0.1", server.port), 60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        here = Raw(connection)
        here.send(
            f"GET /api/tables/{made['table']}/socket HTTP/1.1\r\nHost: testserver\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        here.lines()
        hello = {"type": "hello", "token": made["token"], "protocol": 2}
        here.send(frame(TEXT, json.dumps(hello).encode()))
        assert here.answer()["type"] == "welcome"
        yield here


def test_text_that_is_not_utf8_closes_the_socket_and_is_no_error_of_ours(
    server: Running, caplog: pytest.LogCaptureFixture
) -> None:
    with raw(server) as here:
        here.send(frame(TEXT, b'{"type":"\xff"}'))
        kind, content = here.frame()
        while kind != 0x8:
            kind, content = here.frame()
        assert int.from_bytes(content[:2], "big") == 1007
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_libraries_whose_internals_are_subclassed_have_a_range_of_versions() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))[
        "project"
    ]
    ranges = [text for text in project["dependencies"] if "<" in text]
    assert {re.split("[<>=]", text)[0] for text in ranges} == {"uvicorn", "websockets"}


def test_messages_of_any_length_in_turn(server: Running) -> None:
    with raw(server) as here:
        for padding in (0, 111, 112, 200, 1000):  # lengths up to 125 fit in one byte
            here.send(frame(TEXT, ping(padding)))
            assert here.answer()["type"] == "pong"


def test_several_messages_in_one_packet(server: Running) -> None:
    with raw(server) as here:
        here.send(frame(TEXT, ping()) + frame(PING, b"x") + frame(TEXT, ping(150)))
        assert [here.answer()["type"] for _ in range(2)] == ["pong"] * 2
        here.send(frame(TEXT, ping()))
        assert here.answer()["type"] == "pong"


@pytest.mark.parametrize("cut", [1, 2, 5, 6, 9])
def test_a_frame_in_two_parts_and_the_frames_after_it(server: Running, cut: int) -> None:
    with raw(server) as here:
        whole = frame(TEXT, ping())
        here.send(whole + whole[:cut])
        assert here.answer()["type"] == "pong"  # so the start of the next frame has arrived, too
        here.send(whole[cut:])
        assert here.answer()["type"] == "pong"
        here.send(frame(TEXT, ping()))
        assert here.answer()["type"] == "pong"


def test_a_fragmented_message_with_a_ping_in_between(server: Running) -> None:
    with raw(server) as here:
        text = ping()
        here.send(frame(TEXT, text[:5], last=False))
        here.send(frame(PING, b"still there"))
        kind, content = here.frame()
        while kind != 0xA:
            kind, content = here.frame()
        assert content == b"still there"
        here.send(frame(CONTINUED, text[5:]))
        assert here.answer()["type"] == "pong"


def test_a_message_within_a_fragmented_one_closes_the_socket(server: Running) -> None:
    with raw(server) as here:
        here.send(frame(TEXT, b"{", last=False))
        here.send(frame(TEXT, ping()))
        kind, _ = here.frame()
        while kind == TEXT:
            kind, _ = here.frame()
        assert kind == 0x8


def test_a_binary_message_is_refused_and_the_next_is_answered(server: Running) -> None:
    with raw(server) as here:
        here.send(frame(BINARY, ping()))
        assert here.answer()["type"] == "refused"
        here.send(frame(TEXT, ping()))
        assert here.answer()["type"] == "pong"


def test_invalid_utf_8_closes_the_socket(server: Running) -> None:
    with raw(server) as here:
        here.send(frame(TEXT, b'{"type":"\xff"}'))
        kind, content = here.frame()
        while kind == TEXT:
            kind, content = here.frame()
        assert (kind, content[:2]) == (0x8, (1007).to_bytes(2, "big"))


def test_content_that_looks_like_a_frame_is_not_a_message(server: Running) -> None:
    inner = frame(TEXT, ping())
    content = b"{" + inner
    whole = bytes([LAST | TEXT, 0x80 | len(content), 0, 0, 0, 0]) + content
    with raw(server) as here:
        here.send(frame(TEXT, ping()) + whole[: -1 * len(inner)])
        assert here.answer()["type"] == "pong"
        here.send(inner)
        kind, content = here.frame()
        while kind == TEXT:
            assert json.loads(content)["type"] != "pong"
            kind, content = here.frame()
        assert (kind, content[:2]) == (0x8, (1007).to_bytes(2, "big"))  # not valid UTF-8 as a whole
