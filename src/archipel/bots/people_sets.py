"""Sets of people as bits of an integer."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import rule

# The powers of two up to 2^62 have different remainders modulo this prime.
PRIME: Final = 67
EXPONENT: Final = [
    next((bit for bit in range(63) if (1 << bit) % PRIME == rest), 0) for rest in range(PRIME)
]


@rule
def first_of(people: int) -> int:
    """The lowest element of a non-empty set."""
    return EXPONENT[(people & -people) % PRIME]
