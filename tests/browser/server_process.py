"""The whole server in a process of its own, as `archipel serve` makes it but for limits and bots.

Run as a module with a file, a port and the milliseconds that bots wait. Prints its port when it is
ready. A fourth argument makes all chance repeatable, for pictures that should come out the same.
"""

from __future__ import annotations

import random
import secrets
import sys
from pathlib import Path

from archipel.serve.application import Application
from archipel.serve.client_files import load_client
from archipel.serve.listening import LOOPBACK, listen
from archipel.serve.logs import set_up_logging
from archipel.serve.web_server import make_server
from archipel.store import SqliteStore
from archipel.tables import Settings, TableService
from tests.serve.running import RELAXED


def main(database: str, port: str, bot_delay: str, seed: str = "") -> None:
    set_up_logging("warning")
    store = SqliteStore(Path(database))
    randomness = random.Random(seed).randbytes if seed else secrets.token_bytes
    service = TableService(
        store, settings=Settings(bot_delay=int(bot_delay)), randomness=randomness
    )
    application = Application(store, RELAXED, load_client(), service)
    server = make_server(application, RELAXED, application.drain)
    listener = listen(LOOPBACK, int(port))
    server.when_started = lambda: print(listener.getsockname()[1], flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
