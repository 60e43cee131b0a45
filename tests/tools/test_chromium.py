"""Which browser the tests find, and when one is installed. Nothing is installed here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools import chromium

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")


def stand_in(folder: Path, name: str, code: int = 0) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose programs are those in one folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(chromium, "_ELSEWHERE", ())
    return tmp_path


def test_nothing_is_found_where_there_is_nothing(programs: Path) -> None:
    assert chromium.find_chromium() is None


def test_a_browser_that_does_not_start_is_passed_over(programs: Path) -> None:
    stand_in(programs, "chromium", code=1)
    assert chromium.find_chromium() is None
    chrome = stand_in(programs, "google-chrome")
    assert chromium.find_chromium() == chrome


def test_the_one_named_in_the_environment_is_taken_and_no_other(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(programs, "chromium")
    special = stand_in(programs, "special")
    monkeypatch.setenv(chromium.VARIABLE, str(special))
    assert chromium.find_chromium() == special
    monkeypatch.setenv(chromium.VARIABLE, str(programs / "gone"))
    assert chromium.find_chromium() is None


def test_nothing_is_installed_without_apt_or_the_right_to(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not chromium.install_chromium()
    stand_in(programs, "apt-get")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert not chromium.install_chromium()  # no sudo
    stand_in(programs, "sudo", code=1)
    assert not chromium.install_chromium()  # a sudo that asks for a password


def test_root_installs_it(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(programs, "apt-get")
    commands: list[list[str]] = []

    def record(command: list[str], **rest: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, stdout="")

    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("subprocess.run", record)
    assert chromium.install_chromium()
    assert [command[1] for command in commands] == ["update", "install"]


def test_doing_without_is_said_aloud(
    programs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert chromium.main() == 1
    assert "NOT RUN" in capsys.readouterr().out
    found = stand_in(programs, "chromium")
    assert chromium.main() == 0
    assert capsys.readouterr().out == f"{found}\n"
