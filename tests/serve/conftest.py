"""What the tests of the server share."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

#: Those that `set_up_logging` sees to.
LOGGERS = ("archipel", "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio")


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """A server that a test starts here sets up logging to the standard error of that test, which is
    closed with it: later servers would complain of that instead of writing."""
    kept = [
        (logger, logger.handlers, logger.level, logger.propagate)
        for logger in map(logging.getLogger, LOGGERS)
    ]
    yield
    for logger, handlers, level, propagate in kept:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)
