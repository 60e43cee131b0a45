"""Fixtures of the server's tests."""

import logging
from collections.abc import Iterator

import pytest

from tests.support.async_tests import pytest_pyfunc_call as pytest_pyfunc_call

#: The loggers that `set_up_logging` configures.
LOGGERS = ("archipel", "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio")


@pytest.fixture(autouse=True)
def restore_logging() -> Iterator[None]:
    """Restore the loggers: a server logs to the standard error of its test, which is closed at the
    end of the test."""
    kept = [
        (logger, logger.handlers, logger.level, logger.propagate)
        for logger in map(logging.getLogger, LOGGERS)
    ]
    yield
    for logger, handlers, level, propagate in kept:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)
