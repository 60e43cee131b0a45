"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "rule(*ids): the rules that a test checks; docs/rules-index.md is made from these",
    )
