"""Chance for tests that records its draws."""

from __future__ import annotations

from collections.abc import Sequence

from archipel.rules.kit import Tape


class RecordingTape(Tape):
    """A tape that gives 0 after its script, and records the size of every draw."""

    def __init__(self, script: Sequence[int] = ()) -> None:
        super().__init__(script, source=_Zero())
        self.sizes: list[int] = []

    def draw_for(self, purpose: int, n: int, /) -> int:
        self.sizes.append(n)
        return super().draw_for(purpose, n)


class _Zero:
    def draw(self, n: int, /) -> int:
        return 0
