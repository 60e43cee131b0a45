"""The order of players at the end."""

from __future__ import annotations

from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import score
from archipel.rules.kit import rule


@rule
def rank(s: HasSea, seat: int) -> int:
    """How many players have more; equal ones share a place."""
    mine = score(s, seat)
    ahead = 0
    for other in range(s.seats):
        if score(s, other) > mine:
            ahead += 1
    return ahead
