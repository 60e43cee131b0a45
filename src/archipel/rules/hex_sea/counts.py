"""Counts of several kinds packed into one int, so that a rule can hold them in a variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from archipel.rules.kit import rule

COUNT_BITS: Final = 5  # for each kind
COUNT_MASK: Final = (1 << COUNT_BITS) - 1


def in_one_number(counts: Sequence[int]) -> int:
    """Pack the counts of each kind."""
    return sum(count << COUNT_BITS * kind for kind, count in enumerate(counts))


@rule
def nth_counted(counts: int, first: int, n: int) -> int:
    """The kind of the n-th thing (from 0), counting from a first kind on."""
    kind = first
    while n >= counts >> COUNT_BITS * kind & COUNT_MASK:
        n -= counts >> COUNT_BITS * kind & COUNT_MASK
        kind += 1
    return kind
