"""Idle connections and half-sent requests: deadlines, limits and displacement."""

import asyncio
import errno
import io
import json
import logging
import os
import resource
import socket as sockets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib import request

import pytest

from archipel.serve.admission_control import Admission, AdmissionControl, Phase
from archipel.serve.logs import JsonLines, RepetitionFilter
from archipel.serve.settings import Rate, Settings
from archipel.serve.transport.acceptor import Acceptor
from archipel.serve.transport.listening import most_connections
from archipel.serve.transport.socket_passing import Channels, WorkerGroup
from archipel.serve.transport.table_routing import Heartbeats, shared_memory
from tests.serve.people import Person, make_table
from tests.serve.running import Running, running, stricter

ROOT = Path(__file__).parents[2]
BODY = json.dumps({"game": "deep-sea", "seats": [{}, {}], "my_name": "Ana"}).encode()


def head(port: int, method: str = "GET", path: str = "/health", more: str = "") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n".encode()


def post_head(port: int) -> bytes:
    more = f"Content-Type: application/json\r\nContent-Length: {len(BODY)}\r\n"
    return head(port, "POST", "/api/tables", more)


@contextmanager
def connections_sending(server: Running, *said: bytes) -> Iterator[list[sockets.socket]]:
    """Open connections that have sent these bytes and nothing more."""
    with ExitStack() as stack:
        opened = []
        for words in said:
            raw = stack.enter_context(
                closing(sockets.create_connection(("127.0.0.1", server.port)))
            )
            raw.settimeout(30)
            raw.sendall(words)
            opened.append(raw)
        yield opened


def read_to_end(raw: sockets.socket) -> bytes:
    read = b""
    try:
        while piece := raw.recv(65_536):
            read += piece
    except ConnectionResetError:
        pass
    return read


def _wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "the condition never became true"
        time.sleep(0.01)


@contextmanager
def first_of_two_workers() -> Iterator[WorkerGroup]:
    """The first of two workers that pass sockets; the second never starts."""
    memory = shared_memory(2)
    with closing(Channels.make(2)) as channels:
        yield WorkerGroup(1, channels, Heartbeats(memory, 2))
    os.close(memory)


@pytest.fixture(params=["alone", "with workers"])
def workers(request: pytest.FixtureRequest) -> Iterator[WorkerGroup | None]:
    if request.param == "alone":
        yield None
    else:
        with first_of_two_workers() as made:
            yield made


def test_silent_and_half_sent_requests_are_cut_off(workers: WorkerGroup | None) -> None:
    impatient = stricter(head_seconds=0.2, body_seconds=0.3, idle_seconds=1, answer_seconds=30)
    with running(impatient, workers=workers) as server:
        half_a_head = head(server.port)[:-10]
        half_a_body = post_head(server.port) + BODY[:10]
        second_head = head(server.port) + half_a_head
        said = (b"", half_a_head, half_a_body, second_head, head(server.port))
        with connections_sending(server, *said) as (silent, cut_head, cut_body, pipelined, idle):
            assert read_to_end(silent) == b""
            assert read_to_end(cut_head) == b""
            assert read_to_end(cut_body) == b""
            assert read_to_end(pipelined).count(b"200 OK") == 1
            assert read_to_end(idle).count(b"200 OK") == 1
        assert len(server.server.admission_control) == 0
        metrics = server.application.metrics.text()
    assert 'connections_cut_off_total{why="head"} 3' in metrics
    assert 'connections_cut_off_total{why="body"} 1' in metrics
    assert "errors_total" not in "".join(
        line for line in metrics.splitlines() if not line.startswith("#")
    )


def test_a_slow_request_does_not_extend_its_deadline(workers: WorkerGroup | None) -> None:
    with (
        running(stricter(head_seconds=0.4), workers=workers) as server,
        connections_sending(server, b"GET /health HTTP/1.1\r\n") as (slow,),
        pytest.raises(ConnectionError),
    ):
        _drip(slow)


def _drip(slow: sockets.socket) -> None:
    """Send single bytes for a while; raises when the server drops the connection."""
    slow.settimeout(0.05)
    for _ in range(400):
        slow.sendall(b"X")
        try:
            if slow.recv(100) == b"":
                raise ConnectionResetError
        except TimeoutError:
            continue


def test_a_client_that_does_not_read_is_cut_off() -> None:
    """The client sends requests but reads no response."""
    with running(stricter(answer_seconds=0.3, idle_seconds=60)) as server:
        server.listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)
        raw = sockets.socket()
        with closing(raw):
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            raw.connect(("127.0.0.1", server.port))
            with suppress(ConnectionError):
                raw.sendall(head(server.port, path="/api/openapi.json") * 30)
            _wait_until(lambda: 'why="answer"' in server.application.metrics.text())
            assert not len(server.server.admission_control)


async def test_idle_connections_are_displaced_and_sockets_are_not(
    workers: WorkerGroup | None,
) -> None:
    strict = stricter(connections_per_address=5, head_seconds=60)
    with running(strict, workers=workers) as server:
        admission_control = server.server.admission_control
        made = make_table(server.http, seats=[{}, {"bot": "random"}], begin=True)
        async with Person(server.socket_of(made["table"]), made["token"]) as ana:
            with connections_sending(server, *[b""] * 12) as opened:
                await asyncio.to_thread(
                    _wait_until, lambda: admission_control.count("127.0.0.1") == 5
                )
                # The oldest were cut off to admit later ones; requests are still served.
                assert await asyncio.to_thread(read_to_end, opened[0]) == b""
                with await asyncio.to_thread(request.urlopen, f"{server.http}/health") as answer:
                    assert answer.status == 200
                assert admission_control.count("127.0.0.1") <= 5
                assert (await ana.ask("say", phrase="hello"))["type"] == "done"


def test_a_silent_connection_does_not_delay_the_shutdown(workers: WorkerGroup | None) -> None:
    with running(stricter(head_seconds=600), workers=workers) as server:
        silent = sockets.create_connection(("127.0.0.1", server.port))
        _wait_until(lambda: len(server.server.admission_control) == 1)
    with closing(silent):
        silent.settimeout(30)
        assert read_to_end(silent) == b""
    assert len(server.server.admission_control) == 0


def test_idle_connections_are_displaced_before_half_sent_requests() -> None:
    admission_control = AdmissionControl(Settings(connections_per_address=3), most=100)
    cut: list[str] = []

    def enter(name: str, phase: Phase) -> None:
        admission = admission_control.enter("192.0.2.1")
        assert admission is not None
        admission.cut_off = lambda: cut.append(name)
        admission.enters(phase)

    enter("half", Phase.BODY)
    enter("silent", Phase.HEAD)
    enter("player", Phase.SOCKET)
    enter("answered", Phase.ANSWER)
    assert cut == ["silent"]
    enter("another player", Phase.SOCKET)
    assert cut == ["silent", "half"]
    assert admission_control.enter("192.0.2.1") is None
    assert admission_control.enter("192.0.2.2") is not None


def test_one_address_gets_at_most_half_of_all_connections() -> None:
    admission_control = AdmissionControl(Settings(connections_per_address=400), most=10)
    for _ in range(5):
        admission = admission_control.enter("192.0.2.1")
        assert admission is not None
        admission.enters(Phase.SOCKET)
    assert admission_control.enter("192.0.2.1") is None
    assert admission_control.enter("192.0.2.2") is not None


async def test_sockets_are_connections_too(workers: WorkerGroup | None) -> None:
    with running(stricter(connections_per_address=2), workers=workers) as server:
        address = server.socket_of(make_table(server.http)["table"])
        async with Person(address), Person(address):
            with connections_sending(server, head(server.port)) as (refused,):
                assert await asyncio.to_thread(read_to_end, refused) == b""
        await asyncio.to_thread(_wait_until, lambda: not len(server.server.admission_control))
        with connections_sending(server, head(server.port, more="Connection: close\r\n")) as (
            let_in,
        ):
            assert b"200 OK" in await asyncio.to_thread(read_to_end, let_in)


class ManualClock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_proxy_has_no_limit_per_address() -> None:
    settings = Settings(connections_per_address=2, trusted_proxies=("10.0.0.0/8",))
    admission_control = AdmissionControl(settings, most=4)
    assert admission_control.count("10.0.0.1") == 0
    through_proxy = [admission_control.enter("10.0.0.1") for _ in range(4)]
    assert all(through_proxy)
    for admission in through_proxy:
        assert admission is not None
        admission.enters(Phase.SOCKET)
    assert admission_control.enter("192.0.2.1") is None
    assert through_proxy[0] is not None
    through_proxy[0].leave()
    through_proxy[0].leave()
    assert admission_control.enter("192.0.2.1") is not None
    assert len(admission_control) == 4


@pytest.mark.parametrize(
    ("limit", "connections"),
    [(256, 156), (64, 32), (100_000, 8_000), (resource.RLIM_INFINITY, 8_000)],
)
def test_some_descriptors_are_reserved(
    monkeypatch: pytest.MonkeyPatch, limit: int, connections: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (limit, limit))
    assert most_connections(8_000) == connections


class Exhausted(sockets.socket):
    """A listener whose first accept fails for lack of descriptors."""

    failures = 1

    def accept(self) -> tuple[sockets.socket, Any]:
        if self.failures:
            self.failures -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


async def test_without_a_free_descriptor_one_connection_is_refused() -> None:
    listener = Exhausted()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    listener.setblocking(False)
    admission_control = AdmissionControl(Settings(), most=10)
    waiting = admission_control.enter("192.0.2.1")
    came: asyncio.Queue[Admission] = asyncio.Queue()

    def serve(connection: sockets.socket, admission: Admission) -> None:
        came.put_nowait(admission)
        connection.close()

    acceptor = Acceptor(listener, admission_control, serve)
    address = listener.getsockname()
    with closing(listener):
        first, _ = await asyncio.open_connection(*address)
        async with asyncio.timeout(30):
            assert await first.read() == b""
        assert waiting is not None
        assert admission_control.count("192.0.2.1") == 0, "no idle connection was displaced"
        _, second = await asyncio.open_connection(*address)
        assert (await came.get()).address == "127.0.0.1"
        second.close()
        acceptor.close()
        await acceptor.wait_closed()


@pytest.mark.skipif(sys.platform == "win32", reason="a limit of POSIX systems")
def test_a_server_with_few_descriptors_stays_reachable(tmp_path: Path) -> None:
    """Silent connections from many addresses, more than the system has descriptors for."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.serve.server_process", str(tmp_path / "tables.db"), "0"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        port = int(process.stdout.readline())
        with ExitStack() as stack:
            for number in range(150):
                raw = stack.enter_context(closing(sockets.socket()))
                raw.bind((f"127.0.0.{1 + number % 50}", 0))
                raw.connect(("127.0.0.1", port))
            with request.urlopen(f"http://127.0.0.1:{port}/health", timeout=30) as answer:
                assert answer.status == 200
            made = make_table(f"http://127.0.0.1:{port}")
            assert made["token"]
    finally:
        process.terminate()
        _, complaints = process.communicate(timeout=30)
    lines = complaints.decode().splitlines()
    assert len(lines) < 50
    for line in lines:
        json.loads(line)


def test_repeated_errors_of_the_event_loop_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    handler.addFilter(RepetitionFilter(Rate(burst=2, per_second=1), clock))
    logger = logging.getLogger("asyncio")
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "level", logging.INFO)
    monkeypatch.setattr(logger, "propagate", False)
    logger.addHandler(handler)
    for _ in range(100):
        logger.error("Task exception was never retrieved\nfuture: <Task exception='Zebulon'>")
    logger.info("noted")
    clock.now += 1
    logger.error("Task exception was never retrieved\nfuture: <another>")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in lines] == [
        *["Task exception was never retrieved"] * 2,
        "noted",
        "Task exception was never retrieved",
    ]
    assert lines[-1]["left_out_before"] == 98
    assert "Zebulon" not in stream.getvalue()


@pytest.mark.soak
def test_moves_during_an_attack_with_idle_connections() -> None:
    """One address opens as many connections as it can while a player at it moves."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)

    async def play(server: Running, attack: list[bytes]) -> list[float]:
        took: list[float] = []
        flood = asyncio.create_task(asyncio.to_thread(_open_all, server, attack))
        while not flood.done() or len(took) < 200:
            made = make_table(server.http, seats=[{}, {"bot": "random"}], begin=True)
            async with Person(server.socket_of(made["table"]), made["token"]) as ana:
                while not ana.is_over and not (flood.done() and len(took) >= 200):
                    if not ana.choices or ana.position is None:
                        await ana.next()
                        continue
                    n, action = ana.position["n"], ana.choices[0]
                    started = time.perf_counter()
                    answer = await ana.ask("play", n=n, action=action)
                    took.append(time.perf_counter() - started)
                    assert answer["type"] == "done"
                    while ana.after < answer["n"]:
                        await ana.next()
        opened = await flood
        print(f"\n{len(server.server.admission_control)} of {len(attack)} connections left open")
        for raw in opened:
            raw.close()
        return took

    plenty = Rate(1e9, 1e9)
    with running(Settings(messages=plenty, tables=plenty)) as server:
        half = [head(server.port)[:-10], post_head(server.port) + BODY[:10]]
        took = sorted(asyncio.run(play(server, [b""] * 1000 + half * 150)))
    print(
        f"{len(took)} moves during the attack: median {1000 * took[len(took) // 2]:.1f} ms,"
        f" 99th of 100 {1000 * took[int(len(took) * 0.99)]:.1f} ms, worst {1000 * took[-1]:.1f} ms"
    )
    assert took[int(len(took) * 0.99)] < 0.1


def _open_all(server: Running, said: list[bytes]) -> list[sockets.socket]:
    opened = []
    for words in said:
        raw = sockets.create_connection(("127.0.0.1", server.port))
        try:
            raw.sendall(words)
        except ConnectionError:
            raw.close()
            continue
        opened.append(raw)
    return opened
