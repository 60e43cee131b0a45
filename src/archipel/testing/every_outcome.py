"""Enumerate the outcomes of chance, with exact probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeVar

from archipel.rules.kit import Chance

T = TypeVar("T")


class _Branch:
    """A chance that replays a path, then always draws 0, and records the size of each draw."""

    def __init__(self, path: tuple[int, ...]) -> None:
        self.path = path
        self.sizes: list[int] = []

    def draw(self, n: int, /) -> int:
        place = len(self.sizes)
        self.sizes.append(n)
        return self.path[place] if place < len(self.path) else 0


def every_outcome(run: Callable[[Chance], T]) -> Iterator[tuple[tuple[int, ...], Fraction, T]]:
    """Call ``run`` for every sequence of outcomes; yield outcomes, probability and result."""
    path: tuple[int, ...] | None = ()
    while path is not None:
        branch = _Branch(path)
        result = run(branch)
        outcomes = path + (0,) * (len(branch.sizes) - len(path))
        probability = Fraction(1)
        for size in branch.sizes:
            probability /= size
        yield outcomes, probability, result
        path = _next(outcomes, branch.sizes)


def _next(outcomes: tuple[int, ...], sizes: list[int]) -> tuple[int, ...] | None:
    for place in reversed(range(len(outcomes))):
        if outcomes[place] + 1 < sizes[place]:
            return (*outcomes[:place], outcomes[place] + 1)
    return None
