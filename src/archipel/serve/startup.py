"""Start a server, announce its addresses, and run it until it is stopped."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import segno

from archipel.rules.catalogue import Catalogue
from archipel.serve.application import Application
from archipel.serve.client_build import SKIP, BuildFailed, ClientBuild, find_node
from archipel.serve.cluster_worker import Part, SharedServing, bot_pool
from archipel.serve.engine_files import EngineFiles
from archipel.serve.logs import set_up_logging
from archipel.serve.settings import Settings
from archipel.serve.static_files import ClientFiles, load_client
from archipel.serve.supervisor import Supervisor
from archipel.serve.transport.listening import (
    ANY,
    EVERYWHERE,
    LOOPBACK,
    LOOPBACKS,
    CannotListen,
    addresses_elsewhere,
    allow_many_sockets,
    listen,
    web_address,
)
from archipel.serve.transport.web_server import WebServer
from archipel.store.errors import FileExists, StoreError
from archipel.store.postgresql.connections import without_password
from archipel.store.sqlite.backup import accept_offer, forget_offers, put_accepted_in_place
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import TableService
from archipel.tables.bots.players import with_programs


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
    host = start.host or (LOOPBACK if start.local else EVERYWHERE)
    try:
        listener = listen(host, start.port)
    except CannotListen as error:
        asyncio.run(store.close())
        raise CannotStart(words.say(error.key, **error.details)) from error
    if store.damage is not None:
        print(words.say("serve.damaged", path=database, detail=store.damage), file=sys.stderr)
        logging.getLogger("archipel.serve").warning("the database is damaged: see archipel salvage")
    allow_many_sockets(start.settings.most_connections + 1_000)
    with listener:
        return _Serving(start, database, host, listener, words).run(store)


def _serve_shared(start: Start, address: str, words: Catalogue) -> int:
    """Serve a PostgreSQL database: alone, as a supervisor, or as one of its workers."""
    host = start.host or (LOOPBACK if start.local else EVERYWHERE)
    part = start.part
    if part is None:
        _build_client(words)
        try:
            listener = listen(host, start.port)
        except CannotListen as error:
            raise CannotStart(words.say(error.key, **error.details)) from error
    else:
        listener = socket.socket(fileno=part.listener)
        listener.setblocking(False)
    allow_many_sockets(start.settings.most_connections + 1_000)
    with listener:
        page = _Page(start, host, listener, without_password(address), load_client(), words)
        if start.workers > 1 and part is None:
            status = Supervisor(start.workers, listener, start.arguments, page.announce).run()
            if status:
                raise CannotStart(words.say("serve.cannot_start_workers"))
            return status
        serving = SharedServing(
            address,
            start.settings,
            page.client,
            listener,
            keeps=start.keeps,
            part=part,
            announce=page.announce,
            elsewhere=lambda: page.addresses()[1],
        )
        try:
            return serving.run()
        except StoreError as error:
            raise CannotStart(explain(error, words)) from error


class _Serving:
    """A server on one SQLite database.

    To restore a backup while it runs, it stops, replaces the database and starts again: sockets are
    closed as at any shutdown, browsers reconnect, and new connections wait in the listen queue.
    """

    def __init__(
        self, start: Start, database: Path, host: str, listener: socket.socket, words: Catalogue
    ) -> None:
        self._start = start
        self._database = database
        self._listener = listener
        self._words = words
        self._page = _Page(start, host, listener, str(database), load_client(), words)
        self._stop_requested = False
        self._accepted: Path | None = None

    def run(self, store: SqliteStore) -> int:
        """Serve until a signal stops the server; returns the exit status."""
        # After a clean shutdown uvicorn raises the signal again: that is not a failure.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        forget_offers(self._database)
        while self._one_round(store):
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

    def _one_round(self, store: SqliteStore) -> bool:
        """Serve once; False if the server could not start."""
        settings = self._start.settings
        offered = with_programs(settings.bot_programs)
        engines = EngineFiles()
        application = Application(
            store,
            settings,
            self._page.client,
            TableService(
                store,
                bot_executor=bot_pool(settings, afterwards=engines.build_missing),
                bots_of=offered,
            ),
            offered,
            elsewhere=lambda: self._page.addresses()[1],
            engines=engines,
        )
        server = WebServer(application, settings, application.drain, application.metrics)
        server.when_started = self._page.announce
        server.ends_when = self._accept_backup
        server.run(sockets=[self._listener.dup()])  # `run` closes it
        return server.started

    def _accept_backup(self) -> bool:
        self._accepted = accept_offer(self._database)
        return self._accepted is not None

    def _stop(self, number: int, frame: object) -> None:
        self._stop_requested = True


class _Page:
    """The addresses of the page, and their announcement in the terminal."""

    def __init__(
        self,
        start: Start,
        host: str,
        listener: socket.socket,
        database: str,
        client: ClientFiles,
        words: Catalogue,
    ) -> None:
        self.client = client
        self._start = start
        self._host = host
        self._port = int(listener.getsockname()[1])
        self._database = database
        self._words = words
        self._announced = False

    def announce(self) -> None:
        if self._announced:
            return
        self._announced = True
        here, elsewhere = self.addresses()
        lines = announcement(here, elsewhere, self._database, self._words)
        if elsewhere:
            lines += qr_code(elsewhere[0], sys.stdout)
        print("\n".join(lines), flush=True)
        if not self.client.built:
            print(self._words.say("serve.not_built"), file=sys.stderr, flush=True)
            return
        open_browser = self._start.open_browser
        if open_browser or (open_browser is None and has_display()):
            # In a thread: on some systems this waits until the browser is closed.
            threading.Thread(target=_open, args=(here,), daemon=True).start()

    def addresses(self) -> tuple[str, list[str]]:
        """The page's address on this machine, and those for other devices."""
        name = "localhost" if self._host in (*LOOPBACKS, *ANY) else self._host
        return web_address(name, self._port), addresses_elsewhere(self._host, self._port)


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


def _open(address: str) -> None:
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        logging.getLogger("archipel.serve").info("no browser could be opened")


def announcement(here: str, elsewhere: Sequence[str], database: str, words: Catalogue) -> list[str]:
    """The lines to print once the server listens."""
    on_this, on_others = words.say("serve.on_this_machine"), words.say("serve.on_other_devices")
    width = max(len(on_this), len(on_others))
    lines = ["", words.say("serve.ready"), "", f"  {on_this:{width}}  {here}"]
    lines += [f"  {on_others:{width}}  {address}" for address in elsewhere]
    if not elsewhere:
        lines.append(f"  {words.say('serve.this_machine_only')}")
    kept = words.say("serve.kept_in", database=database)
    return [*lines, "", f"  {kept}", f"  {words.say('serve.to_stop')}", ""]


def qr_code(address: str, stream: TextIO) -> list[str]:
    """The address as a QR code in block characters; empty if the terminal cannot show them.

    Light on dark, as most terminals are, so it needs no colours.
    """
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, border=2, compact=True)
    try:
        drawn.getvalue().encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return []
    return [f"  {line}" for line in drawn.getvalue().splitlines()]


def has_display() -> bool:
    """Whether the user who started the server would see a browser opened here."""
    if not sys.stdout.isatty() or os.environ.get("SSH_CONNECTION") or os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


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
