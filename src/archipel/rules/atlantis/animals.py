"""Sea animals (chapter Animals): where they are, and what they do where they arrive."""

from __future__ import annotations

from archipel.rules.atlantis.board import SPACES
from archipel.rules.atlantis.components import (
    ANIMALS,
    FIRST_OF_KIND,
    KIND_OF,
    MONSTER,
    OCTOPUS,
    SHARK,
)
from archipel.rules.atlantis.people import capsize, lose_boat, lose_swimmers
from archipel.rules.atlantis.state import NOBODY, State
from archipel.rules.hex_sea.boats import boat_in, load
from archipel.rules.hex_sea.places import FIRST_CREATURE_BIT, GONE, IN_STOCK, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart


@rule
def put_animal(s: State, animal: int, space: int) -> None:
    s.animal[animal] = space
    s.space[space] |= FIRST_CREATURE_BIT << KIND_OF[animal]


@rule
def take_up_animal(s: State, animal: int) -> None:
    """Off its space, where another of its kind may remain (AT-X4)."""
    space = s.animal[animal]
    kind = KIND_OF[animal]
    s.animal[animal] = GONE
    if animal_in(s, kind, space) == NOBODY:
        s.space[space] = s.space[space] & ~(FIRST_CREATURE_BIT << kind)


@rule
def move_animal(s: State, animal: int, space: int) -> None:
    take_up_animal(s, animal)
    put_animal(s, animal, space)


@rule
def animal_in(s: State, kind: int, space: int) -> int:
    """The first animal of a kind in a space, or nobody."""
    for animal in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        if s.animal[animal] == space:
            return animal
    return NOBODY


@rule
def next_in_stock(s: State, kind: int) -> int:
    """The next animal of a kind to come into play, or nobody (AT-K4)."""
    return animal_in(s, kind, IN_STOCK)


@rule
def is_on_board(s: State, animal: int) -> bool:
    return s.animal[animal] < SPACES


@rule
def remove_animals(s: State, space: int) -> None:
    """AT-K5: all of them, out of the game."""
    for animal in range(ANIMALS):
        if s.animal[animal] == space:
            take_up_animal(s, animal)


@rule
def finds_prey(s: State, animal: int) -> bool:
    """Whether an animal harms in its space (AT-X1, AT-X2, AT-X3); dolphins never do (AT-X4)."""
    space = s.animal[animal]
    kind = KIND_OF[animal]
    boat = boat_in(s, space)
    if kind == MONSTER:
        return boat != NO_BOAT or s.crowd[space] > 0
    if kind == SHARK:
        return s.crowd[space] > 0
    return kind == OCTOPUS and boat != NO_BOAT and load(s, boat) > 0


@rule_apart
def harm(s: State, animal: int) -> None:
    """AT-X6: on arriving, moved or placed, and to everyone there."""
    space = s.animal[animal]
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
