"""Socket passing between two workers, with real sockets and a manual clock."""

import asyncio
import gc
import os
import resource
import select
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field

import pytest

from archipel.serve.admission_control import Admission, AdmissionControl, Phase
from archipel.serve.metrics import Metrics
from archipel.serve.settings import Settings
from archipel.serve.transport.socket_passing import Channels, SocketPassing, WorkerGroup
from archipel.serve.transport.table_routing import (
    SILENCE_SECONDS,
    Heartbeats,
    shared_memory,
    worker_of,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="workers need a POSIX system")

#: Tables of worker 1 and of worker 2, if both are alive.
FIRST, SECOND = (
    next(name for name in map("a-table-{}".format, range(99)) if worker_of(name, (1, 2)) == worker)
    for worker in (1, 2)
)


def head(table: str) -> bytes:
    return f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


class ManualClock:
    """A clock that the test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Worker:
    """One of two workers in this process, which records the connections to serve."""

    number: int
    channels: Channels
    heartbeats: Heartbeats
    clock: ManualClock
    settings: Settings = field(default_factory=Settings)
    served: list[tuple[socket.socket, Admission]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.has_more = asyncio.Event()
        self.metrics = Metrics()
        self.admission_control = AdmissionControl(
            self.settings, most=100, metrics=self.metrics, clock=self.clock
        )

    def start(self) -> None:
        workers = WorkerGroup(self.number, self.channels, self.heartbeats)
        self.socket_passing = SocketPassing(
            workers, self.admission_control, self._serve, self.metrics
        )

    def _serve(self, connection: socket.socket, admission: Admission) -> None:
        self.served.append((connection, admission))
        self.has_more.set()

    def accept(self, listener: socket.socket, *, silent: bool = False) -> socket.socket:
        """Accept as `Acceptor` does, after the first bytes have arrived unless ``silent``."""
        connection, peer = listener.accept()
        connection.setblocking(False)
        if not silent:
            assert select.select([connection], [], [], 60)[0]
        admission = self.admission_control.enter(peer[0])
        assert admission is not None
        self.socket_passing.route(connection, admission)
        return connection

    async def take(self) -> None:
        """Wait until the worker has another connection to serve."""
        self.has_more.clear()
        async with asyncio.timeout(60):
            await self.has_more.wait()

    def counted(self, name: str) -> int:
        lines = self.metrics.text().splitlines()
        (value,) = [line.split()[1] for line in lines if line.startswith(f"{name} ")] or ["0"]
        return int(value)


@dataclass
class Two:
    """Two workers on one port."""

    one: Worker
    two: Worker
    listener: socket.socket
    clock: ManualClock

    def connect(self, sent: bytes = b"") -> socket.socket:
        client = socket.create_connection(self.listener.getsockname())
        client.settimeout(60)
        client.sendall(sent)
        return client


@contextmanager
def two_workers(settings: Settings) -> Iterator[Two]:
    channels, memory, clock = Channels.make(2), shared_memory(2), ManualClock()
    heartbeats = Heartbeats(memory, 2, clock)
    os.close(memory)
    one = Worker(1, channels, heartbeats, clock, settings)
    two = Worker(2, channels, heartbeats, clock, settings)
    listener = socket.create_server(("127.0.0.1", 0))
    try:
        yield Two(one, two, listener, clock)
    finally:
        listener.close()
        for worker in (one, two):
            for connection, _ in worker.served:
                connection.close()
        channels.close()


@asynccontextmanager
async def running_workers(settings: Settings | None = None) -> AsyncIterator[Two]:
    with two_workers(settings or Settings()) as two:
        two.one.start()
        two.two.start()
        yield two
        for worker in (two.one, two.two):
            worker.socket_passing.close()


def open_descriptors() -> int:
    return len(os.listdir("/dev/fd"))


@pytest.fixture(params=["asyncio", "uvloop"])
def loop_factory(request: pytest.FixtureRequest) -> object:
    return None if request.param == "asyncio" else pytest.importorskip("uvloop").new_event_loop


LOOPS = pytest.mark.usefixtures("loop_factory")


@LOOPS
async def test_a_connection_is_passed_to_the_worker_of_its_table() -> None:
    async with running_workers() as two:
        with closing(two.connect(head(SECOND))) as client:
            accepted = two.one.accept(two.listener)
            await two.two.take()
            assert two.one.served == []
            assert len(two.one.admission_control) == 0
            assert accepted.fileno() == -1, "the sender's descriptor is still open"
            ((connection, admission),) = two.two.served
            assert connection.getpeername() == client.getsockname()
            assert admission.address == "127.0.0.1"
            assert two.two.admission_control.count("127.0.0.1") == 1
            assert connection.recv(10_000) == head(SECOND)
            connection.sendall(b"good day")
            assert client.recv(100) == b"good day"
            assert two.one.counted("archipel_connections_handed_over_total") == 1
            assert two.two.counted("archipel_connections_taken_over_total") == 1


async def test_own_tables_and_everything_else_stay_where_they_were_accepted() -> None:
    async with running_workers() as two:
        for said in (head(FIRST), b"GET / HTTP/1.1\r\n\r\n", b"nonsense", head(SECOND)[:20]):
            with closing(two.connect(said)):
                accepted = two.one.accept(two.listener)
                ((connection, admission),) = two.one.served
                assert connection is accepted
                assert connection.recv(10_000) == said
                connection.close()
                admission.leave()
                two.one.served.clear()
        assert two.one.counted("archipel_connections_handed_over_total") == 0
        assert two.two.served == []


@LOOPS
async def test_who_says_nothing_is_waited_for_and_gains_no_time_by_it() -> None:
    async with running_workers() as two:
        with closing(two.connect()) as client:
            two.one.accept(two.listener, silent=True)
            assert two.one.served == []
            assert len(two.one.admission_control) == 1
            until = two.clock.now + Settings().head_seconds
            two.clock.now += 9
            for worker in (two.one, two.two):
                worker.socket_passing.tick()
            client.sendall(head(SECOND))
            await two.two.take()
            ((_, admission),) = two.two.served
            assert admission.phase is Phase.HEAD
            assert admission.deadline == until
            two.clock.now = until
            two.two.admission_control.sweep()
            assert two.two.counted('archipel_connections_cut_off_total{why="head"}') == 1


@LOOPS
async def test_who_goes_on_saying_nothing_is_cut_off() -> None:
    async with running_workers() as two:
        with closing(two.connect()) as client:
            accepted = two.one.accept(two.listener, silent=True)
            two.clock.now += Settings().head_seconds
            two.one.admission_control.sweep()
            assert accepted.fileno() == -1
            assert client.recv(1) == b""
            assert len(two.one.admission_control) == 0
            assert two.one.counted('archipel_connections_cut_off_total{why="head"}') == 1


async def test_those_who_say_nothing_are_limited_and_give_way() -> None:
    async with running_workers(Settings(connections_per_address=3)) as two:
        clients = [two.connect() for _ in range(5)]
        accepted = [two.one.accept(two.listener, silent=True) for _ in clients]
        assert len(two.one.admission_control) == 3
        assert [each.fileno() == -1 for each in accepted] == [True, True, False, False, False]
        for client in clients:
            client.close()


async def test_limits_hold_where_a_connection_is_passed_to() -> None:
    async with running_workers(Settings(connections_per_address=2)) as two:
        for _ in range(2):
            admission = two.two.admission_control.enter("127.0.0.1")
            assert admission is not None
            admission.enters(Phase.SOCKET)
        with closing(two.connect(head(SECOND))) as client:
            two.one.accept(two.listener)
            assert await asyncio.to_thread(_read, client) == b""
            assert two.two.served == []
            assert two.two.admission_control.count("127.0.0.1") == 2
            assert two.two.counted('archipel_connections_cut_off_total{why="too_many"}') == 1


async def test_a_proxy_may_still_have_as_many_as_it_wants() -> None:
    async with running_workers(
        Settings(connections_per_address=2, trusted_proxies=("127.0.0.1",))
    ) as two:
        clients = [two.connect(head(SECOND)) for _ in range(5)]
        for count in range(1, 6):
            two.one.accept(two.listener)
            while len(two.two.served) < count:
                await two.two.take()
        assert two.two.admission_control.count("127.0.0.1") == 5
        for client in clients:
            client.close()


def _read(client: socket.socket) -> bytes:
    try:
        return client.recv(100)
    except ConnectionResetError:
        return b""


async def test_if_the_channel_is_full_the_accepting_worker_serves() -> None:
    async with running_workers() as two:
        # The second worker receives nothing.
        two.two.socket_passing.close()
        clients = [two.connect(head(SECOND)) for _ in range(3)]
        two.one.accept(two.listener)
        waiting = 1
        spare, _ = socket.socketpair()
        with closing(spare), closing(_):
            while two.one.channels.send(2, spare, 0.0):
                waiting += 1
        accepted = two.one.accept(two.listener)
        assert [connection for connection, _ in two.one.served] == [accepted]
        assert len(two.one.admission_control) == 1
        # With room again, connections are passed as before.
        for _ in range(waiting):
            passed = two.one.channels.receive(2)
            assert passed is not None
            assert passed.connection is not None
            passed.connection.close()
        assert two.one.accept(two.listener).fileno() == -1
        for client in clients:
            client.close()


async def test_a_worker_without_heartbeat_gets_no_connection() -> None:
    async with running_workers() as two:
        two.clock.now += SILENCE_SECONDS
        two.one.socket_passing.tick()
        with closing(two.connect(head(SECOND))):
            accepted = two.one.accept(two.listener)
            assert [connection for connection, _ in two.one.served] == [accepted]
        # Its heartbeat returns.
        two.two.socket_passing.tick()
        with closing(two.connect(head(SECOND))):
            two.one.accept(two.listener)
            await two.two.take()


async def test_a_worker_that_never_started_gets_no_connection() -> None:
    with two_workers(Settings()) as two:
        two.one.start()
        with closing(two.connect(head(SECOND))):
            two.one.accept(two.listener)
            assert len(two.one.served) == 1
        two.one.socket_passing.close()


async def test_connections_of_a_dead_worker_are_served_by_another() -> None:
    async with running_workers() as two:
        # As if its process had ended.
        two.two.socket_passing.close()
        with closing(two.connect(head(SECOND))) as client:
            two.one.accept(two.listener)
            deadline = two.clock.now + Settings().head_seconds
            two.one.socket_passing.tick()
            assert two.one.served == [], "the worker may only be busy"
            two.clock.now += SILENCE_SECONDS
            two.one.socket_passing.tick()
            ((connection, admission),) = two.one.served
            assert connection.getpeername() == client.getsockname()
            assert admission.deadline == deadline


@LOOPS
async def test_a_stopping_worker_closes_silent_connections_only() -> None:
    async with running_workers() as two:
        with closing(two.connect()) as silent, closing(two.connect(head(SECOND))) as client:
            two.two.accept(two.listener, silent=True)
            two.two.socket_passing.close()
            assert silent.recv(1) == b""
            assert len(two.two.admission_control) == 0
            two.one.accept(two.listener)
            # Its successor has the same number.
            successor = Worker(2, two.two.channels, two.two.heartbeats, two.clock)
            successor.start()
            await successor.take()
            ((connection, _),) = successor.served
            assert connection.getpeername() == client.getsockname()
            connection.close()
            assert two.two.served == []
            successor.socket_passing.close()


@LOOPS
async def test_a_worker_and_its_successor_share_a_channel() -> None:
    """During a rolling restart no connection is lost or served twice."""
    async with running_workers() as two:
        successor = Worker(2, two.two.channels, two.two.heartbeats, two.clock)
        other = Channels.inherited([os.dup(each) for each in two.two.channels.descriptors])
        successor.channels = other
        successor.start()
        clients = [two.connect(head(SECOND)) for _ in range(20)]
        for _ in clients:
            two.one.accept(two.listener)
        successor.has_more = two.two.has_more
        while len(two.two.served) + len(successor.served) < len(clients):
            await successor.take()
        peers = {each.getpeername() for each, _ in (*two.two.served, *successor.served)}
        assert peers == {client.getsockname() for client in clients}
        successor.socket_passing.close()
        other.close()
        for connection in (*clients, *(each for each, _ in successor.served)):
            connection.close()


async def test_a_closed_connection_leaves_no_admission() -> None:
    async with running_workers() as two:
        for said in (b"", head(SECOND)):
            client = two.connect(said)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            client.close()  # sends a reset
            with suppress(OSError):  # some systems report it at once
                two.one.accept(two.listener)
        two.two.socket_passing.close()
        while two.two.socket_passing._receive_from(2):
            pass
        for connection, admission in (*two.one.served, *two.two.served):
            connection.close()
            admission.leave()
        assert len(two.one.admission_control) == len(two.two.admission_control) == 0


@LOOPS
async def test_no_descriptor_leaks() -> None:
    async with running_workers() as two:
        gc.collect()  # objects of other tests
        before = open_descriptors()
        for _ in range(30):
            with closing(two.connect()) as silent, closing(two.connect(head(SECOND))):
                two.one.accept(two.listener, silent=True)
                two.one.accept(two.listener)
                await two.two.take()
                silent.sendall(head(SECOND))
                await two.two.take()
            for connection, admission in two.two.served:
                connection.close()
                admission.leave()
            two.two.served.clear()
        assert open_descriptors() == before
        assert len(two.one.admission_control) == len(two.two.admission_control) == 0


async def test_without_a_free_descriptor_an_idle_connection_is_displaced() -> None:
    async with running_workers() as two:
        two.two.socket_passing.close()
        waiting = two.two.admission_control.enter("192.0.2.1")
        assert waiting is not None
        with closing(two.connect(head(SECOND))) as client:
            two.one.accept(two.listener)
            probe = os.dup(0)
            os.close(probe)
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (probe, hard))
            try:
                assert two.two.socket_passing._receive_from(2)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            assert two.two.served == []
            assert len(two.two.admission_control) == 0
            assert await asyncio.to_thread(_read, client) == b""


def test_inherited_channels() -> None:
    with closing(Channels.make(2)) as made:
        copies = [os.dup(each) for each in made.descriptors]
        with closing(Channels.inherited(copies)) as inherited:
            left, right = socket.socketpair()
            with closing(left), closing(right):
                assert made.send(2, left, 12.5)
                assert inherited.receive(1) is None
                passed = inherited.receive(2)
                assert passed is not None
                assert passed.connection is not None
                assert passed.deadline == 12.5
                assert not passed.connection.get_inheritable()
                right.sendall(b"hello")
                assert passed.connection.recv(10) == b"hello"
                passed.connection.close()


def test_heartbeats_are_visible_to_all_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        memory, clock = shared_memory(2), ManualClock()
        mine, theirs = Heartbeats(memory, 2, clock), Heartbeats(os.dup(memory), 2, clock)
        os.close(memory)
        assert not theirs.is_alive(1)
        mine.beat(1)
        assert theirs.is_alive(1)
        assert not theirs.is_alive(2)
        clock.now += SILENCE_SECONDS
        assert not theirs.is_alive(1)
        # Once more, as on systems without memfd_create.
        monkeypatch.delattr(os, "memfd_create", raising=False)
