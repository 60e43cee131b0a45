"""Sets of small numbers as the bits of one number."""

from __future__ import annotations

from archipel.rules.kit import rule


@rule
def nth_bit(bits: int, n: int) -> int:
    """The position of the n-th set bit, counted from 0 at the low end."""
    position = 0
    while True:
        if bits >> position & 1 != 0:
            if n == 0:
                return position
            n -= 1
        position += 1
