"""Servers of a chaos test: started on this machine, killed, restarted and suspended."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from urllib import request

from archipel.chaos.campaign import RECOVERY, Fault, ReadLogs, Unrecovered
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import Event, EventStore
from archipel.store.sqlite.backup import back_up
from archipel.store.sqlite.store import SqliteStore

LOOPBACK = "127.0.0.1"


class OwnServer:
    """A process of ``archipel serve``. Its database's address may hold a password, so it travels in
    the environment."""

    def __init__(self, database: Path | str) -> None:
        with socket() as free:
            free.bind((LOOPBACK, 0))
            self._port = free.getsockname()[1]
        self._environment = {
            **os.environ,
            "ARCHIPEL_DATABASE": str(database),
            "ARCHIPEL_SKIP_CLIENT": "1",
        }
        self.process: subprocess.Popen[bytes]
        self.start()

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self._port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "archipel", "serve", "--local", "--no-browser"),
                *("--port", str(self._port), "--log-level", "error"),
            ],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def await_ready(self) -> None:
        end = time.monotonic() + RECOVERY
        while time.monotonic() < end:
            try:
                request.urlopen(f"{self.address}/ready", timeout=20).close()
                return
            except OSError:
                time.sleep(0.1)
            if self.process.poll() is not None:  # the port is not free yet
                self.start()
                time.sleep(0.5)
        raise Unrecovered(f"the server at {self.address} does not start")

    def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait(120)


def own_faults(servers: Sequence[OwnServer], seed: int) -> list[Fault]:
    """Kill, restart and suspend a random server each time."""
    chance = random.Random(seed)

    def end_and_start(how: signal.Signals) -> None:
        server = chance.choice(servers)
        server.end(how)
        server.start()
        server.await_ready()

    def suspend() -> None:
        server = chance.choice(servers)
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(chance.uniform(1.0, 8.0))
        server.process.send_signal(signal.SIGCONT)

    return [
        Fault("kill", lambda: end_and_start(signal.SIGKILL)),
        Fault("restart", lambda: end_and_start(signal.SIGTERM)),
        Fault("suspend", suspend),
    ]


class FaultFailed(Exception):
    """The command of a fault failed."""


def command_fault(command: Sequence[str]) -> Fault:
    """A fault by a command of the host, such as ``systemctl kill -s KILL archipel``."""

    def strike() -> None:
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=2, timeout=RECOVERY, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise FaultFailed(f"{command[0]}: {error}") from None
        if done.returncode:
            raise FaultFailed(f"{command[0]}: {done.returncode}")

    return Fault(" ".join(command), strike)


def log_reader(database: Path | str) -> ReadLogs:
    """Reads logs from a database that servers use meanwhile; a file is copied first."""

    async def read_logs(tables: Sequence[str]) -> dict[str, list[Event]]:
        if isinstance(database, str):
            return await _read(await PostgresqlStore.open(database), tables)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.db"
            back_up(database, copy)
            return await _read(SqliteStore(copy), tables)

    return read_logs


async def _read(store: EventStore, tables: Sequence[str]) -> dict[str, list[Event]]:
    try:
        return {table: list(await store.read(table)) for table in tables}
    finally:
        await store.close()


@contextmanager
def own_servers(database: Path | str, count: int) -> Iterator[list[OwnServer]]:
    """Start servers, each on a port of its own, and kill them at the end."""
    servers: list[OwnServer] = []
    try:
        for _ in range(count):
            servers.append(OwnServer(database))
            servers[-1].await_ready()
        yield servers
    finally:
        for server in servers:
            server.end(signal.SIGKILL)
