"""Creatures of the sea: where they are, and the one that chance lets a player move."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import (
    ARRIVED,
    CREATURE_PIECE,
    CREATURES,
    FIRST_OF_KIND,
    KIND_OF,
    SPACES,
    STOP,
    TURN_ENDS,
    can_be_moved,
)
from archipel.rules.hex_sea.places import FIRST_CREATURE_BIT, GONE, IN_STOCK
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

NO_CREATURE: Final = -1

# ---- where they are -----------------------------------------------------------------------------


@rule
def put_creature(s: HasSea, creature: int, space: int) -> None:
    s.creature[creature] = space
    s.space[space] |= FIRST_CREATURE_BIT << KIND_OF[creature]


@rule_apart
def take_up_creature(s: HasSea, creature: int) -> None:
    """Off its space, where another of its kind may remain."""
    space = s.creature[creature]
    kind = KIND_OF[creature]
    s.creature[creature] = GONE
    if creature_in(s, kind, space) == NO_CREATURE:
        s.space[space] = s.space[space] & ~(FIRST_CREATURE_BIT << kind)


@rule
def move_creature(s: HasSea, creature: int, space: int) -> None:
    take_up_creature(s, creature)
    put_creature(s, creature, space)


@rule
def creature_in(s: HasSea, kind: int, space: int) -> int:
    """The first creature of a kind in a space, or none."""
    for creature in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        if s.creature[creature] == space:
            return creature
    return NO_CREATURE


@rule
def next_in_stock(s: HasSea, kind: int) -> int:
    """The next creature of a kind to come into play, or none."""
    return creature_in(s, kind, IN_STOCK)


@rule
def is_on_board(s: HasSea, creature: int) -> bool:
    return s.creature[creature] < SPACES


@rule
def remove_creatures(s: HasSea, space: int) -> None:
    """All of them, out of the game."""
    for creature in range(CREATURES):
        if s.creature[creature] == space:
            take_up_creature(s, creature)


# ---- moving one ---------------------------------------------------------------------------------


@rule
def any_can_be_moved(s: HasSea, kind: int) -> bool:
    for creature in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        if can_be_moved(s, creature):
            return True
    return False


@rule
def legal_creatures_of(s: HasSea, kind: int, actions: list[int]) -> int:
    """Those of a kind that can be moved; or none."""
    count = 0
    for creature in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        if can_be_moved(s, creature):
            actions[count] = CREATURE_PIECE + creature
            count += 1
    actions[count] = STOP
    return count + 1


@rule
def step_creature(s: HasSea, action: int) -> None:
    """A space further, where it then arrives; or enough."""
    if action == STOP:
        s.phase = TURN_ENDS
        return
    move_creature(s, s.chosen - CREATURE_PIECE, action)
    s.steps -= 1
    s.phase = ARRIVED
