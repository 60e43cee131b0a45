"""Sets of people as bits of a number: who is first in one."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import rule

# A power of two has a remainder of its own when divided by this prime: its exponent, as a table.
PRIME: Final = 67
EXPONENT: Final = [
    next((bit for bit in range(63) if (1 << bit) % PRIME == rest), 0) for rest in range(PRIME)
]


@rule
def first_of(people: int) -> int:
    """The first of a set that is not empty."""
    return EXPONENT[(people & -people) % PRIME]
