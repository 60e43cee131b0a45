"""What all tests share."""

from __future__ import annotations

import os

import pytest

from tools.chromium import MISSING, NOTICE


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "rule(*ids): the rules that a test checks; docs/rules-index.md is made from these",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where there is no browser, tests that need one are left out; see the summary below."""
    if not os.environ.get(MISSING):
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get(MISSING):
        terminalreporter.write_line("")
        for line in NOTICE.splitlines():
            terminalreporter.write_line(line, red=True, bold=True)
