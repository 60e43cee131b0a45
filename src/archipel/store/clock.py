"""Clocks in Unix milliseconds, for the times of events and the clocks of tables."""

import sys
import time
from collections.abc import Callable
from functools import partial

Clock = Callable[[], int]


def unix_milliseconds() -> int:
    return time.time_ns() // 1_000_000


def since_boot() -> int:
    """Milliseconds on a clock that cannot be set and that counts while the machine sleeps."""
    return _ticks() // 1_000_000


if sys.platform == "linux":
    _ticks = partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)
elif sys.platform == "darwin":  # where time.monotonic stops during sleep
    _ticks = partial(time.clock_gettime_ns, time.CLOCK_MONOTONIC)
else:
    _ticks = time.monotonic_ns


class SteadyClock:
    """Unix milliseconds that ignore later changes of the system's clock.

    Reads the system's clock once and adds the elapsed time.
    """

    def __init__(self, wall: Clock = unix_milliseconds, passed: Clock = since_boot) -> None:
        self._passed = passed
        self._offset = wall() - passed()

    def __call__(self) -> int:
        return self._offset + self._passed()


class SharedClock:
    """Unix milliseconds of another machine, so that all its clients share one time.

    Adds the elapsed time between two answers. Never goes back.
    """

    def __init__(self, passed: Clock = since_boot) -> None:
        self._passed = passed
        self._offset: float | None = None
        self._latest = 0

    def set(self, told: float, asked: int, answered: int) -> None:
        """Set the time that the other machine answered, with the local times of the question and
        of the answer."""
        middle, doubt = (asked + answered) / 2, (answered - asked) / 2 + 1
        if self._offset is None or abs(told - middle - self._offset) > doubt:
            self._offset = told - middle

    @property
    def passed(self) -> Clock:
        """The local clock for the times of questions and answers."""
        return self._passed

    def __call__(self) -> int:
        assert self._offset is not None, "ask first"
        self._latest = max(self._latest, int(self._passed() + self._offset))
        return self._latest
