"""How far it is across the board, as tables: land and sea alike, since land will be sea."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.board import BOARD, LANDING, SPACES

FAR: Final = 20  # more than any way that matters


def steps_from(start: int) -> tuple[int, ...]:
    """Of every space, how many steps it is from one."""
    steps = [FAR] * SPACES
    steps[start] = 0
    edge = [start]
    while edge:
        following = []
        for space in edge:
            for near in BOARD.neighbours[space]:
                if steps[near] == FAR and steps[space] + 1 < FAR:
                    steps[near] = steps[space] + 1
                    following.append(near)
        edge = following
    return tuple(steps)


#: ``STEPS[space][other]``
STEPS: Final = tuple(steps_from(space) for space in range(SPACES))

#: To the nearest landing.
TO_LANDING: Final = tuple(
    min(STEPS[space][landing] for landing in LANDING) for space in range(SPACES)
)
