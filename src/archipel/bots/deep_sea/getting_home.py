"""The chance of covering a distance in so many throws, as a table."""

from __future__ import annotations

from typing import Final

from archipel.rules.deep_sea.components import LONGEST_LINE, MOST_UNITS_HELD

CERTAIN: Final = 1000  # chances are in thousandths
FARTHEST: Final = LONGEST_LINE  # steps from the outermost space into the submarine

# Enough for one unit from the far end of the line; what needs more is as good as lost.
MOST_THROWS: Final = 16

# DS-C2: how many of the nine throws of two dice add up to each sum from 2.
LEAST_SUM: Final = 2
WAYS: Final = (1, 2, 3, 2, 1)
THROWS: Final = 9


def chances_with(load: int) -> tuple[tuple[int, ...], ...]:
    """For each distance, the chance of covering it in each number of throws."""
    # By throws, then distance: after none, only who is there already is home.
    rows = [[1.0] + [0.0] * FARTHEST]
    for _ in range(MOST_THROWS):
        before, row = rows[-1], [1.0]
        for distance in range(1, FARTHEST + 1):
            chance = 0.0
            for extra, ways in enumerate(WAYS):
                steps = max(0, LEAST_SUM + extra - load)
                chance += ways * before[max(0, distance - steps)]
            row.append(chance / THROWS)
        rows.append(row)
    return tuple(
        tuple(int(CERTAIN * row[distance]) for row in rows) for distance in range(FARTHEST + 1)
    )


#: ``HOME_CHANCE[load][distance][throws]``
HOME_CHANCE: Final = tuple(chances_with(load) for load in range(MOST_UNITS_HELD + 1))
