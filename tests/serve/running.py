"""A real server on a free port, in a thread of the test process."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from archipel.rules.all_games import game_named
from archipel.serve.application import Application
from archipel.serve.engine_files import EngineFiles
from archipel.serve.settings import Rate, Settings
from archipel.serve.static_files import ClientFiles, DocumentFiles, load_client
from archipel.serve.transport.listening import LOOPBACK, listen
from archipel.serve.transport.socket_passing import WorkerGroup
from archipel.serve.transport.web_server import WebServer
from archipel.store.protocol import EventStore
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import Settings as TableSettings
from archipel.tables import TableService
from tests.support.memory_store import MemoryStore
from tests.tables.people import FunctionBots

#: Limits that no test reaches by accident.
UNLIMITED = Rate(1e9, 1e9)
NO_LIMITS: dict[str, Any] = {
    "messages": UNLIMITED,
    "requests": UNLIMITED,
    "tables": UNLIMITED,
    "joins": UNLIMITED,
    "hellos": UNLIMITED,
    "profiles": UNLIMITED,
    "proofs": UNLIMITED,
    "all_messages": UNLIMITED,
    "frames": UNLIMITED,
    "all_frames": UNLIMITED,
    "connections_per_address": 100_000,
    "sockets_per_address": 100_000,
}
RELAXED = Settings(hosts=("testserver",), **NO_LIMITS)
#: A busy machine must not look like overload.
QUICK_BOTS = TableSettings(bot_delay=0, late=10**9, too_late=10**9)


@dataclass(frozen=True)
class Running:
    """A running server and its port."""

    port: int
    application: Application
    server: WebServer
    listener: socket.socket

    @property
    def http(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def websocket(self) -> str:
        return f"ws://{LOOPBACK}:{self.port}"

    def socket_of(self, table: str) -> str:
        return f"{self.websocket}/api/tables/{table}/socket"


def make_application(
    settings: Settings = RELAXED,
    *,
    store: EventStore | None = None,
    client: ClientFiles | None = None,
    tables: TableSettings = QUICK_BOTS,
    elsewhere: Sequence[str] = (),
    documents: DocumentFiles | None = None,
    engines: EngineFiles | None = None,
) -> Application:
    store = store or MemoryStore()
    client = client or load_client(Path("/nowhere"))
    service = TableService(
        store, settings=tables, bot_executor=FunctionBots(_choose), bots_of=_bots_of
    )
    return Application(
        store, settings, client, service, _bots_of, lambda: elsewhere, documents, engines=engines
    )


def _choose(game: str, bot: str, view: object, legal: Sequence[int], seed: int) -> int:
    """A bot that needs no compilation."""
    return legal[seed % len(legal)]


def _bots_of(game: str) -> tuple[str, ...]:
    game_named(game)
    return ("random",)


@contextmanager
def running(
    settings: Settings = RELAXED,
    *,
    database: Path | None = None,
    tables: TableSettings = QUICK_BOTS,
    workers: WorkerGroup | None = None,
) -> Iterator[Running]:
    """Start a server, and shut it down at the end."""
    store = SqliteStore(database) if database else None
    application = make_application(settings, store=store, tables=tables)
    listener = listen(LOOPBACK, 0)
    server = WebServer(application, settings, application.drain, application.metrics, workers)
    started = threading.Event()
    server.when_started = started.set
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        assert started.wait(20), "the server did not start"
        yield Running(int(listener.getsockname()[1]), application, server, listener)
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive(), "the server did not stop"


def stricter(**changes: object) -> Settings:
    return replace(RELAXED, **changes)  # type: ignore[arg-type]
