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

    Adds the elapsed time since the last response. Never goes back.
    """

    def __init__(self, passed: Clock = since_boot) -> None:
        self._passed = passed
        self._offset: float | None = None
        self._latest = 0

    def set(self, remote: float, sent: int, received: int) -> None:
        """Set the time from a response of the other machine; ``sent`` and ``received`` are the
        local times of the request and of the response."""
        middle, error = (sent + received) / 2, (received - sent) / 2 + 1
        if self._offset is None or abs(remote - middle - self._offset) > error:
            self._offset = remote - middle

    @property
    def passed(self) -> Clock:
        """The local clock for the times of requests and responses."""
        return self._passed

    def __call__(self) -> int:
        assert self._offset is not None, "the time is not set yet"
        self._latest = max(self._latest, int(self._passed() + self._offset))
        return self._latest
