"""Lighthouse on pages of a site, with its profile of a mobile device."""

from __future__ import annotations

import json
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from archipel.serve.client_build import npm_beside, variables_for
from archipel.site.downloads import required_node
from benchmarks.static_site.slow_host import SlowLine, slow_host

VERSION = "12.8.2"
#: Pages of a first visit.
PAGES = {
    "home page": "",
    "puzzles of a game": "?/puzzles/the-island",
    "rules of a game": "docs/rules/the-island.en.html",
}
#: Lighthouse simulates a slow line itself.
_FAST = 1e9
_LONGEST = 120_000


def scores(site: Path, chromium: str) -> dict[str, dict[str, int]]:
    """The scores of each page by category, of 100."""
    with slow_host(site, SlowLine(_FAST, 0)) as address:
        flags = ["--chrome-flags=--headless --no-sandbox --disable-gpu"]
        found = {name: _scores(address + page, chromium, flags) for name, page in PAGES.items()}
        with _table(address, chromium) as (table, port):
            flags = [f"--port={port}", "--disable-storage-reset"]
            found["table of a game"] = _scores(table, chromium, flags)
    return found


@contextmanager
def _table(address: str, chromium: str) -> Iterator[tuple[str, int]]:
    """A game against bots in a browser: its address, and the port of the browser's tools."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=chromium, args=[f"--remote-debugging-port={port}"]
        )
        page = context.new_page()
        page.set_default_timeout(_LONGEST)
        page.goto(address)
        page.get_by_test_id("game-the-island").get_by_test_id("play-now").click()
        page.get_by_test_id("board").wait_for()
        table = page.url
        page.close()
        yield table, port
        context.close()


def _scores(address: str, chromium: str, flags: list[str]) -> dict[str, int]:
    node = required_node()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [*npm_beside(node), "exec", "--yes", f"lighthouse@{VERSION}", "--", address]
        command += ["--quiet", "--output=json", f"--output-path={report}", *flags]
        variables = {**variables_for(node), "CHROME_PATH": chromium}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        found = json.loads(report.read_text("utf-8"))["categories"]
    return {name: round(100 * (part["score"] or 0)) for name, part in found.items()}
