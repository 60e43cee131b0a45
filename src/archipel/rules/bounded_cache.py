"""A cache for the parts of scenes: consecutive positions and different seats share most of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedCache(Generic[T]):
    """A cache of at most ``capacity`` entries that is emptied when it is full."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: dict[Hashable, T] = {}

    def get(self, key: Hashable) -> T | None:
        return self._entries.get(key)

    def put(self, key: Hashable, value: T) -> T:
        """Store a value and return it."""
        if len(self._entries) >= self._capacity:
            self._entries.clear()
        self._entries[key] = value
        return value

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the cached value, or make it. ``key`` holds everything the value depends on."""
        value = self._entries.get(key)
        return self.put(key, make()) if value is None else value
