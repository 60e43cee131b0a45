"""Lighthouse on pages of a site, with its profile of a mobile device."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

from archipel.serve.client_build import npm_beside, variables_for
from archipel.site.downloads import required_node
from benchmarks.static_site.slow_host import SlowLine, slow_host

VERSION = "12.8.2"
PAGES = {
    "home page": "",
    "page of a game": "?/puzzles/the-island",
}
#: Lighthouse simulates a slow line itself.
_FAST = 1e9


def scores(site: Path, chromium: str) -> dict[str, dict[str, int]]:
    """The scores of each page by category, of 100."""
    with slow_host(site, SlowLine(_FAST, 0)) as address:
        return {name: _scores(address + page, chromium) for name, page in PAGES.items()}


def _scores(address: str, chromium: str) -> dict[str, int]:
    node = required_node()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [*npm_beside(node), "exec", "--yes", f"lighthouse@{VERSION}", "--", address]
        command += ["--quiet", "--output=json", f"--output-path={report}"]
        command += ["--chrome-flags=--headless --no-sandbox --disable-gpu"]
        variables = {**variables_for(node), "CHROME_PATH": chromium}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        found = json.loads(report.read_text("utf-8"))["categories"]
    return {name: round(100 * (part["score"] or 0)) for name, part in found.items()}
