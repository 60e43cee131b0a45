"""A server in a process of its own, to be killed.

usage: python -m tests.serve.server_process FILE PORT; prints its port when it is ready
"""

import sys
from pathlib import Path

from archipel.serve.logs import set_up_logging
from archipel.serve.transport.listening import LOOPBACK, listen
from archipel.serve.transport.web_server import WebServer
from archipel.store.sqlite.store import SqliteStore
from tests.serve.running import RELAXED, make_application


def main(database: str, port: str) -> None:
    set_up_logging("warning")
    application = make_application(store=SqliteStore(Path(database)))
    server = WebServer(application, RELAXED, application.drain)
    listener = listen(LOOPBACK, int(port))
    server.when_started = lambda: print(listener.getsockname()[1], flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
