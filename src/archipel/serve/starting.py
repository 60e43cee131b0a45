"""Starting the server: one call from the command line to the last closed socket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import webbrowser
from dataclasses import dataclass, field
from pathlib import Path

from archipel.serve.addresses import ANY, LOOPBACKS, addresses_elsewhere, web_address
from archipel.serve.application import Application
from archipel.serve.client_build import SKIP, BuildFailed, ClientBuild, find_node
from archipel.serve.client_files import load_client
from archipel.serve.data_folder import default_database, make_folder_of
from archipel.serve.greeting import greeting, has_display, qr_code
from archipel.serve.listening import (
    EVERYWHERE,
    LOOPBACK,
    CannotListen,
    allow_many_sockets,
    listen,
)
from archipel.serve.logs import set_up_logging
from archipel.serve.settings import Settings
from archipel.serve.web_server import make_server
from archipel.store import SqliteStore, StoreError


@dataclass(frozen=True, kw_only=True)
class Start:
    """How to start. None means: what suits this machine."""

    host: str | None = None
    port: int | None = None
    database: Path | None = None
    local: bool = False
    open_browser: bool | None = None
    log_level: str | None = None
    settings: Settings = field(default_factory=Settings)


class CannotStart(Exception):
    """The server could not start, in one line for whoever started it."""


def serve(start: Start) -> int:
    """Serve until told to stop; the exit status."""
    set_up_logging(start.log_level or ("warning" if sys.stderr.isatty() else "info"))
    _build_client()
    database = (start.database or default_database()).absolute()
    try:
        make_folder_of(database)
        store = SqliteStore(database)
    except (StoreError, OSError) as error:
        raise CannotStart(str(error)) from error
    host = start.host or (LOOPBACK if start.local else EVERYWHERE)
    try:
        listener = listen(host, start.port)
    except CannotListen as error:
        asyncio.run(store.close())
        raise CannotStart(str(error)) from error
    allow_many_sockets(2 * start.settings.most_sockets)
    client = load_client()
    port = int(listener.getsockname()[1])
    application = Application(
        store, start.settings, client, elsewhere=lambda: addresses_elsewhere(host, port)
    )
    server = make_server(application, start.settings, application.drain)
    server.when_started = lambda: _announce(host, port, database, start.open_browser, client.built)
    # After a clean end the web server raises the signal again that it was ended by: that is no
    # failure, whether it came from the keyboard or from a service manager.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    return 0 if server.started else 1


def _build_client() -> None:
    """In a checkout without a built client, build it if Node is at hand.

    One that is only older than its sources is left alone: whoever works on them builds it.
    """
    build = ClientBuild(Path(__file__).resolve().parents[3])
    if build.is_built() or not build.is_stale() or os.environ.get(SKIP) == "1":
        return
    node = find_node()
    if node is None:
        return
    print("building the browser client; this takes a moment", file=sys.stderr, flush=True)
    try:
        build.build(node)
    except (BuildFailed, OSError) as failure:
        print(f"warning: the browser client was not built: {failure}", file=sys.stderr)


def _announce(
    host: str, port: int, database: Path, open_browser: bool | None, client_built: bool
) -> None:
    here = web_address("localhost" if host in (*LOOPBACKS, *ANY) else host, port)
    elsewhere = addresses_elsewhere(host, port)
    lines = greeting(here, elsewhere, str(database))
    if elsewhere:
        lines += qr_code(elsewhere[0], sys.stdout)
    print("\n".join(lines), flush=True)
    if not client_built:
        print(
            "warning: the pages are not built, only the programming interface works:"
            " install the package again (pip install .) to build them",
            file=sys.stderr,
            flush=True,
        )
    elif open_browser or (open_browser is None and has_display()):
        # Some systems wait until the browser is closed again.
        threading.Thread(target=_open, args=(here,), daemon=True).start()


def _open(address: str) -> None:
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        logging.getLogger("archipel.serve").info("no browser could be opened")
