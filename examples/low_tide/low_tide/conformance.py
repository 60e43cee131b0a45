"""What the conformance suite asks of a game: a position whose worlds can all be listed."""

from __future__ import annotations

import itertools
from fractions import Fraction

from archipel.rules.small_position import SmallPosition


def worlds(view: str) -> dict[str, Fraction]:
    """Fill the question marks with the shells that are missing, in every order."""
    shells = view.split("shells=")[1].split()[0]
    missing = [worth for worth in "12345678" if worth not in shells]
    orders = list(itertools.permutations(missing))
    found = {}
    for order in orders:
        text = shells
        for worth in order:
            text = text.replace("?", worth, 1)
        found[view.replace(shells, text)] = Fraction(1, len(orders))
    return found


# Seat 1 has taken one shell and looked at another; a third is gone.
SMALL_POSITION = SmallPosition(
    "seats=2 turn=2 shells=1.x,2.1,3,4,5.2,6,7,8 looked1=3 looked2=-", 0, worlds
)
