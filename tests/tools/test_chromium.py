"""Finding and installing a browser for the tests. Nothing is really installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools import chromium

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")


def make_program(folder: Path, name: str, code: int = 0) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose only programs are those in one folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(chromium, "_ELSEWHERE", ())
    return tmp_path


def test_without_a_browser_nothing_is_found(programs: Path) -> None:
    assert chromium.find_chromium() is None


def test_a_browser_that_does_not_start_is_skipped(programs: Path) -> None:
    make_program(programs, "chromium", code=1)
    assert chromium.find_chromium() is None
    chrome = make_program(programs, "google-chrome")
    assert chromium.find_chromium() == chrome


def test_the_environment_names_the_browser(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_program(programs, "chromium")
    special = make_program(programs, "special")
    monkeypatch.setenv(chromium.VARIABLE, str(special))
    assert chromium.find_chromium() == special
    monkeypatch.setenv(chromium.VARIABLE, str(programs / "gone"))
    assert chromium.find_chromium() is None


def test_nothing_is_installed_without_apt_or_permission(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not chromium.install_chromium()
    make_program(programs, "apt-get")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert not chromium.install_chromium()  # no sudo
    make_program(programs, "sudo", code=1)
    assert not chromium.install_chromium()  # a sudo that asks for a password


@pytest.mark.parametrize("packages", [("chromium-headless-shell", "chromium"), ("chromium",), ()])
def test_root_installs_what_the_system_has(
    programs: Path, monkeypatch: pytest.MonkeyPatch, packages: tuple[str, ...]
) -> None:
    make_program(programs, "apt-get")
    installed: list[str] = []

    def apt_get(command: list[str], **rest: object) -> subprocess.CompletedProcess[str]:
        known = command[1] == "update" or command[-1] in packages
        if known and command[1] == "install":
            installed.append(command[-1])
        return subprocess.CompletedProcess(command, 0 if known else 100, stdout="")

    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("subprocess.run", apt_get)
    assert chromium.install_chromium() == bool(packages)
    assert installed == list(packages[:1])


def test_a_missing_browser_is_reported(
    programs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert chromium.main() == 1
    assert "NOT RUN" in capsys.readouterr().out
    found = make_program(programs, "chromium")
    assert chromium.main() == 0
    assert capsys.readouterr().out == f"{found}\n"
