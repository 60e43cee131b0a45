"""Fixtures of the store's tests."""

from collections.abc import Iterator

import pytest

from tests.support.async_tests import pytest_pyfunc_call as pytest_pyfunc_call
from tests.support.postgresql import database


@pytest.fixture
def address() -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    with database() as address:
        yield address
