"""Square root, logarithm and exponential by table, with linear interpolation.

Rules give equal bits on all machines and compilers, whose own functions differ.  The tables are
small, since they are part of compiled programs.
"""

from __future__ import annotations

import math
from typing import Final

from archipel.rules.kit.core.decorators import rule

#: Digits of the tables; functions of two machines may differ in the last of their 16 digits.
DIGITS: Final = 13

TABLED: Final = 256
LOG_OF_TWO: Final = round(math.log(2), DIGITS)
LOGARITHM: Final = [0.0, *(round(math.log(number), DIGITS) for number in range(1, TABLED + 1))]
ROOT: Final = [round(math.sqrt(number), DIGITS) for number in range(TABLED + 1)]

#: `decay` of larger amounts is 0.
LOWEST: Final = 20
FINENESS: Final = 64
WHOLE_POWER: Final = [round(math.exp(-whole), DIGITS + 8) for whole in range(LOWEST)]
PART_POWER: Final = [round(math.exp(-step / FINENESS), DIGITS) for step in range(FINENESS + 1)]


@rule
def logarithm(number: int) -> float:
    """Return the natural logarithm of an integer (0 for 0), with an error of at most 0.00001."""
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
    """Return the square root of an integer, with a relative error of at most 1 in 100,000."""
    halvings = 0
    while number >> 2 * halvings >= TABLED:
        halvings += 1
    place = number >> 2 * halvings
    rest = (number - (place << 2 * halvings)) / (1 << 2 * halvings)
    return (ROOT[place] + rest * (ROOT[place + 1] - ROOT[place])) * (1 << halvings)


@rule
def decay(amount: float) -> float:
    """Return exp(-amount), with a relative error of at most 1 in 30,000; 0 from `LOWEST` on."""
    if amount >= LOWEST:
        return 0.0
    whole = int(amount)
    steps = (amount - whole) * FINENESS
    step = int(steps)
    part = steps - step
    return WHOLE_POWER[whole] * (
        PART_POWER[step] + part * (PART_POWER[step + 1] - PART_POWER[step])
    )
