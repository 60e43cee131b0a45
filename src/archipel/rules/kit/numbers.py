"""Roots, logarithms and powers of e by table: the same to the last bit wherever rules run, which
the functions of different machines and compilers are not."""

from __future__ import annotations

import math
from typing import Final

from archipel.rules.kit.marking import rule

TABLED: Final = 4096
LOG_OF_TWO: Final = math.log(2)

LOGARITHM: Final = [0.0, *(math.log(number) for number in range(1, TABLED))]
ROOT: Final = [math.sqrt(number) for number in range(TABLED)]

# e to the power of 0 down to -LOWEST, in steps of 1 / FINENESS.
LOWEST: Final = 20
FINENESS: Final = 64
POWER: Final = [math.exp(-step / FINENESS) for step in range(LOWEST * FINENESS + 1)]


@rule
def logarithm(number: int) -> float:
    """The natural logarithm of a whole number from 1, good to 1 part in 4,000 (exact in the table);
    0 of 0."""
    halvings = 0
    while number >= TABLED:
        number = number >> 1
        halvings += 1
    return LOGARITHM[number] + halvings * LOG_OF_TWO


@rule
def root(number: int) -> float:
    """The square root of a whole number from 0, good to 1 part in 2,000 (exact in the table)."""
    doubled = 1
    while number >= TABLED:
        number = number >> 2
        doubled = doubled << 1
    return ROOT[number] * doubled


@rule
def decay(amount: float) -> float:
    """e to the power of minus an amount from 0, good to 1 part in 30,000; 0 where that is next to
    nothing."""
    if amount >= LOWEST:
        return 0.0
    steps = amount * FINENESS
    step = int(steps)
    part = steps - step
    return POWER[step] + part * (POWER[step + 1] - POWER[step])
