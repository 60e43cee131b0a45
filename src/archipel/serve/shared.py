"""Serving tables that others serve too: a worker on a PostgreSQL database.

A worker may be all there is, one of several under a supervisor that gave it the socket to listen
on, or one of several on other machines: it makes no difference to the tables.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from archipel.bots import levels_of
from archipel.rules.all_games import games
from archipel.serve.application import Application
from archipel.serve.channels import Channels
from archipel.serve.client_files import ClientFiles
from archipel.serve.engine_files import EngineFiles
from archipel.serve.handing_over import Neighbours
from archipel.serve.heartbeats import Heartbeats
from archipel.serve.logs import log
from archipel.serve.metrics import Metrics
from archipel.serve.settings import Settings
from archipel.serve.web_server import WebServer, make_server
from archipel.store import StoreError
from archipel.store.postgresql import Company, PostgresqlStore
from archipel.tables import TableService
from archipel.tables.bot_players import with_programs
from archipel.tables.bot_pool import BotPool, usual_cores

#: How often others are told how we are.
_FIGURES_SECONDS = 2.0


@dataclass(frozen=True, kw_only=True)
class Part:
    """What a supervisor gives to one of its workers."""

    number: int
    workers: int
    #: Descriptors: the listening socket, and where to say that we are ready.
    listener: int
    ready: int
    #: Those of `Neighbours`, if there are any: a supervisor may be older than its workers.
    channels: Sequence[int] = ()
    heartbeats: int = -1


def bot_pool(
    settings: Settings,
    workers: int = 1,
    *,
    warm: bool = True,
    afterwards: Callable[[Sequence[int]], None] | None = None,
) -> BotPool:
    """Where bots think: they get ready as soon as the page is up.

    ``warm``: what they need is compiled here; what one worker has compiled others find.
    ``afterwards`` is called then, with the cores that bots may use.
    """
    cores = settings.bot_cores or max(1, usual_cores() // workers)
    return BotPool(
        cores,
        {program.name: program for program in settings.bot_programs},
        warm=[game.name for game in games() if levels_of(game.name)] if warm else (),
        afterwards=afterwards,
    )


async def open_company(address: str, name: str) -> tuple[PostgresqlStore, Company]:
    """The tables, and ourselves among those who work at them; raises `StoreError`."""
    store = await PostgresqlStore.open(address)
    try:
        company = Company(store, name)
        await company.enter()
    except BaseException:
        await store.close()
        raise
    return store, company


def worker_name(part: Part | None = None) -> str:
    """As it is told in figures: which machine, which process."""
    number = os.getpid() if part is None else part.number
    return f"{socket.gethostname()[:40]}/{number}"


def neighbours_of(part: Part | None) -> Neighbours | None:
    if part is None or not part.channels:
        return None
    heartbeats = Heartbeats(part.heartbeats, part.workers)
    os.close(part.heartbeats)
    return Neighbours(part.number, Channels.inherited(part.channels), heartbeats)


class SharedServing:
    """A web server on tables that others serve, too."""

    def __init__(
        self,
        address: str,
        settings: Settings,
        client: ClientFiles,
        listener: socket.socket,
        *,
        keeps: bool,
        part: Part | None,
        announce: Callable[[], None],
        elsewhere: Callable[[], list[str]],
    ) -> None:
        self._address = address
        self._settings = settings
        self._client = client
        self._listener = listener
        self._keeps = keeps
        self._part = part
        self._announce = announce
        self._elsewhere = elsewhere

    def run(self) -> int:
        """Serve until told to stop; the exit status. Raises `StoreError` if it cannot begin."""
        # After a clean end the web server raises the signal again that it was ended by.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, frame: None)
        return 0 if asyncio.run(self._serve()) else 1

    async def _serve(self) -> bool:
        settings, part = self._settings, self._part
        store, company = await open_company(self._address, worker_name(part))
        offered = with_programs(settings.bot_programs)
        workers, number = (1, 1) if part is None else (part.workers, part.number)
        engines, is_first = EngineFiles(), number == 1
        pool = bot_pool(
            settings,
            workers,
            warm=self._keeps and is_first,
            afterwards=engines.build_missing if is_first else None,
        )
        if not (self._keeps and is_first):
            engines.start_taking(build=is_first)
        application = Application(
            store,
            settings,
            self._client,
            TableService(store, thinking=pool, bots_of=offered, company=company, keeps=self._keeps),
            offered,
            elsewhere=self._elsewhere,
            company=company,
            engines=engines,
        )
        server = make_server(
            application, settings, application.drain, application.metrics, neighbours_of(part)
        )
        server.when_started = lambda: self._started(server)
        telling = asyncio.create_task(tell_figures(company, application.metrics))
        try:
            await server.serve(sockets=[self._listener.dup()])
        finally:
            telling.cancel()
        return server.started

    def _started(self, server: WebServer) -> None:
        if self._part is None:
            self._announce()
            return
        os.write(self._part.ready, b"1")
        os.close(self._part.ready)

        def supervisor_gone() -> None:
            if not os.read(0, 1):
                asyncio.get_running_loop().remove_reader(0)
                server.should_exit = True

        asyncio.get_running_loop().add_reader(0, supervisor_gone)


async def tell_figures(company: Company, metrics: Metrics) -> None:
    """Again and again, for whoever asks another worker."""
    while True:
        with suppress(StoreError):
            await company.tell_figures(metrics.text())
        await asyncio.sleep(_FIGURES_SECONDS)


async def let_bots_play(address: str, settings: Settings, announce: Callable[[], None]) -> None:
    """Keep tables without serving any, until told to stop; raises `StoreError`."""
    store, company = await open_company(address, f"{worker_name()}-bots")
    metrics = Metrics()
    service = TableService(
        store,
        thinking=bot_pool(settings),
        bots_of=with_programs(settings.bot_programs),
        company=company,
    )
    for name in service.statistics():
        metrics.gauges({f"tables_{name}": (f"Tables: {name}.", _statistic(service, name))})
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await service.start()
    log.info("started")
    telling = asyncio.create_task(tell_figures(company, metrics))
    announce()
    try:
        await stopped.wait()
    finally:
        telling.cancel()
        await service.stop()
        await store.close()
        log.info("stopped")


def _statistic(service: TableService, name: str) -> Callable[[], float]:
    return lambda: float(service.statistics()[name])
