"""The server under load, in a process of its own: the real one, with limits that let one machine
be a thousand people. Prints its port; ends when its input does."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from archipel.serve.application import Application
from archipel.serve.client_files import load_client
from archipel.serve.listening import LOOPBACK, allow_many_sockets, listen
from archipel.serve.logs import set_up_logging
from archipel.serve.settings import Rate, Settings
from archipel.serve.web_server import make_server
from archipel.store import SqliteStore
from archipel.tables import TableService

_ANY = Rate(1e9, 1e9)


def main(database: str) -> None:
    set_up_logging("warning")
    settings = Settings(
        messages=_ANY,
        requests=_ANY,
        tables=_ANY,
        joins=_ANY,
        hellos=_ANY,
        all_messages=_ANY,
        connections_per_address=100_000,
        sockets_per_address=100_000,
        most_sockets=100_000,
    )
    allow_many_sockets(10_000)
    store = SqliteStore(Path(database))
    # All seats are people's, so the bots, which take a while to load, are left out.
    service = TableService(store, bots_of=_no_bots)
    application = Application(store, settings, load_client(), service, _no_bots)
    server = make_server(application, settings, application.drain)
    listener = listen(LOOPBACK, 0)
    server.when_started = lambda: print(listener.getsockname()[1], flush=True)
    threading.Thread(target=_end_with_input, daemon=True).start()
    server.run(sockets=[listener])


def _no_bots(game: str) -> tuple[str, ...]:
    return ("none",)


def _end_with_input() -> None:
    """Whoever started this process holds its input: no server is left behind when they go."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(sys.argv[1])
