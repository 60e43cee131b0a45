"""The time a store writes beside an event, and the one tables live by; tests bring their own."""

import sys
import time
from collections.abc import Callable

Clock = Callable[[], int]


def unix_milliseconds() -> int:
    return time.time_ns() // 1_000_000


def since_boot() -> int:
    """Milliseconds that nobody can set, on a clock that goes on while the machine sleeps."""
    if sys.platform == "linux":
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    if sys.platform == "darwin":  # where Python's own stands still in sleep
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000_000
    return time.monotonic_ns() // 1_000_000


class SteadyClock:
    """Unix milliseconds as of when it was made, and from then on what has truly passed.

    The system's clock may be set forward or back as it likes: it is asked once.
    """

    def __init__(self, wall: Clock = unix_milliseconds, passed: Clock = since_boot) -> None:
        self._passed = passed
        self._offset = wall() - passed()

    def __call__(self) -> int:
        return self._offset + self._passed()
