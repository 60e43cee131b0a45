"""What all tests share."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from tools.chromium import MISSING, NOTICE


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "rule(*ids): the rules that a test checks; docs/rules-index.md is made from these",
    )
    # Examples are the same every time, and new ones in the long run; how busy a machine is never
    # makes a difference.
    settings.register_profile(
        "house",
        derandomize=bool(config.option.markexpr),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("house")
    # One compiled form serves all tests, the one with checks; the long run sees both.
    if config.option.markexpr:
        os.environ["ARCHIPEL_CHECKED"] = "1"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where there is no browser, tests that need one are left out; see the summary below."""
    if not os.environ.get(MISSING):
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """A browser that waits for the next of its tests leaves a loop running, in which others cannot
    start one of their own: whichever tests a worker has to do, and in whatever order, it is out of
    their sight."""
    loop = None if item.get_closest_marker("browser") else asyncio._get_running_loop()
    if loop is not None:
        asyncio._set_running_loop(None)
    yield
    if loop is not None and nextitem is not None:
        asyncio._set_running_loop(loop)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """The tests themselves stay to the end: nobody need look through them for garbage.

    Each of the hundreds of servers that are started would do so, for a quarter of a second.
    """
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get(MISSING):
        terminalreporter.write_line("")
        for line in NOTICE.splitlines():
            terminalreporter.write_line(line, red=True, bold=True)
