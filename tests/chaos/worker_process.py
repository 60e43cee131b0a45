"""A worker in a process of its own, to be killed and suspended.

usage: python -m tests.chaos.worker_process DATABASE PORT CLOCK_ERROR LEASE

Port 0: any free port; times in seconds. Prints its port when it is ready.
"""

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

#: Short delays, so that faults hit bots between their moves.
SETTINGS = Settings(bot_delay=20, bot_delay_for_undo=20, tick=100)


def choose(game: str, bot: str, view: object, legal: Sequence[int], seed: int) -> int:
    """A deterministic bot: the test can compute its moves from the seed."""
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
        except StoreError:  # the database is down: retry as a supervisor would
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


def shift_clock(seconds: float) -> None:
    """Shift the system clock of this process."""
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() + seconds
    time.time_ns = lambda: right_ns() + int(seconds * 1e9)


if __name__ == "__main__":
    set_up_logging("error")
    shift_clock(float(sys.argv[3]))
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[4])))
