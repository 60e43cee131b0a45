"""One Chromium and one server for all tests of this folder; users get their own contexts."""

from __future__ import annotations

import asyncio
import functools
import socket
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Route, expect, sync_playwright

from archipel.site.build import build_site
from archipel.site.meeting import Meeting
from tests.browser.server import Server, engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import TIMEOUT, Device, UserPage, open_user_page
from tools.chromium import NOTICE, find_chromium

#: Switches off background work of Chromium; the network may be closed.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
#: Errors of tests that stop the server or have a request refused.
_EXPECTED_ERRORS = ("WebSocket connection to", "net::ERR_", "status of 409")


class NewUser(Protocol):
    def __call__(self, name: str, server: Server | None = None, **device: Any) -> UserPage: ...


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.fail(f"{NOTICE}\nTo leave these tests out: -m 'not browser'", pytrace=False)
    expect.set_options(timeout=1000 * TIMEOUT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        loop = asyncio._get_running_loop()
        yield browser
        asyncio._set_running_loop(loop)  # see tests/conftest.py
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with run_server(
        folder, ServerOptions(engines=engines(folder, "deep-sea", "deep-sea.checker"))
    ) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may stop it."""
    with run_server(tmp_path) as running:
        yield running


@pytest.fixture
def fast_clock_server(tmp_path: Path) -> Iterator[Server]:
    """A server whose minutes last a second, with another public address."""
    options = ServerOptions(clock_speed=60, public_addresses=("http://192.0.2.7:8000/",))
    with run_server(tmp_path, options) as running:
        yield running


@pytest.fixture
def new_user(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[NewUser]:
    """Opens a page for a user with a device; fails if a page reports an error."""
    users: list[UserPage] = []

    def open_page(name: str, server: Server | None = None, **device: Any) -> UserPage:
        used: Server = server or request.getfixturevalue("server")
        user = open_user_page(chromium, used.address, name, Device(**device))
        users.append(user)
        return user

    yield open_page
    errors = [
        f"{user.name}: {error}"
        for user in users
        for error in user.errors
        if not any(expected in error for expected in _EXPECTED_ERRORS)
    ]
    for user in users:
        user.context.close()
    assert not errors


# ---- a static site ------------------------------------------------------------------------------

SITE_FOLDER = "some/folder"


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="session")
def continuing_port() -> int:
    """A free port for the server where tables of the site may continue."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, continuing_port: int) -> Iterator[str]:
    """The address of a site in a folder of a plain file server."""
    top = tmp_path_factory.mktemp("host")
    meeting = Meeting(server=f"http://127.0.0.1:{continuing_port}")
    build_site(top / SITE_FOLDER, None, lambda step: None, meeting)
    handler = functools.partial(QuietHandler, directory=str(top))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{SITE_FOLDER}/"
        server.shutdown()


@pytest.fixture
def new_visitor(chromium: Browser, site: str, continuing_port: int) -> Iterator[NewUser]:
    """Opens the site for visitors; fails if a page or the tables report an error, or if a page asks
    an origin that the site does not name."""
    users: list[UserPage] = []
    wrong: list[str] = []
    named = (site, f"http://127.0.0.1:{continuing_port}/")

    def check(route: Route) -> None:
        if not route.request.url.startswith(named):
            wrong.append(route.request.url)
        route.continue_()

    def hear(message: ConsoleMessage) -> None:
        if message.text.startswith("a request failed"):  # of Python's log
            wrong.append(message.text)

    def open_page(name: str, server: Server | None = None, **device: Any) -> UserPage:
        user = open_user_page(chromium, site, name, Device(**device))
        user.context.route("**/*", check)
        user.context.on("console", hear)
        users.append(user)
        return user

    yield open_page
    for user in users:
        user.context.close()
    assert not wrong
    assert not [error for user in users for error in user.errors]
