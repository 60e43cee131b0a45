"""The recovery drill: back up a running server, lose its disk, restore, and measure.

    python -m tools.recovery_drill [TABLES]

Starts `archipel serve` on a database of its own, plays at some tables (25), backs up, plays on,
kills the server and deletes the database. Then it restores the backup, starts a server again, and
compares every table. It prints the recovery time, from the loss until the server is ready, and the
recovery point: what was played after the backup is lost, and nothing else.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib import error, request

TABLES = 25
#: Seconds to wait for a server to become ready.
PATIENCE = 120.0


@dataclass(frozen=True)
class Drill:
    """What a drill found."""

    tables: int
    #: Events when the backup was made, when the disk was lost, and after the recovery.
    backed_up: int
    lost_at: int
    restored: int
    #: Tables that are not as they were when the backup was made.
    wrong: tuple[str, ...]
    #: Seconds for the backup, for restoring it, and from the loss to a server that is ready.
    backup_seconds: float
    restore_seconds: float
    recovery_seconds: float

    def __str__(self) -> str:
        return (
            f"{self.tables} tables: backup {self.backup_seconds:.1f} s, "
            f"restore {self.restore_seconds:.1f} s, recovery time {self.recovery_seconds:.1f} s; "
            f"events {self.backed_up} at the backup, {self.lost_at} at the loss, "
            f"{self.restored} after the recovery"
        )


def drill(folder: Path, tables: int = TABLES) -> Drill:
    """Run the drill in a folder."""
    disk, vault = folder / "disk", folder / "vault"
    disk.mkdir()
    vault.mkdir()
    database, backup = disk / "tables.db", vault / "tables.db"
    with _server(database) as (address, process):
        names = [_make_table(address) for _ in range(tables)]
        before = {name: _last_event(address, name) for name in names}
        began = time.monotonic()
        _archipel("backup", str(backup), "--database", str(database))
        backup_seconds = time.monotonic() - began
        for name in names[::2]:
            _say_hello(address, name)
        lost_at = sum(_last_event(address, name) for name in names)
        process.send_signal(signal.SIGKILL)
        process.wait()
    lost = time.monotonic()
    shutil.rmtree(disk)
    disk.mkdir()
    began = time.monotonic()
    _archipel("restore", str(backup), "--database", str(database))
    restore_seconds = time.monotonic() - began
    with _server(database) as (address, _):
        recovery_seconds = time.monotonic() - lost
        after = {name: _last_event(address, name) for name in names}
        wrong = tuple(name for name in names if after[name] != before[name])
    return Drill(
        tables,
        sum(before.values()),
        lost_at,
        sum(after.values()),
        wrong,
        backup_seconds,
        restore_seconds,
        recovery_seconds,
    )


_TOKENS: dict[str, str] = {}


def _make_table(address: str) -> str:
    body = {"game": "deep-sea", "seats": [{}, {}], "my_name": "Ana", "options": {"first": 1}}
    made = _post(f"{address}/api/tables", body)
    _TOKENS[made["table"]] = made["token"]
    _post(f"{address}/api/tables/{made['table']}/join", {"name": "Ben"})
    return str(made["table"])


def _say_hello(address: str, table: str) -> None:
    """Change a table: another friend opens the socket of its host and says something."""
    from websockets.sync.client import connect

    socket_address = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(socket_address) as socket:
        socket.send(json.dumps({"type": "hello", "token": _TOKENS[table], "protocol": 2}))
        socket.send(json.dumps({"type": "say", "id": "drill-1", "phrase": "hello"}))
        while json.loads(socket.recv(timeout=PATIENCE))["type"] != "done":
            pass


def _last_event(address: str, table: str) -> int:
    """The number of the last event, from the welcome of the table."""
    from websockets.sync.client import connect

    socket_address = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(socket_address) as socket:
        socket.send(json.dumps({"type": "hello", "token": _TOKENS[table], "protocol": 2}))
        return int(json.loads(socket.recv(timeout=PATIENCE))["n"])


def _post(address: str, body: object) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"}
    while True:
        sent = request.Request(address, json.dumps(body).encode(), headers)
        try:
            with request.urlopen(sent, timeout=PATIENCE) as answer:
                given: dict[str, Any] = json.load(answer)
                return given
        except error.HTTPError as refused:
            if refused.code != 429:
                raise
            time.sleep(float(refused.headers["Retry-After"]))


@contextmanager
def _server(database: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a server until the block ends; yields its address once it is ready."""
    command = [sys.executable, "-m", "archipel", "serve", "--local", "--port", "0", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--database", str(database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        address = _address_of(process)
        _wait_until_ready(address)
        yield address, process
    finally:
        process.kill()
        process.wait()


def _address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        for word in line.split():
            if word.startswith("http://"):
                return word.rstrip("/.,")
    raise RuntimeError("the server did not start")


def _wait_until_ready(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with request.urlopen(f"{address}/ready", timeout=5):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server did not become ready")


def _archipel(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "archipel", *words], check=True, capture_output=True)


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or not all(word.isdecimal() for word in arguments):
        print(__doc__)
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    with tempfile.TemporaryDirectory() as place:
        found = drill(Path(place), *(int(word) for word in arguments))
    print(found)
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
