"""What rules with open names need of a state."""

from __future__ import annotations

from typing import Protocol


class HasCounters(Protocol):
    counters: list[int]
