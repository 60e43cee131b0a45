"""Start a server, announce its addresses, and run it until it is stopped."""

import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from archipel.rules.catalogue import Catalogue
from archipel.serve.announcement import Page
from archipel.serve.client_build import SKIP, BuildFailed, ClientBuild, find_node
from archipel.serve.cluster_worker import Part, bot_pool, serve_cluster, web_server
from archipel.serve.deadline import end_in_time
from archipel.serve.engine_files import EngineFiles
from archipel.serve.logs import set_up_logging
from archipel.serve.settings import Settings
from archipel.serve.static_files import load_client
from archipel.serve.supervisor import Supervisor
from archipel.serve.transport.listening import (
    EVERYWHERE,
    LOOPBACK,
    CannotListen,
    allow_many_sockets,
    listen,
)
from archipel.store.errors import FileExists, StoreError
from archipel.store.postgresql.connections import without_password
from archipel.store.sqlite.backup import accept_offer, forget_offers, put_accepted_in_place
from archipel.store.sqlite.store import SqliteStore


@dataclass(frozen=True, kw_only=True)
class Start:
    """Options of a start. None: the default of this machine."""

    host: str | None = None
    port: int | None = None
    database: Path | str | None = None
    local: bool = False
    open_browser: bool | None = None
    log_level: str | None = None
    settings: Settings = field(default_factory=Settings)
    # With PostgreSQL: whether this process runs bots and clocks, the number of workers, the command
    # line for them, and the part of this worker.
    keeps: bool = True
    workers: int = 1
    arguments: Sequence[str] = ()
    part: Part | None = None


class CannotStart(Exception):
    """The server could not start; the message is one line for the user."""


def serve(start: Start, words: Catalogue) -> int:
    """Serve until a signal stops the server; returns the exit status. Raises `CannotStart`."""
    set_up_logging(start.log_level or ("warning" if sys.stderr.isatty() else "info"))
    if isinstance(start.database, str):
        return _serve_shared(start, start.database, words)
    _build_client(words)
    database = (start.database or default_database()).absolute()
    try:
        make_folder_of(database)
        store = SqliteStore(database)
    except (StoreError, OSError) as error:
        raise CannotStart(explain(error, words)) from error
    try:
        listener = _listen(start, words)
    except CannotStart:
        store.close_now()
        raise
    if store.damage is not None:
        print(words.say("serve.damaged", path=database, detail=store.damage), file=sys.stderr)
        logging.getLogger("archipel.serve").warning("the database is damaged: see archipel salvage")
    with listener:
        return _Serving(start, database, listener, words).run(store)


def _host(start: Start) -> str:
    return start.host or (LOOPBACK if start.local else EVERYWHERE)


def _listen(start: Start, words: Catalogue) -> socket.socket:
    try:
        listener = listen(_host(start), start.port)
    except CannotListen as error:
        raise CannotStart(words.say(error.key, **error.details)) from error
    allow_many_sockets(start.settings.most_connections + 1_000)
    return listener


def _page(start: Start, listener: socket.socket, database: str, words: Catalogue) -> Page:
    client, browser = load_client(), start.open_browser
    return Page(_host(start), listener, database, client, words, open_browser=browser)


def _serve_shared(start: Start, address: str, words: Catalogue) -> int:
    """Serve a PostgreSQL database: alone, as a supervisor, or as one of its workers."""
    part = start.part
    if part is None:
        _build_client(words)
        listener = _listen(start, words)
    else:
        listener = socket.socket(fileno=part.listener)
        listener.setblocking(False)
        allow_many_sockets(start.settings.most_connections + 1_000)
    with listener:
        page = _page(start, listener, without_password(address), words)
        if start.workers > 1 and part is None:
            status = Supervisor(start.workers, listener, start.arguments, page.announce).run()
            if status:
                raise CannotStart(words.say("serve.cannot_start_workers"))
            return status
        try:
            return serve_cluster(
                address, start.settings, page, listener, keeps=start.keeps, part=part
            )
        except StoreError as error:
            raise CannotStart(explain(error, words)) from error


class _Serving:
    """A server on one SQLite database.

    To restore a backup while it runs, it stops, replaces the database and starts again: sockets are
    closed as at any shutdown, browsers reconnect, and new connections wait in the listen queue.
    """

    def __init__(
        self, start: Start, database: Path, listener: socket.socket, words: Catalogue
    ) -> None:
        self._settings = start.settings
        self._database = database
        self._listener = listener
        self._words = words
        self._page = _page(start, listener, str(database), words)
        self._stop_requested = False
        self._accepted: Path | None = None

    def run(self, store: SqliteStore) -> int:
        """Serve until a signal stops the server; returns the exit status."""
        # After a clean shutdown uvicorn raises the signal again: that is not a failure.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        forget_offers(self._database)
        while self._serve_once(store):
            if self._accepted is None:
                return 0
            put_accepted_in_place(self._accepted, self._database)
            self._accepted = None
            if self._stop_requested:
                return 0
            try:
                store = SqliteStore(self._database)
            except StoreError as error:
                raise CannotStart(explain(error, self._words)) from error
        return 1

    def _serve_once(self, store: SqliteStore) -> bool:
        """Serve until a signal or a backup ends it; False if the server failed."""
        engines = EngineFiles()
        engines.start_thread(build=True)
        bots = bot_pool(self._settings)
        server = web_server(store, self._settings, self._page, bots, engines)
        server.when_started = self._page.announce
        server.ends_when = self._accept_backup
        server.fails_because = lambda: store.failure
        server.run(sockets=[self._listener.dup()])  # `run` closes it
        return server.started and not server.has_failed

    def _accept_backup(self) -> bool:
        self._accepted = accept_offer(self._database)
        return self._accepted is not None

    def _stop(self, number: int, frame: object) -> None:
        self._stop_requested = True
        end_in_time()


def _build_client(words: Catalogue) -> None:
    """Build a missing client in a checkout, if Node is installed. Leaves an outdated one alone."""
    build = ClientBuild(Path(__file__).resolve().parents[3])
    if build.is_built() or not build.is_stale() or os.environ.get(SKIP) == "1":
        return
    node = find_node()
    if node is None:
        return
    print(words.say("serve.building"), file=sys.stderr, flush=True)
    try:
        build.build(node)
    except (BuildFailed, OSError) as failure:
        print(words.say("serve.build_failed", why=failure), file=sys.stderr)


def default_database() -> Path:
    """The default database: a file in the user's data folder."""
    return _data_folder() / "archipel" / "tables.db"


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"


def make_folder_of(database: Path) -> None:
    """Create the folder of a database, readable by its owner only."""
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def explain(error: Exception, words: Catalogue, *, exists: str = "") -> str:
    """Explain a store's error in one line; ``exists`` is the sentence for an existing file.

    Errors of the system (a full disk, missing rights) keep the system's words.
    """
    key = exists if isinstance(error, FileExists) else getattr(error, "sentence", "")
    return words.say(key, **vars(error)) if key else str(error)
