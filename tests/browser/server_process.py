"""The whole server in a process of its own, as `archipel serve` makes it but for limits and bots.

Run as a module with a file, a port and a JSON object of what is different; see `Difference`. Prints
its port when it is ready.
"""

from __future__ import annotations

import random
import secrets
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from archipel.bots.external.bot_program import read_program
from archipel.serve.application import Application
from archipel.serve.engine_files import EngineFiles
from archipel.serve.logs import set_up_logging
from archipel.serve.static_files import DocumentFiles, load_client
from archipel.serve.transport.listening import LOOPBACK, listen
from archipel.serve.transport.web_server import WebServer
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import Settings, TableService
from archipel.tables.bots.players import with_programs
from archipel.tables.bots.pool import BotPool
from tests.serve.running import RELAXED


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How a server to test with differs from one to play with."""

    bot_delay: int = 0  # milliseconds that bots wait
    seed: str = ""  # makes all chance repeatable, for pictures that should come out the same
    hurry: int = 1  # how many times faster the clock of the tables runs
    elsewhere: tuple[str, ...] = ()  # under which addresses other devices would reach it
    programs: tuple[str, ...] = ()  # bots of the host's own, as NAME=COMMAND
    documents: str = ""  # the folder of the built documents, if not where they are built into
    engines: tuple[tuple[str, str], ...] = ()  # games, and the files that hold their engines


def main(database: str, port: str, different: str) -> None:
    set_up_logging("warning")
    difference = msgspec.json.decode(different, type=Difference)
    store = SqliteStore(Path(database))
    began = time.time()
    programs = [read_program(text, 60) for text in difference.programs]
    offered = with_programs(programs)
    service = TableService(
        store,
        bot_executor=BotPool(programs={program.name: program for program in programs}),
        bots_of=offered,
        clock=lambda: int((began + (time.time() - began) * difference.hurry) * 1000),
        settings=Settings(bot_delay=difference.bot_delay, draw=Settings().draw * difference.hurry),
        randomness=random.Random(difference.seed).randbytes
        if difference.seed
        else secrets.token_bytes,
    )
    application = Application(
        store,
        RELAXED,
        load_client(),
        service,
        offered,
        elsewhere=lambda: difference.elsewhere,
        documents=DocumentFiles(Path(difference.documents)) if difference.documents else None,
        engines=EngineFiles({game: Path(file).read_bytes() for game, file in difference.engines}),
    )
    server = WebServer(application, RELAXED, application.drain)
    listener = listen(LOOPBACK, int(port))
    server.when_started = lambda: print(listener.getsockname()[1], flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
