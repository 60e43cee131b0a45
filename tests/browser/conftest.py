"""One Chromium and one server for all tests of this folder; users get their own contexts."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.server import Server, engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.static_site import Host, built_site, running_host
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


@pytest.fixture(scope="session")
def site_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A plain file server with a static site, in a folder of its own."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with running_host(built_site(shared)) as host:
        yield host


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
