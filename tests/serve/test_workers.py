"""`archipel serve --workers`: processes on one port, watched and replaced; and bots alone."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib import request
from urllib.error import URLError

import pytest

from archipel.cli import main
from archipel.serve.metrics import merge_metrics
from archipel.serve.transport.table_routing import SILENCE_SECONDS, worker_of
from tests.serve.killable import GONE
from tests.serve.people import Person, join_table, make_table
from tests.support.postgresql import database

ROOT = Path(__file__).parents[2]


@contextmanager
def command(address: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command on that database, which only the environment names; ended in the orderly way."""
    process = subprocess.Popen(
        [sys.executable, "-m", "archipel", *arguments],
        cwd=ROOT,
        env={**os.environ, "ARCHIPEL_DATABASE": address, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stderr.close()


def line_with(process: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    assert process.stdout is not None
    while line := process.stdout.readline():
        if found := re.search(pattern, line):
            return found
    raise AssertionError(f"nothing like {pattern} was said")


def children_of(process: subprocess.Popen[str]) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True
    )
    return [int(pid) for pid in listed.stdout.split()]


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.1)


def get(address: str) -> str | None:
    try:
        with request.urlopen(address, timeout=20) as answer:
            return str(answer.read().decode())
    except (URLError, OSError):
        return None


def test_workers_share_a_port_and_are_replaced() -> None:
    with database() as address:
        options = ("--workers", "2", "--local", "--port", "0", "--no-browser", "--no-bots")
        serving = command(address, "serve", *options)
        with serving as process:
            http = line_with(process, r"http://localhost:\d+").group(0)
            assert get(f"{http}/live") is not None
            until(lambda: get(f"{http}/ready") is not None)
            made = make_table(http, seats=[{}, {"bot": "random"}], begin=True)
            # Both of them know it, and both are counted, whichever is asked.
            until(lambda: 'worker="' in (get(f"{http}/metrics") or ""))
            until(
                lambda: len(set(re.findall(r'worker="([^"]+)"', get(f"{http}/metrics") or ""))) == 2
            )
            first = set(children_of(process))
            assert len(first) == 2
            # One is killed: another comes in its place.
            os.kill(min(first), signal.SIGKILL)
            until(
                lambda: (
                    len(set(children_of(process)) - first) == 1 and len(children_of(process)) == 2
                )
            )
            # All are replaced, and somebody answers all the time.
            second = set(children_of(process))
            process.send_signal(signal.SIGHUP)

            def all_new() -> bool:
                assert get(f"{http}/api/tables/{made['table']}") is not None
                now = set(children_of(process))
                return not now & second and len(now) == 2

            until(all_new)


class Crowd:
    """People at one table of two workers, in a loop of their own."""

    def __init__(self, http: str, worker: int) -> None:
        self.made = make_table(http, seats=[{}, {}])
        while worker_of(self.made["table"], (1, 2)) != worker:
            self.made = make_table(http, seats=[{}, {}])
        self.address = f"ws{http[4:]}/api/tables/{self.made['table']}/socket"
        tokens = (self.made["token"], join_table(http, self.made["table"])["token"])
        self.players = [Person(self.address, token) for token in tokens]
        self.watching: list[Person] = []

    async def come(self, spectators: int) -> None:
        for player in self.players:
            await player.connect()
        assert (await self.players[0].ask("begin"))["type"] == "done"
        for _ in range(spectators):
            await self.one_more()

    async def one_more(self) -> None:
        person = Person(self.address)
        await person.connect()
        self.watching.append(person)

    async def gather_until(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + 300
        while not await asyncio.to_thread(is_so):
            assert time.monotonic() < end, "it did not come about"
            with suppress(*GONE):
                await self.one_more()
            await asyncio.sleep(0.5)

    async def come_back(self) -> None:
        """As browsers do: again and again, from what was seen last."""
        for player in self.players:
            while True:
                try:
                    await player.connect()
                    break
                except GONE:
                    await asyncio.sleep(0.1)

    async def make_a_move(self) -> None:
        """Whoever is to move; both see it."""
        for player in self.players:
            await player.until(lambda person: person.position is not None)
        (mover,) = [player for player in self.players if player.choices]
        assert mover.position is not None
        answer = await mover.ask("play", n=mover.position["n"], action=mover.choices[0])
        assert answer["type"] == "done"
        for player in self.players:
            while player.after < answer["n"]:
                await player.next()

    async def go(self) -> None:
        for person in (*self.players, *self.watching):
            with suppress(*GONE):
                await person.socket.close()
        self.watching.clear()


def figure(http: str, name: str, worker: int) -> float:
    """Of one worker, as all of them know it; they tell each other every two seconds."""
    found = re.search(
        rf'^archipel_{name}{{worker="[^"]*/{worker}"}} (\S+)$', get(f"{http}/metrics") or "", re.M
    )
    return float(found[1]) if found else 0.0


def sockets_of(process: int) -> int:
    """How many connections a process has, pages and those to the database included."""
    count = 0
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):
            count += os.readlink(descriptor).startswith("socket:")
    return count


@pytest.mark.parametrize("worker", [1, 2])
def test_connections_of_a_table_end_at_one_worker_and_come_back(worker: int) -> None:
    other = 3 - worker

    async def course(http: str, process: subprocess.Popen[str]) -> None:
        crowd = Crowd(http, worker)
        await crowd.come(20)
        # It is for the system to say who accepts: sooner or later it is the other worker.
        await crowd.gather_until(lambda: figure(http, "connections_handed_over_total", other) > 0)

        def all_at_one() -> bool:
            return (
                figure(http, "sockets", worker) == 2 + len(crowd.watching)
                and figure(http, "sockets", other) == 0
                and figure(http, "connections_taken_over_total", worker)
                == figure(http, "connections_handed_over_total", other)
            )

        await asyncio.to_thread(until, all_at_one)
        assert figure(http, "connections_handed_over_total", worker) == 0
        await crowd.make_a_move()
        # The worker dies, all come back somewhere, and the game goes on.
        first = set(children_of(process))
        os.kill(max(first, key=sockets_of), signal.SIGKILL)
        await crowd.come_back()
        await crowd.make_a_move()
        # In its place there is another, which has the table's connections again.
        await asyncio.to_thread(until, lambda: len(set(children_of(process)) - first) == 1)
        await crowd.go()
        await crowd.gather_until(lambda: figure(http, "sockets", worker) > 0)
        await crowd.go()

    with database() as address:
        options = ("--workers", "2", "--local", "--port", "0", "--no-browser", "--no-bots")
        with command(address, "serve", *options) as process:
            http = line_with(process, r"http://localhost:\d+").group(0)
            until(
                lambda: len(set(re.findall(r'worker="([^"]+)"', get(f"{http}/metrics") or ""))) == 2
            )
            # So that they know of each other from more than their start.
            time.sleep(2 * SILENCE_SECONDS)
            asyncio.run(course(http, process))


def test_bots_play_where_no_page_is_served() -> None:
    with database() as address:
        page = command(address, "serve", "--no-bots", "--local", "--port", "0", "--no-browser")
        with page as process:
            http = line_with(process, r"http://localhost:\d+").group(0)
            made = make_table(http, seats=[{"bot": "random"}] * 2, my_seat=None, begin=True)

            def position() -> object:
                return json.loads(get(f"{http}/api/tables/{made['table']}/position") or "{}").get(
                    "n"
                )

            before = position()
            with command(address, "bots", "--bot-cores", "1") as bots:
                line_with(bots, "Running the bots of postgresql://")
                until(lambda: position() != before)
                until(lambda: "-bots" in (get(f"{http}/metrics") or ""))


def test_without_a_database_there_is_one_worker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARCHIPEL_DATABASE", raising=False)
    file = str(tmp_path / "tables.db")
    for arguments, status, why in (
        (["serve", "--workers", "2", "--database", file], 2, "a file allows one server"),
        (["serve", "--no-bots", "--database", file], 1, "no other process could run the bots"),
        (["bots", "--database", file], 2, "needs a PostgreSQL database"),
        (["bots"], 2, "needs a PostgreSQL database"),
    ):
        assert main(arguments) == status
        told = capsys.readouterr().err
        assert why in told
        assert len(told.splitlines()) == 1
    assert not (tmp_path / "tables.db").exists()


def test_a_database_that_is_not_there_is_told_in_one_line(
    capfd: pytest.CaptureFixture[str],
) -> None:
    address = "postgresql://ana:s3cret@127.0.0.1:1/tables"
    for arguments in (["serve", "--local", "--port", "0", "--no-browser"], ["bots"]):
        assert main([*arguments, "--database", address]) == 1
        told = capfd.readouterr().err.splitlines()
        assert "cannot be opened" in told[-1]
        assert len(told) == 1
        assert not any("s3cret" in line for line in told)


def test_figures_are_told_in_sum_and_of_each() -> None:
    one = '# HELP a_total All.\n# TYPE a_total counter\na_total{k="x"} 2\na_total 1\n'
    lag = "# HELP lag_seconds Lag.\n# TYPE lag_seconds gauge\nlag_seconds {}\n"
    text = merge_metrics([("m/1", one + lag.format(0.5)), ("m/2", one + lag.format(0.25))])
    assert text.splitlines() == [
        "# HELP a_total All.",
        "# TYPE a_total counter",
        'a_total{k="x"} 4.0',
        "a_total 2.0",
        'a_total{k="x",worker="m/1"} 2.0',
        'a_total{worker="m/1"} 1.0',
        'a_total{k="x",worker="m/2"} 2.0',
        'a_total{worker="m/2"} 1.0',
        "# HELP lag_seconds Lag.",
        "# TYPE lag_seconds gauge",
        "lag_seconds 0.5",
        'lag_seconds{worker="m/1"} 0.5',
        'lag_seconds{worker="m/2"} 0.25',
    ]
