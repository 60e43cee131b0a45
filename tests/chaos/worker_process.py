"""A worker in a process of its own, to be killed and stopped: run as a module.

Told by its arguments: the database, a port (0: any), by how many seconds the clock of its machine
is wrong, and for how long it counts as there without being heard of. Prints its port when it is
ready.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from archipel.serve.application import Application
from archipel.serve.logs import set_up_logging
from archipel.serve.static_files import load_client
from archipel.serve.transport.listening import LOOPBACK, listen
from archipel.serve.transport.web_server import WebServer
from archipel.store.errors import StoreError
from archipel.store.postgresql.cluster import Cluster
from archipel.store.postgresql.store import PostgresqlStore
from archipel.tables import Settings, TableService
from tests.serve.running import RELAXED
from tests.tables.people import FunctionBots

#: So that bots are in the middle of something when things happen.
SETTINGS = Settings(bot_delay=20, bot_delay_for_undo=20, tick=100)


def choose(game: str, bot: str, view: object, legal: Sequence[int], seed: int) -> int:
    """What it plays is known to whoever knows the seed, so that it can be checked afterwards."""
    return legal[seed % len(legal)]


def bots_of(game: str) -> tuple[str, ...]:
    return ("random",)


async def main(database: str, port: int, lease: float) -> None:
    listener = listen(LOOPBACK, port)
    while True:
        try:
            store = await PostgresqlStore.open(database, connections=4)
            cluster = Cluster(store, f"worker-{port}", lease=lease)
            await cluster.join()
            break
        except StoreError:  # not there yet, or not any more: so would a supervisor try again
            await asyncio.sleep(0.1)
    service = TableService(
        store,
        settings=SETTINGS,
        bot_executor=FunctionBots(choose),
        bots_of=bots_of,
        cluster=cluster,
    )
    client = load_client(Path("/nowhere"))
    application = Application(store, RELAXED, client, service, bots_of, cluster=cluster)
    server = WebServer(application, RELAXED, application.drain)
    server.when_started = lambda: print(listener.getsockname()[1], flush=True)
    await server.serve(sockets=[listener])


def set_clock_wrong(seconds: float) -> None:
    """As if the clock of this machine had been set."""
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() + seconds
    time.time_ns = lambda: right_ns() + int(seconds * 1e9)


if __name__ == "__main__":
    set_up_logging("error")
    set_clock_wrong(float(sys.argv[3]))
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[4])))
