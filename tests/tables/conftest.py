from collections.abc import Iterator

import pytest

from tests.support.async_tests import pytest_pyfunc_call as pytest_pyfunc_call
from tests.tables.secret_cards import secret_cards_registered


@pytest.fixture(autouse=True)
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here needs the compiler."""
    monkeypatch.setattr("archipel.rules.kit.core.loading.can_compile", lambda: False)


@pytest.fixture(autouse=True)
def _secret_cards() -> Iterator[None]:
    with secret_cards_registered():
        yield
