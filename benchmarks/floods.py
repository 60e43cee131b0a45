"""Measure what a flood of WebSocket frames from one address does to the moves of other players.

    python -m benchmarks.floods
    python -m benchmarks.floods --workers 2 --kind pings

Starts `archipel serve` with its usual limits, on SQLite, or with ``--workers`` on PostgreSQL.  A
process with another address of this machine opens a socket, sends frames of one kind as fast as it
can, and opens the next socket when it is closed.  Quiet and flooded periods alternate; only the
ratio of their latencies means anything, and only if the control, which sends nothing, is near 1.
Target: a 99th percentile below twice the quiet one.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.arguments import parser_of
from benchmarks.load.measuring import ClientPool, Measured, in_milliseconds, percentile
from benchmarks.load.processes import ROOT, Served
from tests.support.postgresql import OwnServer

#: One masked frame of each kind, and what has to come before the first.
_START = b"\x01\x80\0\0\0\0"
FLOODS = {
    "nothing": (b"", b""),
    "pings": (b"", b"\x89\x80\0\0\0\0"),
    "long pings": (b"", b"\x89\xfd\0\0\0\0" + b"x" * 125),
    "pongs": (b"", b"\x8a\x80\0\0\0\0"),
    "texts": (b"", b"\x81\x8f\0\0\0\0" + b'{"type":"ping"}'),
    "empty texts": (b"", b"\x81\x80\0\0\0\0"),
    "binaries": (b"", b"\x82\x80\0\0\0\0"),
    "empty fragments": (_START, b"\x00\x80\0\0\0\0"),
    "fragmented texts": (b"", _START + b"\x80\x80\0\0\0\0"),
    "long texts": (b"", b"\x81\xfe\x10\0\0\0\0\0" + b"x" * 4096),
    "too long texts": (b"", b"\x81\xff\0\0\0\x01\0\0\0\0\0\0\0\0" + b"x" * 4096),
    "reserved kinds": (b"", b"\x83\x80\0\0\0\0"),
    "closes": (b"", b"\x88\x80\0\0\0\0"),
}
_FLOODER = "127.0.0.2"
_TIMES = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("floods", __doc__)
    parser.add_argument("--kind", action="append", choices=FLOODS, help="default: all")
    parser.add_argument("--workers", type=int, default=0, help="on PostgreSQL; 0: SQLite")
    parser.add_argument("--game", default="the-island")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--rate", type=float, default=40.0, help="moves per second in total")
    parser.add_argument("--seconds", type=float, default=2.0, help="of one period")
    parser.add_argument("--periods", type=int, default=10, help="of each kind, in turn")
    parser.add_argument("--flooder", nargs=2, metavar=("KIND", "PORT"))
    options = parser.parse_args(arguments)
    if options.flooder:
        kind, port = options.flooder
        flood(kind, int(port), sys.stdin.readline().strip())
        return 0
    missed = []
    for kind in options.kind or FLOODS:
        quiet, flooded = asyncio.run(_measure(kind, options))
        ratio = _p99(flooded) / _p99(quiet)
        print(f"{kind}: {ratio:.2f} times the quiet p99")
        for name, measured in (("quiet", quiet), ("flooded", flooded)):
            latency = in_milliseconds(measured.timings.receipts)
            print(f"  {name:<8} {measured.moves} moves, {latency}, {measured.busy:.3f} cores busy")
        if ratio >= _TIMES:
            missed.append(kind)
    result = f"MISSED by {', '.join(missed)}" if missed else "reached"
    print(f"target of less than {_TIMES:g} times: {result}")
    return 1 if missed else 0


def _p99(measured: Measured) -> float:
    return percentile(measured.timings.receipts, 0.99)


async def _measure(kind: str, options: Namespace) -> tuple[Measured, Measured]:
    quiet, flooded = [], []
    with _serving(options.workers) as server, _flooder(kind, server.port) as flooder:
        pool = await ClientPool.open(server, options.game, options.tables, 3)
        assert flooder.stdin is not None
        flooder.stdin.write(pool.players[0].seat.table.encode() + b"\n")
        flooder.stdin.flush()
        flooder.send_signal(signal.SIGSTOP)
        pause = options.tables / options.rate
        think = (pause * 0.5, pause * 1.5)
        for _ in range(options.periods):
            quiet.append(await pool.play_for(options.seconds, think))
            flooder.send_signal(signal.SIGCONT)
            flooded.append(await pool.play_for(options.seconds, think))
            flooder.send_signal(signal.SIGSTOP)
        pool.close()
    return Measured.combined(quiet), Measured.combined(flooded)


@contextmanager
def _serving(workers: int) -> Iterator[Served]:
    options = ["--local", "--port", "0", "--no-browser", "--log-level", "error"]
    with tempfile.TemporaryDirectory(prefix="archipel-floods-") as folder:
        database = OwnServer() if workers else None
        address = str(Path(folder) / "tables.db") if database is None else database.address
        if workers:
            options += ["--workers", str(workers)]
        process = subprocess.Popen(
            [sys.executable, "-m", "archipel", "serve", *options],
            cwd=ROOT,
            env={**os.environ, "ARCHIPEL_DATABASE": address},
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        try:
            while line := process.stdout.readline().decode():
                if found := re.search(r"http://localhost:(\d+)", line):
                    yield Served(process, int(found[1]))
                    break
            else:
                raise RuntimeError("the server did not start")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(120)
            process.stdout.close()
            if database is not None:
                database.end()


@contextmanager
def _flooder(kind: str, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that floods the table whose id it gets."""
    command = [sys.executable, "-m", "benchmarks.floods", "--flooder", kind, str(port)]
    process = subprocess.Popen(["nice", *command], cwd=ROOT, stdin=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def flood(kind: str, port: int, table: str, seconds: float = 600.0) -> None:
    """Flood until killed, at most for some seconds; reads nothing."""
    first, frame = FLOODS[kind]
    if not frame:
        time.sleep(seconds)
        return
    block = frame * (65_536 // len(frame))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", port), 10, (_FLOODER, 0)) as connection,
        ):
            connection.sendall(
                f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            connection.recv(4096)
            connection.sendall(first)
            while time.monotonic() < end:
                connection.sendall(block)


if __name__ == "__main__":
    raise SystemExit(main())
