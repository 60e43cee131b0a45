"""Sea animals (chapter Animals): their places and their prey."""

from __future__ import annotations

from archipel.rules.atlantis.components import KIND_OF, MONSTER, OCTOPUS, SHARK
from archipel.rules.atlantis.people import capsize, lose_boat, lose_swimmers
from archipel.rules.atlantis.sea import SEA
from archipel.rules.atlantis.state import State
from archipel.rules.hex_sea.boats import boat_in, load
from archipel.rules.hex_sea.places import NO_BOAT
from archipel.rules.kit import rule, rule_apart

put_animal = SEA.put_creature
move_animal = SEA.move_creature  # AT-X4: another of its kind may remain in its space
animal_in = SEA.creature_in
next_in_stock = SEA.next_in_stock  # AT-K4
is_on_board = SEA.is_on_board
step_animal = SEA.step_creature


@rule
def finds_prey(s: State, animal: int) -> bool:
    """Whether an animal harms in its space (AT-X1, AT-X2, AT-X3); dolphins never do (AT-X4)."""
    space = s.creature[animal]
    kind = KIND_OF[animal]
    boat = boat_in(s, space)
    if kind == MONSTER:
        return boat != NO_BOAT or s.crowd[space] > 0
    if kind == SHARK:
        return s.crowd[space] > 0
    return kind == OCTOPUS and boat != NO_BOAT and load(s, boat) > 0


@rule_apart
def harm(s: State, animal: int) -> None:
    """AT-X6: harm everyone in the animal's space, when it is moved or placed there."""
    space = s.creature[animal]
    kind = KIND_OF[animal]
    boat = boat_in(s, space)
    if kind == MONSTER:  # AT-X1
        lose_swimmers(s, space)
        if boat != NO_BOAT:
            lose_boat(s, boat)
    elif kind == SHARK:  # AT-X2
        lose_swimmers(s, space)
    elif kind == OCTOPUS and boat != NO_BOAT and load(s, boat) > 0:  # AT-X3
        capsize(s, boat)
