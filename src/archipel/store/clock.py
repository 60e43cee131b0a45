"""The time a store writes beside an event, and the one tables live by; tests bring their own."""

import sys
import time
from collections.abc import Callable
from functools import partial

Clock = Callable[[], int]


def unix_milliseconds() -> int:
    return time.time_ns() // 1_000_000


def since_boot() -> int:
    """Milliseconds that nobody can set, on a clock that goes on while the machine sleeps."""
    return _ticks() // 1_000_000


if sys.platform == "linux":
    _ticks = partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)
elif sys.platform == "darwin":  # where Python's own stands still in sleep
    _ticks = partial(time.clock_gettime_ns, time.CLOCK_MONOTONIC)
else:
    _ticks = time.monotonic_ns


class SteadyClock:
    """Unix milliseconds as of when it was made, and from then on what has truly passed.

    The system's clock may be set forward or back as it likes: it is asked once.
    """

    def __init__(self, wall: Clock = unix_milliseconds, passed: Clock = since_boot) -> None:
        self._passed = passed
        self._offset = wall() - passed()

    def __call__(self) -> int:
        return self._offset + self._passed()


class SharedClock:
    """Unix milliseconds as another machine has them, so that all who ask it have the same time.

    Between two answers it goes on by what has truly passed here, and it never goes back.
    """

    def __init__(self, passed: Clock = since_boot) -> None:
        self._passed = passed
        self._offset: float | None = None
        self._latest = 0

    def set(self, told: float, asked: int, answered: int) -> None:
        """What the other's clock said to a question, and when here that was asked and answered."""
        middle, doubt = (asked + answered) / 2, (answered - asked) / 2 + 1
        if self._offset is None or abs(told - middle - self._offset) > doubt:
            self._offset = told - middle

    @property
    def passed(self) -> Clock:
        """By what to measure when something was asked."""
        return self._passed

    def __call__(self) -> int:
        assert self._offset is not None, "ask first"
        self._latest = max(self._latest, int(self._passed() + self._offset))
        return self._latest
