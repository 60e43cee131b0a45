"""The server of `archipel serve` with other limits, clocks and bots.

Run as a module with a file, a port and `ServerOptions` as JSON. Prints its port when it is ready.
"""

from __future__ import annotations

import random
import secrets
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from archipel.bots.external.bot_program import read_program
from archipel.notices.settings import PeopleSettings
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
from archipel.tables.log.fair_chance import FairChance
from tests.serve.running import QUICK_BOTS, RELAXED


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """Differences from a normal server."""

    bot_delay: int = 0  # milliseconds
    seed: str = ""  # makes all chance repeatable, for screenshots
    clock_speed: int = 1  # factor for the clock of the tables
    public_addresses: tuple[str, ...] = ()  # for other devices
    programs: tuple[str, ...] = ()  # bot programs, as NAME=COMMAND
    documents: str = ""  # folder of the built documents
    engines: tuple[tuple[str, str], ...] = ()  # games and the files of their engines
    rendezvous: bool = False
    takes_tables: bool = False
    daily: bool = False
    clubs: bool = False
    site: str = ""  # folder of a static site
    usual_bot: str = "regular"
    notices: bool = False  # push messages and webhooks, also to this machine
    loaded_dice: bool = False  # every die shows 1, whatever the secret says


def main(database: str, port: str, options_json: str) -> None:
    set_up_logging("warning")
    options = msgspec.json.decode(options_json, type=ServerOptions)
    if options.loaded_dice:
        load_dice()
    store = SqliteStore(Path(database))
    began = time.time()
    programs = [read_program(text, 60) for text in options.programs]
    offered = with_programs(programs)
    service = TableService(
        store,
        bot_executor=BotPool(programs={program.name: program for program in programs}),
        bots_of=offered,
        clock=lambda: int((began + (time.time() - began) * options.clock_speed) * 1000),
        settings=replace(
            QUICK_BOTS,
            bot_delay=options.bot_delay,
            draw=Settings().draw * options.clock_speed,
            daily=options.daily,
            usual_bot=options.usual_bot,
        ),
        randomness=random.Random(options.seed).randbytes if options.seed else secrets.token_bytes,
    )
    application = Application(
        store,
        replace(
            RELAXED,
            rendezvous=options.rendezvous,
            takes_tables=options.takes_tables,
            clubs=options.clubs,
            site=Path(options.site) if options.site else None,
            people=PeopleSettings(
                push=options.notices,
                webhooks=options.notices,
                private_targets=options.notices,
                operator="a long password" if options.notices else "",
            ),
        ),
        load_client(),
        service,
        offered,
        elsewhere=lambda: options.public_addresses,
        documents=DocumentFiles(Path(options.documents)) if options.documents else None,
        engines=EngineFiles({game: Path(file).read_bytes() for game, file in options.engines}),
    )
    server = WebServer(application, RELAXED, application.drain)
    listener = listen(LOOPBACK, int(port))
    server.when_started = lambda: print(listener.getsockname()[1], flush=True)
    server.run(sockets=[listener])


def load_dice() -> None:
    """Make every die of three faces show its first one."""
    honest = FairChance.draw

    def draw(self: FairChance, n: int, /) -> int:
        outcome = honest(self, n)
        return 0 if n == 3 else outcome

    FairChance.draw = draw  # type: ignore[method-assign]


if __name__ == "__main__":
    main(*sys.argv[1:])
