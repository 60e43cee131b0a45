"""Starting the server: one call from the command line to the last closed socket."""

from __future__ import annotations

import asyncio
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

from archipel.rules.catalogue import Catalogue
from archipel.serve.addresses import ANY, LOOPBACKS, addresses_elsewhere, web_address
from archipel.serve.application import Application
from archipel.serve.client_build import SKIP, BuildFailed, ClientBuild, find_node
from archipel.serve.client_files import ClientFiles, load_client
from archipel.serve.data_folder import default_database, make_folder_of
from archipel.serve.engine_files import EngineFiles
from archipel.serve.greeting import greeting, has_display, qr_code
from archipel.serve.listening import (
    EVERYWHERE,
    LOOPBACK,
    CannotListen,
    allow_many_sockets,
    listen,
)
from archipel.serve.logs import set_up_logging
from archipel.serve.refused_files import told
from archipel.serve.settings import Settings
from archipel.serve.shared import Part, SharedServing, bot_pool
from archipel.serve.supervisor import Supervisor
from archipel.serve.web_server import make_server
from archipel.store import (
    SqliteStore,
    StoreError,
    accept_offer,
    forget_offers,
    put_accepted_in_place,
)
from archipel.store.postgresql.address import without_password
from archipel.tables import TableService
from archipel.tables.bot_players import with_programs


@dataclass(frozen=True, kw_only=True)
class Start:
    """How to start. None means: what suits this machine."""

    host: str | None = None
    port: int | None = None
    database: Path | str | None = None
    local: bool = False
    open_browser: bool | None = None
    log_level: str | None = None
    settings: Settings = field(default_factory=Settings)
    # Where tables are in PostgreSQL: whether bots and clocks are looked after here, how many
    # processes serve, the words of the command line for them, and which of them this is.
    keeps: bool = True
    workers: int = 1
    arguments: Sequence[str] = ()
    part: Part | None = None


class CannotStart(Exception):
    """The server could not start, in one line for whoever started it."""


def serve(start: Start, words: Catalogue) -> int:
    """Serve until told to stop, and say where; the exit status."""
    set_up_logging(start.log_level or ("warning" if sys.stderr.isatty() else "info"))
    if isinstance(start.database, str):
        return _serve_shared(start, start.database, words)
    _build_client(words)
    database = (start.database or default_database()).absolute()
    try:
        make_folder_of(database)
        store = SqliteStore(database)
    except (StoreError, OSError) as error:
        raise CannotStart(told(error, words)) from error
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
    """Tables in PostgreSQL: alone, as a supervisor of workers, or as one of these."""
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
            raise CannotStart(told(error, words)) from error


class _Serving:
    """A server on one address and one database, from its start to its end.

    A backup that is handed over meanwhile is put in place between two rounds: sockets are closed as
    at any end, browsers come back by themselves, and new connections wait in the queue.
    """

    def __init__(
        self, start: Start, database: Path, host: str, listener: socket.socket, words: Catalogue
    ) -> None:
        self._start = start
        self._database = database
        self._listener = listener
        self._words = words
        self._page = _Page(start, host, listener, str(database), load_client(), words)
        self._told_to_stop = False
        self._accepted: Path | None = None

    def run(self, store: SqliteStore) -> int:
        """Serve until told to stop; the exit status."""
        # After a clean end the web server raises the signal again that it was ended by: that is no
        # failure, whether it came from the keyboard or from a service manager.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        forget_offers(self._database)
        while self._one_round(store):
            if self._accepted is None:
                return 0
            put_accepted_in_place(self._accepted, self._database)
            self._accepted = None
            if self._told_to_stop:
                return 0
            try:
                store = SqliteStore(self._database)
            except StoreError as error:
                raise CannotStart(told(error, self._words)) from error
        return 1

    def _one_round(self, store: SqliteStore) -> bool:
        """Whether it could start at all."""
        settings = self._start.settings
        offered = with_programs(settings.bot_programs)
        engines = EngineFiles()
        application = Application(
            store,
            settings,
            self._page.client,
            TableService(
                store,
                thinking=bot_pool(settings, afterwards=engines.build_missing),
                bots_of=offered,
            ),
            offered,
            elsewhere=lambda: self._page.addresses()[1],
            engines=engines,
        )
        server = make_server(application, settings, application.drain, application.metrics)
        server.when_started = self._page.announce
        server.ends_when = self._something_was_offered
        server.run(sockets=[self._listener.dup()])  # which closes what it is given
        return server.started

    def _something_was_offered(self) -> bool:
        self._accepted = accept_offer(self._database)
        return self._accepted is not None

    def _stop(self, number: int, frame: object) -> None:
        self._told_to_stop = True


class _Page:
    """Where the page is, told once."""

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
        lines = greeting(here, elsewhere, self._database, self._words)
        if elsewhere:
            lines += qr_code(elsewhere[0], sys.stdout)
        print("\n".join(lines), flush=True)
        if not self.client.built:
            print(self._words.say("serve.not_built"), file=sys.stderr, flush=True)
            return
        open_browser = self._start.open_browser
        if open_browser or (open_browser is None and has_display()):
            # Some systems wait until the browser is closed again.
            threading.Thread(target=_open, args=(here,), daemon=True).start()

    def addresses(self) -> tuple[str, list[str]]:
        """Where the page is: on this machine, and on others."""
        name = "localhost" if self._host in (*LOOPBACKS, *ANY) else self._host
        return web_address(name, self._port), addresses_elsewhere(self._host, self._port)


def _build_client(words: Catalogue) -> None:
    """In a checkout without a built client, build it if Node is at hand.

    One that is only older than its sources is left alone: whoever works on them builds it.
    """
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
