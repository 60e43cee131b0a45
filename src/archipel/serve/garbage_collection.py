"""Infrequent garbage collection, for short pauses.

Tables hold many small objects but no cycles, and connections break theirs when they end, so
reference counting frees both. With hundreds of tables, Python's default thresholds spent a third of
all processor time on collections, which were also the longest pauses. A collection after a million
new objects still finds leaks.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 1_000_000
_COLLECTIONS_PER_OLDER_GENERATION = 20


@contextmanager
def infrequent_collection() -> Iterator[None]:
    """Raise the thresholds while the server runs, and restore them afterwards.

    Objects that exist at the start are frozen, unless the process has frozen some before: a process
    that starts many servers (in tests) would else spend most of its time here.
    """
    before = gc.get_threshold()
    freezes = gc.get_freeze_count() == 0
    if freezes:
        gc.collect()
        gc.freeze()
    gc.set_threshold(
        _NEW_OBJECTS, _COLLECTIONS_PER_OLDER_GENERATION, _COLLECTIONS_PER_OLDER_GENERATION
    )
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if freezes:
            gc.unfreeze()
