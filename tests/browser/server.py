"""A server process for browser tests, which can be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib import request

import msgspec

from archipel.rules.kit.core.loading import can_compile
from archipel.serve.static_files import load_client
from tests.browser.server_process import ServerOptions

DEFAULTS = ServerOptions()
ROOT = Path(__file__).resolve().parents[2]


class Server:
    """A server process; `start` again after `kill`."""

    def __init__(self, database: Path, options: ServerOptions, port: int = 0) -> None:
        self._database = database
        self._options = options
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def database(self) -> Path:
        return self._database

    @property
    def port(self) -> int:
        return self._port

    def processor_seconds(self) -> float:
        """The processor time used so far, on Linux."""
        assert self._process is not None
        stat = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.browser.server_process"]
        options = msgspec.json.encode(self._options).decode()
        arguments = [str(self._database), str(self._port), options]
        self._process = subprocess.Popen([*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the server did not start"
        self._port = int(line)

    def kill(self) -> None:
        """Kill the process without warning."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, with_signal: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(with_signal)
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def read(self, path: str) -> str:
        """The body of a GET request."""
        with request.urlopen(f"{self.address}{path}", timeout=20) as answer:
            text: bytes = answer.read()
            return text.decode()


def engines(folder: Path, *games: str) -> tuple[tuple[str, str], ...]:
    """Build the engines of some games into files; empty without a compiler."""
    if not can_compile():
        return ()
    from archipel.bots.engine.modules import build_engine

    files = {game: folder / f"{game}.wasm" for game in games}
    for game, file in files.items():
        file.write_bytes(build_engine(game))
    return tuple((game, str(file)) for game, file in files.items())


@contextmanager
def run_server(folder: Path, options: ServerOptions = DEFAULTS, port: int = 0) -> Iterator[Server]:
    assert load_client().built, "the browser client is not built: run `python3 run.py test`"
    server = Server(folder / "tables.db", options, port)
    server.start()
    try:
        yield server
    finally:
        server.stop()
