"""A worker on a PostgreSQL database: alone, under a supervisor, or with workers elsewhere."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from archipel.bots import levels_of
from archipel.rules.all_games import games
from archipel.serve.announcement import Page
from archipel.serve.application import Application
from archipel.serve.deadline import end_in_time
from archipel.serve.document_build import can_build_documents, start_document_build
from archipel.serve.engine_files import EngineFiles
from archipel.serve.logs import log
from archipel.serve.metrics import Metrics
from archipel.serve.settings import Settings
from archipel.serve.static_files import DocumentFiles
from archipel.serve.transport.socket_passing import Channels, WorkerGroup
from archipel.serve.transport.table_routing import Heartbeats
from archipel.serve.transport.web_server import WebServer
from archipel.store.errors import StoreError, StoreFailed
from archipel.store.postgresql.cluster import Cluster
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import EventStore
from archipel.tables import Settings as TableSettings
from archipel.tables import TableService
from archipel.tables.bots.players import with_programs
from archipel.tables.bots.pool import BotPool, usual_cores

#: Interval between two publications of this worker's metrics.
_METRICS_SECONDS = 2.0


@dataclass(frozen=True, kw_only=True)
class Part:
    """What a supervisor gives to one of its workers."""

    number: int
    workers: int
    #: Descriptors: the listening socket, and a pipe to report readiness.
    listener: int
    ready: int
    #: Descriptors of `WorkerGroup`; missing if the supervisor is of an earlier version.
    channels: Sequence[int] = ()
    heartbeats: int = -1


def bot_pool(
    settings: Settings,
    workers: int = 1,
    *,
    warm: bool = True,
) -> BotPool:
    """The pool of bot processes.

    ``warm``: compile the bots' search now; other workers find the result in the compile cache.
    """
    cores = settings.bot_cores or max(1, usual_cores() // workers)
    return BotPool(
        cores,
        {program.name: program for program in settings.bot_programs},
        warm=[game.name for game in games() if levels_of(game.name)] if warm else (),
    )


async def open_cluster(address: str, name: str) -> tuple[PostgresqlStore, Cluster]:
    """Open the database and join its cluster; raises `StoreError`."""
    store = await PostgresqlStore.open(address)
    try:
        cluster = Cluster(store, name)
        await cluster.join()
    except BaseException:
        await store.close()
        raise
    return store, cluster


def worker_name(part: Part | None = None) -> str:
    """The worker's name in metrics: host name and number."""
    number = os.getpid() if part is None else part.number
    return f"{socket.gethostname()[:40]}/{number}"


def worker_group_of(part: Part | None) -> WorkerGroup | None:
    if part is None or not part.channels:
        return None
    heartbeats = Heartbeats(part.heartbeats, part.workers)
    os.close(part.heartbeats)
    return WorkerGroup(part.number, Channels.inherited(part.channels), heartbeats)


def table_settings(settings: Settings) -> TableSettings:
    """What the tables need of the server's settings."""
    return TableSettings(daily=settings.daily, refused_names=settings.people.refused_names)


def web_server(
    store: EventStore,
    settings: Settings,
    page: Page,
    bots: BotPool,
    engines: EngineFiles,
    *,
    cluster: Cluster | None = None,
    keeps: bool = True,
    workers: WorkerGroup | None = None,
) -> WebServer:
    """A web server on a store; ``keeps``: whether it runs the bots and clocks of tables."""
    offered = with_programs(settings.bot_programs)
    application = Application(
        store,
        settings,
        page.client,
        TableService(
            store,
            settings=table_settings(settings),
            bot_executor=bots,
            bots_of=offered,
            cluster=cluster,
            keeps=keeps,
        ),
        offered,
        elsewhere=page.elsewhere,
        documents=DocumentFiles(build=start_document_build if can_build_documents() else None),
        cluster=cluster,
        engines=engines,
    )
    server = WebServer(application, settings, application.drain, application.metrics, workers)
    server.fails_because = lambda: application.service.failure
    return server


def serve_cluster(
    address: str,
    settings: Settings,
    page: Page,
    listener: socket.socket,
    *,
    keeps: bool,
    part: Part | None,
) -> int:
    """Serve a PostgreSQL database until a signal stops it; returns the exit status.

    Raises `StoreError` if the server cannot start.
    """
    # After a clean shutdown uvicorn raises the signal again: ignore it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: None)

    async def serve() -> bool:
        store, cluster = await open_cluster(address, worker_name(part))
        workers, number = (1, 1) if part is None else (part.workers, part.number)
        engines, is_first = EngineFiles(), number == 1
        engines.start_thread(build=is_first)
        bots = bot_pool(settings, workers, warm=keeps and is_first)
        server = web_server(
            store,
            settings,
            page,
            bots,
            engines,
            cluster=cluster,
            keeps=keeps,
            workers=worker_group_of(part),
        )
        server.when_started = page.announce if part is None else partial(_ready, server, part)
        publishing = asyncio.create_task(publish_metrics(cluster, server.metrics))
        try:
            await server.serve(sockets=[listener.dup()])
        finally:
            publishing.cancel()
        return server.started and not server.has_failed

    return 0 if asyncio.run(serve()) else 1


def _ready(server: WebServer, part: Part) -> None:
    """Report to the supervisor; stop the server when the supervisor is gone."""
    os.write(part.ready, b"1")
    os.close(part.ready)
    loop = asyncio.get_running_loop()

    def supervisor_gone() -> None:
        if not os.read(0, 1):
            loop.remove_reader(0)
            end_in_time()
            server.should_exit = True

    loop.add_reader(0, supervisor_gone)


async def publish_metrics(cluster: Cluster, metrics: Metrics) -> None:
    """Publish the metrics regularly, for requests to other workers."""
    while True:
        try:
            await cluster.publish_metrics(metrics.text())
        except StoreError:
            pass
        except Exception:
            log.exception("the metrics could not be published")
        await asyncio.sleep(_METRICS_SECONDS)


async def run_bots(address: str, settings: Settings, announce: Callable[[], None]) -> None:
    """Run bots and clocks without a web server until a signal stops it; raises `StoreError`."""
    store, cluster = await open_cluster(address, f"{worker_name()}-bots")
    metrics = Metrics()
    service = TableService(
        store,
        bot_executor=bot_pool(settings),
        bots_of=with_programs(settings.bot_programs),
        cluster=cluster,
    )
    metrics.table_gauges(service.statistics)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        end_in_time()
        stopped.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    await service.start()
    log.info("started")
    publishing = asyncio.create_task(publish_metrics(cluster, metrics))
    announce()
    try:
        while not stopped.is_set() and not service.failure:
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await stopped.wait()
        if service.failure:
            end_in_time()
            raise StoreFailed(service.failure)
    finally:
        publishing.cancel()
        await service.stop()
        await store.close()
        log.info("stopped")
