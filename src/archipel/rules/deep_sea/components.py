"""The components (chapter Components)."""

from __future__ import annotations

from typing import Final

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 6

# DS-C1: chips of a level are worth four neighbouring values, two chips of each.
LEVELS: Final = 4
CHIPS_PER_LEVEL: Final = 8
CHIPS: Final = LEVELS * CHIPS_PER_LEVEL
CHIPS_PER_VALUE: Final = 2
VALUES_PER_LEVEL: Final = CHIPS_PER_LEVEL // CHIPS_PER_VALUE
ALL_CHIPS: Final = (1 << CHIPS) - 1

# DS-C2: each of 1, 2, 3 is on two faces of a die, so all three are equally likely.
DICE: Final = 2
DIE_RESULTS: Final = 3

FULL_AIR: Final = 25
ROUNDS: Final = 3
PILE: Final = 3
MOST_UNITS_HELD: Final = 6  # DS-T11

# The line is longest at a round's end, when the units of the drowned lie beyond discs: every chip
# taken leaves its disc behind and comes back in a pile of up to three. DS-C3: discs never run out,
# so nothing counts them.
LONGEST_LINE: Final = CHIPS + (CHIPS + PILE - 1) // PILE
