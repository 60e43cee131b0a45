"""Garbage collection that keeps nobody waiting.

Tables live long and hold many small objects, but form no cycles: they are freed at once when they
are forgotten. Python would all the same look through thousands of them after every few hundred new
ones, which with hundreds of tables was a third of all work and the longest pause there was. So it
looks only after a million: enough to find what leaks, if ever something does.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_OBJECTS = 1_000_000
_LOOKS_BEFORE_OLDER_ONES = 20


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """For as long as the server runs; afterwards everything is as it was.

    Whoever has set aside already what was loaded (a process of many servers, one after the other)
    is left to it: to look through all of it at each start would be most of the work.
    """
    before = gc.get_threshold()
    begins = gc.get_freeze_count() == 0
    if begins:
        gc.collect()
        gc.freeze()  # what was loaded to begin with stays
    gc.set_threshold(_NEW_OBJECTS, _LOOKS_BEFORE_OLDER_ONES, _LOOKS_BEFORE_OLDER_ONES)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if begins:
            gc.unfreeze()
