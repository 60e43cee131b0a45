"""Notifications between workers, through PostgreSQL's LISTEN and NOTIFY.

A message is a table's id and the number of its last event; a worker with subscribers there reads
the new events. Messages are lost with a connection, so ``on_open`` is called after each
reconnection, to check every table once.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from archipel.store.postgresql.connections import connect, translated_errors

if TYPE_CHECKING:
    import asyncpg

log = logging.getLogger("archipel.store")

NEWS, PRESENCE, BEAT = "archipel_news", "archipel_presence", "archipel_beat"
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0


class Bus:
    """One listening connection, reopened whenever it is lost."""

    def __init__(self, address: str, silence: float) -> None:
        """``silence``: seconds without any message, own heartbeats included, after which the
        connection is reopened."""
        self._address = address
        self._silence = silence
        self._connection: asyncpg.Connection[Any] | None = None
        self._lost = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._beat_sent: tuple[str, float] | None = None
        self._heard_at = 0.0
        #: Round-trip time of the last heartbeat in seconds; number of connections so far.
        self.lag = 0.0
        self.openings = 0
        self.on_news: Callable[[str, int], None] = lambda table_id, n: None
        #: Also gets the sender, to ignore own messages.
        self.on_presence: Callable[[str, str], None] = lambda table_id, worker: None
        self.on_open: Callable[[], None] = lambda: None

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    async def start(self) -> None:
        """Raises `StoreFailed` if the database cannot be reached."""
        await self._open()
        self._task = asyncio.get_running_loop().create_task(self._stay_open())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._hang_up()

    def beat(self, beat: str) -> None:
        """Note that a heartbeat was sent; reopen the connection if none came back."""
        self._beat_sent = beat, time.monotonic()
        if self._connection is not None and time.monotonic() - self._heard_at > self._silence:
            log.warning("the bus is silent: reconnecting")
            self._hang_up()

    async def _stay_open(self) -> None:
        pause = _SHORTEST_PAUSE
        while True:
            await self._lost.wait()
            self._hang_up()
            try:
                await self._open()
                pause = _SHORTEST_PAUSE
            except Exception as error:
                log.warning("the bus is down: %s", error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    async def _open(self) -> None:
        connection = await connect(self._address)
        try:
            with translated_errors("cannot listen"):
                connection.add_termination_listener(self._on_end)
                await connection.add_listener(NEWS, self._on_news)
                await connection.add_listener(PRESENCE, self._on_presence)
                await connection.add_listener(BEAT, self._on_beat)
                # Tells this connection from the others in pg_stat_activity.
                await connection.execute("SET application_name = 'archipel bus'")
        except BaseException:
            connection.terminate()
            raise
        self._connection = connection
        self._heard_at = time.monotonic()
        self._lost.clear()
        self.openings += 1
        self.on_open()

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.terminate()
        self._lost.set()

    def _on_end(self, connection: object) -> None:
        if connection is self._connection:
            self._connection = None
            self._lost.set()

    def _on_news(self, _: object, sender: int, channel: str, payload: object) -> None:
        self._heard_at = time.monotonic()
        table_id, _, n = str(payload).partition(" ")
        if n.isdecimal():
            self.on_news(table_id, int(n))

    def _on_presence(self, _: object, sender: int, channel: str, payload: object) -> None:
        self._heard_at = time.monotonic()
        table_id, _, worker = str(payload).partition(" ")
        self.on_presence(table_id, worker)

    def _on_beat(self, _: object, sender: int, channel: str, payload: object) -> None:
        self._heard_at = time.monotonic()
        if self._beat_sent is not None and payload == self._beat_sent[0]:
            self.lag = time.monotonic() - self._beat_sent[1]
