"""A signal ends the server within five seconds: under load, and whatever hangs or fails."""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib import error, request

import pytest

from tests.serve.people import Person, join_table, make_table
from tests.serve.restartable_server import ROOT, PersistentPlayer
from tests.support.postgresql import OwnServer

LIMIT = 5.0
TRIES = 20
#: `archipel` with a fault; `{}` is its code.
PROGRAM = """
import os, sys, threading, time
from archipel.cli import main
from archipel.store.sqlite.group_commit import GroupCommit
kept, faulty = GroupCommit._write, threading.Event()
def write(self, batch):
    if faulty.is_set():
        {fault}
    kept(self, batch)
GroupCommit._write = write
import signal
signal.signal(signal.SIGUSR1, lambda *_: faulty.set())
sys.exit(main(["serve", *sys.argv[1:]]))
"""


@contextmanager
def serving(*command: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process, and its address."""
    options = ("--local", "--port", "0", "--no-browser", "--log-level", "warning")
    process = subprocess.Popen(
        [sys.executable, *command, *options],
        cwd=ROOT,
        env={**os.environ, "ARCHIPEL_SKIP_CLIENT": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        while not (found := re.search(r"http://localhost:(\d+)", process.stdout.readline())):
            assert process.poll() is None, process.communicate()
        yield process, f"127.0.0.1:{found[1]}"
    finally:
        process.kill()
        process.communicate()


async def play(address: str, tables: int) -> list[asyncio.Task[None]]:
    """Start to play at some tables without pauses."""
    players = []
    for number in range(tables):
        made = await asyncio.to_thread(make_table, f"http://{address}", seats=[{}, {}])
        joined = await asyncio.to_thread(join_table, f"http://{address}", made["table"])
        socket = f"ws://{address}/api/tables/{made['table']}/socket"
        people = [Person(socket, made["token"]), Person(socket, joined["token"])]
        async with people[0] as ana:
            await ana.ask("begin")
        for person in people:
            name = f"{number}{person.token[:4]}" if person.token else ""
            players.append(PersistentPlayer(person, random.Random(number), name, pause=0.0))
    return [asyncio.create_task(player.play()) for player in players]


async def stop_under_load(process: subprocess.Popen[str], address: str) -> float:
    """The seconds from the signal to the end."""
    playing = await play(address, 8)
    await asyncio.sleep(1)
    process.send_signal(signal.SIGTERM)
    started = time.monotonic()
    await asyncio.to_thread(process.wait, 60)
    taken = time.monotonic() - started
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return taken


def test_a_signal_stops_a_server_under_load(tmp_path: Path) -> None:
    with serving("-m", "archipel", "serve", "--database", str(tmp_path / "t.db")) as server:
        asyncio.run(stop_under_load(*server))


@pytest.mark.soak
@pytest.mark.promise("shutdown")
def test_a_signal_stops_a_server_under_load_in_time(tmp_path: Path) -> None:
    taken = []
    for number in range(TRIES):
        database = str(tmp_path / f"{number}.db")
        with serving("-m", "archipel", "serve", "--database", database) as server:
            taken.append(asyncio.run(stop_under_load(*server)))
    print(f"\n{TRIES} shutdowns on SQLite, seconds: {[round(each, 1) for each in taken]}")
    assert max(taken) < LIMIT


@pytest.mark.soak
@pytest.mark.promise("shutdown")
def test_a_signal_stops_workers_under_load_in_time() -> None:
    database = OwnServer()
    taken = []
    try:
        for _ in range(TRIES):
            options = ("--workers", "2")
            environment = {"ARCHIPEL_DATABASE": database.address}
            with serving("-m", "archipel", "serve", *options, **environment) as server:
                taken.append(asyncio.run(stop_under_load(*server)))
    finally:
        database.end()
    print(f"\n{TRIES} shutdowns of two workers, seconds: {[round(each, 1) for each in taken]}")
    assert max(taken) < LIMIT


def failing(tmp_path: Path, fault: str) -> tuple[str, ...]:
    return ("-c", PROGRAM.format(fault=fault), "--database", str(tmp_path / "t.db"))


def health(address: str) -> tuple[int, str]:
    try:
        with request.urlopen(f"http://{address}/health", timeout=60) as answer:
            return answer.status, answer.read().decode()
    except error.HTTPError as refused:
        return refused.code, refused.read().decode()


@pytest.mark.promise("shutdown")
def test_a_writer_that_hangs_is_told_and_delays_no_shutdown(tmp_path: Path) -> None:
    with serving(*failing(tmp_path, "time.sleep(10_000)")) as (process, address):
        assert health(address)[0] == 200
        process.send_signal(signal.SIGUSR1)
        while (answer := health(address))[0] == 200:
            time.sleep(0.1)
        assert "does not answer" in answer[1]
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "did not stop within" in errors


def test_a_server_whose_writer_fails_again_and_again_stops_with_a_clear_line(
    tmp_path: Path,
) -> None:
    with serving(*failing(tmp_path, "raise MemoryError")) as (process, address):
        process.send_signal(signal.SIGUSR1)
        refused = 0
        while process.poll() is None and refused < 3:
            try:
                make_table(f"http://{address}")
            except error.HTTPError:
                refused += 1
            except OSError:
                break  # it has stopped
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "the server stops: the writer of the database has stopped" in errors
