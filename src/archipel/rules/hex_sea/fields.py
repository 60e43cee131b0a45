"""The fields that both games have, under the same names, for the rules they share."""

from __future__ import annotations

from typing import Protocol

from archipel.rules.hex_sea.swimmers import HasSwimmers


class HasSea(HasSwimmers, Protocol):
    """A state of islands, boats, people and creatures: see `archipel.rules.hex_sea.places`."""

    seats: int
    # Whose decision it is.
    phase: int
    turn: int  # whose turn it is
    points: int  # movement points left
    chosen: int  # the piece, as the action that chose it
    steps: int  # how many spaces the chosen piece may still go
    # The end.
    idle_turns: int  # begun with no land left, since anyone was saved or lost
    ending: int
    # The pieces.
    land_left: list[int]  # of each terrain, in the order in which they sink
    left: list[int]  # of each seat, people neither saved nor lost
    creature: list[int]  # per creature, its space
