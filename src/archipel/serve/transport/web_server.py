"""uvicorn's server with admission control, socket passing and an orderly shutdown."""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from types import FrameType

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE

from archipel.serve.admission_control import Admission, AdmissionControl
from archipel.serve.deadline import end_in_time
from archipel.serve.logs import log
from archipel.serve.metrics import Metrics
from archipel.serve.settings import Settings
from archipel.serve.transport.acceptor import Acceptor
from archipel.serve.transport.listening import most_connections
from archipel.serve.transport.protocols import HttpProtocol, SocketProtocol
from archipel.serve.transport.socket_passing import SocketPassing, WorkerGroup

_TICKS_PER_SECOND = 10

#: Time limit for the last responses at shutdown, after `Application.drain`.
_GRACE_SECONDS = 1


class WebServer(uvicorn.Server):
    """At shutdown stops accepting, then awaits ``drain``, then closes all connections."""

    def __init__(
        self,
        application: ASGIApp,
        settings: Settings,
        drain: Callable[[], Awaitable[None]],
        metrics: Metrics | None = None,
        workers: WorkerGroup | None = None,
    ) -> None:
        """`serve` takes the listening sockets; ``workers`` are the processes that share them."""
        config = uvicorn.Config(
            application,
            # The application itself handles forwarded addresses and writes the log.
            proxy_headers=False,
            access_log=False,
            log_config=None,
            log_level=None,
            server_header=False,
            lifespan="on",
            loop="auto",  # uvloop, where it is installed
            http=HttpProtocol,
            ws=SocketProtocol,
            ws_max_size=settings.largest_message,
            ws_ping_interval=settings.ping_seconds,
            ws_ping_timeout=settings.silence_seconds - settings.ping_seconds,
            ws_per_message_deflate=False,
            timeout_keep_alive=int(settings.idle_seconds),
            timeout_graceful_shutdown=_GRACE_SECONDS,
            h11_max_incomplete_event_size=16 * 1024,
            interface="asgi3",
        )
        super().__init__(config)
        self.metrics = metrics or Metrics()
        self.admission_control = AdmissionControl(
            settings, most_connections(settings.most_connections), self.metrics
        )
        self._drain = drain
        self._workers = workers
        self._socket_passing: SocketPassing | None = None
        self._beginning: set[asyncio.Task[None]] = set()
        self.when_started: Callable[[], None] = lambda: None
        #: Polled about once a second; the server shuts down when it returns True.
        self.ends_when: Callable[[], bool] = lambda: False
        #: Polled likewise; the server shuts down, and has failed, when it returns a reason.
        self.fails_because: Callable[[], str] = str
        self.has_failed = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept on the sockets, which must be given."""
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        serve = self._begin
        if self._workers is not None:
            self._socket_passing = SocketPassing(
                self._workers, self.admission_control, self._begin, self.metrics
            )
            serve = self._socket_passing.route
        self.servers = [
            Acceptor(listener, self.admission_control, serve)  # type: ignore[misc]
            for listener in sockets or ()
        ]
        self.started = True
        self.when_started()

    def _begin(self, connection: socket.socket, admission: Admission) -> None:
        task = asyncio.get_running_loop().create_task(self._start_protocol(connection, admission))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def _start_protocol(self, connection: socket.socket, admission: Admission) -> None:
        def protocol() -> asyncio.Protocol:
            return HttpProtocol(
                config=self.config,
                server_state=self.server_state,
                app_state=self.lifespan.state,
                admission=admission,
            )

        try:
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        except OSError:  # the peer is gone
            admission.leave()
            connection.close()

    async def on_tick(self, counter: int) -> bool:
        self.admission_control.sweep()
        if self._socket_passing is not None:
            self._socket_passing.tick()
        if counter % _TICKS_PER_SECOND == 0 and not self.should_exit:
            if reason := self.fails_because():
                log.critical("the server stops: %s", reason)
                end_in_time()
                self.has_failed = True
            self.should_exit = self.has_failed or self.ends_when()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        end_in_time()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self.servers:
            acceptor.close()
            await acceptor.wait_closed()
        if self._socket_passing is not None:
            self._socket_passing.close()
        await asyncio.gather(*self._beginning)
        await self._drain()
        await super().shutdown(sockets)
