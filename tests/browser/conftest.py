"""One Chromium and one server for all tests here, and people who come with a browser each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.people import PATIENCE, Device, Person, sit_down
from tests.browser.server_process import Difference
from tests.browser.serving import Server, engines, serving
from tools.chromium import NOTICE, find_chromium

#: What Chromium does by itself and nobody here needs, on a network that may be closed.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
#: Complaints of a browser whose server is away, or refuses what it has to: some tests arrange it.
_TO_BE_EXPECTED = ("WebSocket connection to", "net::ERR_", "status of 409")


class Arrive(Protocol):
    def __call__(self, name: str, server: Server | None = None, **device: Any) -> Person: ...


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.fail(f"{NOTICE}\nTo leave these tests out: -m 'not browser'", pytrace=False)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        loop = asyncio._get_running_loop()
        yield browser
        asyncio._set_running_loop(loop)  # other tests may have come last: see tests/conftest.py
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, Difference(engines=engines(folder, "deep-sea"))) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may do anything to."""
    with serving(tmp_path) as running:
        yield running


@pytest.fixture
def hurried_server(tmp_path: Path) -> Iterator[Server]:
    """A server whose minutes last a second, and which other devices reach by another address."""
    difference = Difference(hurry=60, elsewhere=("http://192.0.2.7:8000/",))
    with serving(tmp_path, difference) as running:
        yield running


@pytest.fixture
def arrive(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Arrive]:
    """Lets somebody come, by name, with a device as described. Their pages must not complain."""
    people: list[Person] = []

    def come(name: str, server: Server | None = None, **device: Any) -> Person:
        where: Server = server or request.getfixturevalue("server")
        person = sit_down(chromium, where.address, name, Device(**device))
        people.append(person)
        return person

    yield come
    complaints = [
        f"{person.name}: {complaint}"
        for person in people
        for complaint in person.complaints
        if not any(expected in complaint for expected in _TO_BE_EXPECTED)
    ]
    for person in people:
        person.context.close()
    assert not complaints
