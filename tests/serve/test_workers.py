"""`archipel serve --workers`: supervised processes on one port; and `archipel bots`."""

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
from tests.serve.people import Person, join_table, make_table
from tests.serve.restartable_server import GONE
from tests.support.postgresql import database

ROOT = Path(__file__).parents[2]


@contextmanager
def command(address: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command on a database named by the environment; stop it at the end."""
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
    raise AssertionError(f"no line matches {pattern}")


def children_of(process: subprocess.Popen[str]) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True
    )
    return [int(pid) for pid in listed.stdout.split()]


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end, "the condition never became true"
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
            # Every worker reports the metrics of both.
            until(lambda: 'worker="' in (get(f"{http}/metrics") or ""))
            until(
                lambda: len(set(re.findall(r'worker="([^"]+)"', get(f"{http}/metrics") or ""))) == 2
            )
            first = set(children_of(process))
            assert len(first) == 2
            # A killed worker is replaced.
            os.kill(min(first), signal.SIGKILL)
            until(
                lambda: (
                    len(set(children_of(process)) - first) == 1 and len(children_of(process)) == 2
                )
            )
            # A rolling restart replaces all, and some worker always answers.
            second = set(children_of(process))
            process.send_signal(signal.SIGHUP)

            def all_new() -> bool:
                assert get(f"{http}/api/tables/{made['table']}") is not None
                now = set(children_of(process))
                return not now & second and len(now) == 2

            until(all_new)


class Crowd:
    """Players and spectators of one table, whose worker is given."""

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

    async def gather_until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + 300
        while not await asyncio.to_thread(condition):
            assert time.monotonic() < end, "the condition never became true"
            with suppress(*GONE):
                await self.one_more()
            await asyncio.sleep(0.5)

    async def come_back(self) -> None:
        """Reconnect as browsers do, until it succeeds."""
        for player in self.players:
            while True:
                try:
                    await player.connect()
                    break
                except GONE:
                    await asyncio.sleep(0.1)

    async def make_a_move(self) -> None:
        """Play one move and wait until both players see it."""
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


def metric_of(http: str, name: str, worker: int) -> float:
    """A metric of one worker, which workers exchange every two seconds."""
    found = re.search(
        rf'^archipel_{name}{{worker="[^"]*/{worker}"}} (\S+)$', get(f"{http}/metrics") or "", re.M
    )
    return float(found[1]) if found else 0.0


def sockets_of(process: int) -> int:
    """The number of open sockets of a process."""
    count = 0
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):
            count += os.readlink(descriptor).startswith("socket:")
    return count


@pytest.mark.parametrize("worker", [1, 2])
def test_connections_of_a_table_reach_its_worker(worker: int) -> None:
    other = 3 - worker

    async def scenario(http: str, process: subprocess.Popen[str]) -> None:
        crowd = Crowd(http, worker)
        await crowd.come(20)
        # The system decides which worker accepts: in time it is the other one.
        await crowd.gather_until(
            lambda: metric_of(http, "connections_handed_over_total", other) > 0
        )

        def all_at_one() -> bool:
            return (
                metric_of(http, "sockets", worker) == 2 + len(crowd.watching)
                and metric_of(http, "sockets", other) == 0
                and metric_of(http, "connections_taken_over_total", worker)
                == metric_of(http, "connections_handed_over_total", other)
            )

        await asyncio.to_thread(until, all_at_one)
        assert metric_of(http, "connections_handed_over_total", worker) == 0
        await crowd.make_a_move()
        # The worker dies, all players reconnect, and the game continues.
        first = set(children_of(process))
        os.kill(max(first, key=sockets_of), signal.SIGKILL)
        await crowd.come_back()
        await crowd.make_a_move()
        # Its successor gets the table's connections again.
        await asyncio.to_thread(until, lambda: len(set(children_of(process)) - first) == 1)
        await crowd.go()
        await crowd.gather_until(lambda: metric_of(http, "sockets", worker) > 0)
        await crowd.go()

    with database() as address:
        options = ("--workers", "2", "--local", "--port", "0", "--no-browser", "--no-bots")
        with command(address, "serve", *options) as process:
            http = line_with(process, r"http://localhost:\d+").group(0)
            until(
                lambda: len(set(re.findall(r'worker="([^"]+)"', get(f"{http}/metrics") or ""))) == 2
            )
            # Wait for regular heartbeats of both.
            time.sleep(2 * SILENCE_SECONDS)
            asyncio.run(scenario(http, process))


def test_bots_without_a_web_server() -> None:
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


def test_several_workers_need_postgresql(
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
        errors = capsys.readouterr().err
        assert why in errors
        assert len(errors.splitlines()) == 1
    assert not (tmp_path / "tables.db").exists()


def test_an_unreachable_database_is_reported_in_one_line(
    capfd: pytest.CaptureFixture[str],
) -> None:
    address = "postgresql://ana:s3cret@127.0.0.1:1/tables"
    for arguments in (["serve", "--local", "--port", "0", "--no-browser"], ["bots"]):
        assert main([*arguments, "--database", address]) == 1
        errors = capfd.readouterr().err.splitlines()
        assert "cannot be opened" in errors[-1]
        assert len(errors) == 1
        assert not any("s3cret" in line for line in errors)


def test_metrics_are_summed_and_listed_per_worker() -> None:
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
