"""A static site, built once for all tests, in a folder of Python's plain file server."""

from __future__ import annotations

import functools
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Request

from archipel.site.build import build_site
from archipel.site.meeting import Meeting
from tests.browser.user_page import UserPage

FOLDER = "some/folder"

#: Seconds that another process may need to build the site.
_LONGEST_BUILD = 600

#: Passes on what the tables in the page's worker say to this page.
_LISTEN = """
const Own = window.Worker;
window.Worker = class extends Own {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => data?.kind === "text" && hearText(data.text));
  }
};
"""


def built_site(shared: Path) -> Path:
    """The folder of a host with the site; ``shared`` is a folder of all processes of this run."""
    host, building = shared / "static-site", shared / "static-site.building"
    try:
        building.mkdir()
    except FileExistsError:
        end = time.monotonic() + _LONGEST_BUILD
        while not host.is_dir():
            assert time.monotonic() < end, "another process has not built the site"
            time.sleep(0.2)
        return host
    # The folder ``building`` stays, so that no other process builds the site again.
    build_site(building / "host" / FOLDER, None, lambda step: None, Meeting())
    return (building / "host").rename(host)


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


class Host:
    """A plain file server, which can be cut off and come back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server: ThreadingHTTPServer | None = None
        self._port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}/{FOLDER}/"

    def start(self) -> None:
        handler = functools.partial(_QuietHandler, directory=str(self.folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), handler)
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


@contextmanager
def running_host(folder: Path) -> Iterator[Host]:
    host = Host(folder)
    try:
        yield host
    finally:
        host.stop()


def copied_site(host: Path, target: Path) -> Path:
    """A copy of the host's folder that a test may change; equal files take no space."""
    return Path(shutil.copytree(host, target, copy_function=os.link))


def hear_tables(user: UserPage) -> None:
    """Record the messages of the tables in this browser like those of a server."""
    user.context.expose_binding("hearText", lambda source, text: user.received.append(text))
    user.context.add_init_script(_LISTEN)


def foreign_requests(user: UserPage, site: str) -> list[str]:
    """The addresses outside the site that its pages and workers ask for from now on."""
    found: list[str] = []

    def check(request: Request) -> None:
        if not request.url.startswith((site, "blob:", "data:")):
            found.append(request.url)

    user.context.on("request", check)
    return found
