"""`archipel serve --workers`: processes on one port, watched and replaced; and bots alone."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib import request
from urllib.error import URLError

import pytest

from archipel.cli import main
from archipel.serve.figures import in_sum
from tests.serve.people import make_table
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
                line_with(bots, "Bots play at the tables of postgresql://")
                until(lambda: position() != before)
                until(lambda: "-bots" in (get(f"{http}/metrics") or ""))


def test_without_a_database_there_is_one_worker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARCHIPEL_DATABASE", raising=False)
    file = str(tmp_path / "tables.db")
    for arguments, status, why in (
        (["serve", "--workers", "2", "--database", file], 1, "one file has one server"),
        (["serve", "--no-bots", "--database", file], 1, "nobody else could let them play"),
        (["bots", "--database", file], 2, "need a database"),
        (["bots"], 2, "need a database"),
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
    text = in_sum([("m/1", one + lag.format(0.5)), ("m/2", one + lag.format(0.25))])
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
