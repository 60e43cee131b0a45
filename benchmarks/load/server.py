"""The server under load, with rate limits for a thousand clients on one address.

Prints its port and ends with its standard input. A line of input is the number of the table that is
created or begun next; it determines the table's secret, and so all chance of its game. The server
confirms each line by printing it. Without any, secrets are random.

This also runs with the sources of other checkouts, so it uses only interfaces that they share.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
import threading
from dataclasses import fields
from pathlib import Path
from typing import Any

from archipel.serve.application import Application
from archipel.serve.logs import set_up_logging
from archipel.serve.settings import Rate, Settings
from archipel.serve.static_files import load_client
from archipel.serve.transport.listening import LOOPBACK, allow_many_sockets, listen
from archipel.serve.transport.web_server import WebServer
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import TableService
from archipel.tables.log.fair_chance import SECRET_BYTES
from benchmarks.load.secret import secret_number

_ANY = Rate(1e9, 1e9)
_LIMITS: dict[str, Any] = {
    "messages": _ANY,
    "requests": _ANY,
    "tables": _ANY,
    "joins": _ANY,
    "new_sockets": _ANY,
    "all_messages": _ANY,
    "frames": _ANY,
    "all_frames": _ANY,
    "connections_per_address": 100_000,
    "sockets_per_address": 100_000,
    "most_sockets": 100_000,
}


class _Secrets:
    """Random bytes, but the secret of a table is that of the last number of the input."""

    def __init__(self) -> None:
        self.number: int | None = None

    def __call__(self, size: int) -> bytes:
        # Tokens may have the same length, but every checkout makes them in this function.
        is_secret = size == SECRET_BYTES and sys._getframe(1).f_code.co_name != "new_token"
        if not is_secret or self.number is None:
            return secrets.token_bytes(size)
        return secret_number(self.number)


def main(database: str) -> None:
    set_up_logging("warning")
    known = {field.name for field in fields(Settings)}
    settings = Settings(**{name: limit for name, limit in _LIMITS.items() if name in known})
    allow_many_sockets(10_000)
    store = SqliteStore(Path(database))
    randomness = _Secrets()
    # All seats are for people, so no bots are loaded.
    service = TableService(store, bots_of=_no_bots, randomness=randomness)
    application = Application(store, settings, load_client(), service, _no_bots)
    server = WebServer(application, settings, application.drain)
    listener = listen(LOOPBACK, 0)
    server.when_started = lambda: print(listener.getsockname()[1], flush=True)
    threading.Thread(target=_read_input, args=(randomness,), daemon=True).start()
    server.run(sockets=[listener])


def _no_bots(game: str) -> tuple[str, ...]:
    return ("none",)


def _read_input(randomness: _Secrets) -> None:
    """Read table numbers; stop the server at the end of the input, when its parent is gone."""
    for line in sys.stdin:
        randomness.number = int(line)
        print(line.strip(), flush=True)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(sys.argv[1])
