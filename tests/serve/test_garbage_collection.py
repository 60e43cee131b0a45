"""While a server runs garbage is rarely looked for; afterwards everything is as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from archipel.serve.garbage_collection import infrequent_collection


@pytest.fixture
def nothing_set_aside() -> Iterator[None]:
    """What the tests have set aside is taken back for one test."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.mark.usefixtures("nothing_set_aside")
def test_what_was_loaded_is_set_aside_and_taken_back() -> None:
    before = gc.get_threshold()
    with infrequent_collection():
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == before


@pytest.mark.usefixtures("nothing_set_aside")
def test_what_was_set_aside_before_stays_there() -> None:
    gc.freeze()
    with infrequent_collection():
        pass
    assert gc.get_freeze_count() > 0
