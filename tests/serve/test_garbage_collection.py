"""Infrequent garbage collection while a server runs, and connections that need none."""

import gc
import json
import time
from collections.abc import Iterator

import pytest
from websockets.server import ServerProtocol

from archipel.serve.api.connection import Connection
from archipel.serve.garbage_collection import infrequent_collection
from archipel.serve.transport.protocols import HttpProtocol, SocketProtocol
from archipel.tables import Subscription
from tests.serve.running import running
from tests.serve.test_websocket_frames import LAST, PING, TEXT, frame, ping, raw

CLOSE, RESERVED = 0x8, 0x3


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    """Unfreeze the objects of the test process for one test."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.mark.usefixtures("nothing_frozen")
def test_objects_are_frozen_and_unfrozen() -> None:
    before = gc.get_threshold()
    with infrequent_collection():
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == before


@pytest.mark.usefixtures("nothing_frozen")
def test_objects_frozen_before_stay_frozen() -> None:
    gc.freeze()
    with infrequent_collection():
        pass
    assert gc.get_freeze_count() > 0


@pytest.fixture
def no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def what_is_left() -> list[str]:
    """The connections in memory, by the names of their parts."""
    parts = (HttpProtocol, SocketProtocol, ServerProtocol, Connection, Subscription)
    return sorted(type(each).__name__ for each in gc.get_objects() if isinstance(each, parts))


@pytest.mark.usefixtures("no_collection")
def test_connections_leave_no_cycles_however_they_end() -> None:
    whole = frame(TEXT, ping())
    before = what_is_left()  # by earlier tests
    with running() as server:
        for last in (
            b"",
            whole,
            whole[:3],
            frame(CLOSE, b"\x03\xe8"),
            frame(RESERVED, b""),
            frame(TEXT, b"\xff"),
            frame(TEXT, b"x" * 60_000),
            frame(TEXT, json.dumps({"type": "begin", "id": "refused"}).encode()),
            frame(PING, b"", last=False),
            bytes([LAST | TEXT, 1]) + b"x",
        ):
            with raw(server) as here:
                assert what_is_left().count("Connection") > before.count("Connection")
                here.send(last)
            del here  # closes the socket
            deadline = time.monotonic() + 20
            while (left := what_is_left()) != before and time.monotonic() < deadline:
                time.sleep(0.01)
            assert left == before, last[:20]
