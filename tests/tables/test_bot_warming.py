"""Searches are compiled in the background, one at a time, until the server stops."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from archipel.tables.bots import warming
from archipel.tables.bots.warming import Warming

#: Logs the start and end of each game; waits while a file named wait exists.
COMPILER = """
import sys, time
from pathlib import Path
game, folder = sys.argv[1], Path(sys.argv[2])
with open(folder / "log", "a") as log:
    log.write("begin " + game + chr(10))
while (folder / "wait").exists():
    time.sleep(0.01)
with open(folder / "log", "a") as log:
    log.write("end " + game + chr(10))
"""


@pytest.fixture(autouse=True)
def _a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def command(module: str, target: str, game: str) -> list[str]:
        return [sys.executable, "-c", COMPILER, game, str(tmp_path)]

    monkeypatch.setattr(warming, "can_compile", lambda: True)
    monkeypatch.setattr(warming, "is_compiled_already", lambda program: False)
    monkeypatch.setattr(warming, "python_command", command)


def warming_of(games: list[str]) -> Warming:
    return Warming(games, (), os.environ, soon=0.0)


def wait_for(thread_name: str = "bot-warming") -> None:
    for thread in threading.enumerate():
        if thread.name == thread_name:
            thread.join()


def test_games_are_compiled_one_after_the_other(tmp_path: Path) -> None:
    warming_of(["deep-sea", "atlantis"]).start()
    wait_for()
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines == ["begin deep-sea", "end deep-sea", "begin atlantis", "end atlantis"]


def test_compiled_games_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "is_compiled_already", lambda program: program.name == "deep-sea")
    warming_of(["deep-sea", "atlantis"]).start()
    wait_for()
    assert (tmp_path / "log").read_text().splitlines() == ["begin atlantis", "end atlantis"]


def test_stopping_kills_the_running_compiler(tmp_path: Path) -> None:
    (tmp_path / "wait").touch()
    warm = warming_of(["deep-sea", "atlantis"])
    warm.start()
    pause = threading.Event()
    log = tmp_path / "log"
    while not (log.exists() and log.read_text().endswith("\n")):
        pause.wait(0.01)
    warm.stop()
    wait_for()
    assert (tmp_path / "log").read_text().splitlines() == ["begin deep-sea"]


def test_nothing_is_compiled_without_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "can_compile", lambda: False)
    warming_of(["deep-sea"]).start()
    wait_for()
    assert not (tmp_path / "log").exists()
