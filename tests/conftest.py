"""Hooks for all tests."""

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
        "rule(*ids): the rules that a test checks, for docs/rules-index.md",
    )
    config.addinivalue_line(
        "markers",
        "promise(*ids): the promises that a test holds, for docs/promises.md",
    )
    # Examples are fixed in the quick run and new in the long run; a busy machine fails no test.
    settings.register_profile(
        "archipel",
        derandomize=bool(config.option.markexpr),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("archipel")
    # The quick run compiles only with checks; the long run compiles both ways.
    if config.option.markexpr:
        os.environ["ARCHIPEL_CHECKED"] = "1"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect browser tests if there is no browser; the summary says so."""
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
    """Hide the event loop of an open browser from other tests, which start loops of their own."""
    loop = None if item.get_closest_marker("browser") else asyncio._get_running_loop()
    if loop is not None:
        asyncio._set_running_loop(None)
    yield
    if loop is not None and nextitem is not None:
        asyncio._set_running_loop(loop)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection.

    Otherwise each of the hundreds of servers that tests start spends a quarter of a second on them.
    """
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get(MISSING):
        terminalreporter.write_line("")
        for line in NOTICE.splitlines():
            terminalreporter.write_line(line, red=True, bold=True)
