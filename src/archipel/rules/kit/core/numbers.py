"""Roots, logarithms and powers of e by table: the same to the last bit wherever rules run, which
the functions of different machines and compilers are not.

The tables are small, since they travel with whatever is compiled, and a straight line lies between
two of their numbers.
"""

from __future__ import annotations

import math
from typing import Final

from archipel.rules.kit.core.decorators import rule

#: Mathematical functions of two machines may differ in the last of their 16 digits.
DIGITS: Final = 13

TABLED: Final = 256
LOG_OF_TWO: Final = round(math.log(2), DIGITS)
LOGARITHM: Final = [0.0, *(round(math.log(number), DIGITS) for number in range(1, TABLED + 1))]
ROOT: Final = [round(math.sqrt(number), DIGITS) for number in range(TABLED + 1)]

#: From here on a power of e to minus an amount is next to nothing.
LOWEST: Final = 20
FINENESS: Final = 64
WHOLE_POWER: Final = [round(math.exp(-whole), DIGITS + 8) for whole in range(LOWEST)]
PART_POWER: Final = [round(math.exp(-step / FINENESS), DIGITS) for step in range(FINENESS + 1)]


@rule
def logarithm(number: int) -> float:
    """The natural logarithm of a whole number from 1, off by 1 in 100,000 at most (exact in the
    table); 0 of 0."""
    halvings = 0
    while number >> halvings >= TABLED:
        halvings += 1
    place = number >> halvings
    rest = (number - (place << halvings)) / (1 << halvings)
    return (
        LOGARITHM[place] + rest * (LOGARITHM[place + 1] - LOGARITHM[place]) + halvings * LOG_OF_TWO
    )


@rule
def root(number: int) -> float:
    """The square root of a whole number from 0, good to 1 part in 100,000 (exact in the table)."""
    halvings = 0
    while number >> 2 * halvings >= TABLED:
        halvings += 1
    place = number >> 2 * halvings
    rest = (number - (place << 2 * halvings)) / (1 << 2 * halvings)
    return (ROOT[place] + rest * (ROOT[place + 1] - ROOT[place])) * (1 << halvings)


@rule
def decay(amount: float) -> float:
    """e to the power of minus an amount from 0, good to 1 part in 30,000; 0 where that is next to
    nothing."""
    if amount >= LOWEST:
        return 0.0
    whole = int(amount)
    steps = (amount - whole) * FINENESS
    step = int(steps)
    part = steps - step
    return WHOLE_POWER[whole] * (
        PART_POWER[step] + part * (PART_POWER[step + 1] - PART_POWER[step])
    )
