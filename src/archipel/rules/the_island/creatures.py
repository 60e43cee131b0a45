"""Creatures (chapter Step 4): where they are, and what they do to those they find.

Moving one is in `creature_move`.
"""

from __future__ import annotations

from archipel.rules.hex_sea.boats import boat_in, load
from archipel.rules.hex_sea.places import NO_BOAT
from archipel.rules.hex_sea.swimmers import swimmers_in
from archipel.rules.kit import rule
from archipel.rules.the_island.components import KIND_OF, SERPENT, SHARK
from archipel.rules.the_island.explorers import capsize, lose_boat, lose_swimmers
from archipel.rules.the_island.sea import SEA
from archipel.rules.the_island.state import State

put_creature = SEA.put_creature
take_up_creature = SEA.take_up_creature  # IS-X1: another of its kind may remain
move_creature = SEA.move_creature
next_in_stock = SEA.next_in_stock  # IS-K11
is_on_board = SEA.is_on_board


@rule
def finds_prey(s: State, creature: int) -> bool:
    """Whether something in its space stops it (IS-X2, IS-X3, IS-X4)."""
    space = s.creature[creature]
    kind = KIND_OF[creature]
    boat = boat_in(s, space)
    if kind != SHARK and boat != NO_BOAT and load(s, boat) > 0:
        return True
    return kind in (SERPENT, SHARK) and swimmers_in(s, space) > 0


@rule
def harm(s: State, creature: int) -> None:
    """What a creature does to those it found (IS-X2, IS-X3, IS-X4)."""
    space = s.creature[creature]
    kind = KIND_OF[creature]
    boat = boat_in(s, space)
    occupied = boat != NO_BOAT and load(s, boat) > 0
    if kind == SHARK:
        lose_swimmers(s, space)
    elif kind == SERPENT:
        lose_swimmers(s, space)
        if occupied:
            lose_boat(s, boat)
    elif occupied:
        capsize(s, boat, False)
