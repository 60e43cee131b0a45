"""Find a Chromium for the browser tests, or install one.

    python -m tools.chromium

Prints the path of the browser. If there is none and none can be installed, reports that and exits
with status 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

#: The environment variable with the path of a browser in an unusual place.
VARIABLE = "ARCHIPEL_CHROMIUM"
#: Set by run.py if there is no browser: pytest then skips the browser tests and says so.
MISSING = "ARCHIPEL_NO_BROWSER"

#: The best first: the headless shell draws no window and takes a quarter less processor time.
_PROGRAMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
_ELSEWHERE = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
)
#: Debian has both packages, other systems only the second.
_PACKAGES = ("chromium-headless-shell", "chromium")

NOTICE = """\
**************************************************************************
*  NO BROWSER: the tests in a real browser are NOT RUN.                  *
*                                                                        *
*  Neither Chromium nor Google Chrome was found, and installing Chromium *
*  by apt-get is not possible here. Install one of them, or name it with *
*  ARCHIPEL_CHROMIUM=/path/to/chromium, and run this again.              *
**************************************************************************"""


def find_chromium() -> Path | None:
    """Return a Chromium or Chrome that starts, or None. The environment variable comes first."""
    return next((path for path in _candidates() if _starts(path)), None)


def _candidates() -> Iterator[Path]:
    named = os.environ.get(VARIABLE)
    if named:
        yield Path(named)
        return
    for program in _PROGRAMS:
        found = shutil.which(program)
        if found is not None:
            yield Path(found)
    for place in _ELSEWHERE:
        if Path(place).is_file():
            yield Path(place)


def _starts(path: Path) -> bool:
    """Whether the program runs: on Ubuntu the file may be a script that only refers to a snap."""
    if sys.platform == "win32":
        return path.is_file()  # on Windows, --version opens a window
    try:
        done = subprocess.run(
            [str(path), "--version"], capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def install_chromium() -> bool:
    """Install Chromium with apt-get, as root or with a sudo that needs no password."""
    if shutil.which("apt-get") is None:
        return False
    before = _as_root()
    if before is None:
        return False
    print("installing Chromium with apt-get for the browser tests", file=sys.stderr, flush=True)
    _apt_get([*before, "apt-get", "update", "-q"])
    for package in _PACKAGES:
        done = _apt_get([*before, "apt-get", "install", "-y", "-q", package])
        if done.returncode == 0:
            return True
    print(done.stdout[-2000:].rstrip(), file=sys.stderr, flush=True)
    return False


def _apt_get(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _as_root() -> list[str] | None:
    """Return the prefix of a command that needs root, or None if root is not available."""
    if sys.platform == "win32":
        return None
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo is None:
        return None
    quietly = [sudo, "-n"]
    done = subprocess.run([*quietly, "true"], capture_output=True, check=False)
    return quietly if done.returncode == 0 else None


def main() -> int:
    found = find_chromium()
    if found is None and os.environ.get(VARIABLE) is None and install_chromium():
        found = find_chromium()
    if found is None:
        print(NOTICE, flush=True)
        return 1
    print(found, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
