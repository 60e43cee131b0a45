"""The time a store writes beside an event; tests bring their own."""

import time
from collections.abc import Callable

Clock = Callable[[], int]


def unix_milliseconds() -> int:
    return time.time_ns() // 1_000_000
