"""What is made of a position again and again: from one to the next, and from one seat's eyes to
another's, almost all of it is the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Memory(Generic[Made]):
    """What was made of equal things before. It forgets all of it when it is full."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[Hashable, Made] = {}

    def found(self, things: Hashable) -> Made | None:
        """What was made of them, if it was."""
        return self._made.get(things)

    def keep(self, things: Hashable, made: Made) -> Made:
        """Remember what was made of them."""
        if len(self._made) >= self._most:
            self._made.clear()
        self._made[things] = made
        return made

    def of(self, things: Hashable, make: Callable[[], Made]) -> Made:
        """What ``make`` makes; ``things`` are all that it depends on."""
        made = self._made.get(things)
        return self.keep(things, make()) if made is None else made
