"""Infrequent garbage collection while a server runs, and its restoration."""

import gc
from collections.abc import Iterator

import pytest

from archipel.serve.garbage_collection import infrequent_collection


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    """Unfreeze the objects of the test process for one test."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.mark.usefixtures("nothing_frozen")
def test_objects_are_frozen_and_unfrozen() -> None:
    before = gc.get_threshold()
    with infrequent_collection():
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] > before[0]
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == before


@pytest.mark.usefixtures("nothing_frozen")
def test_objects_frozen_before_stay_frozen() -> None:
    gc.freeze()
    with infrequent_collection():
        pass
    assert gc.get_freeze_count() > 0
