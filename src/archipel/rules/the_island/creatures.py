"""Creatures (chapter Step 4), and what they do where they arrive."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.places import FIRST_CREATURE_BIT, GONE, IN_STOCK, NO_BOAT
from archipel.rules.hex_sea.swimmers import swimmers_in
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SPACES
from archipel.rules.the_island.components import (
    CREATURE_STEPS,
    DIE,
    FIRST_OF_KIND,
    KIND_OF,
    SERPENT,
    SHARK,
)
from archipel.rules.the_island.explorers import capsize, lose_boat, lose_swimmers
from archipel.rules.the_island.state import (
    ARRIVED,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    NOBODY,
    STOP,
    TURN_ENDS,
    State,
)

# ---- pieces -------------------------------------------------------------------------------------


@rule
def put_creature(s: State, creature: int, space: int) -> None:
    s.creature[creature] = space
    s.space[space] |= FIRST_CREATURE_BIT << KIND_OF[creature]


@rule_apart
def take_up_creature(s: State, creature: int) -> None:
    """Off its space, where another of its kind may remain (IS-X1)."""
    space = s.creature[creature]
    kind = KIND_OF[creature]
    s.creature[creature] = GONE
    for other in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        if s.creature[other] == space:
            return
    s.space[space] = s.space[space] & ~(FIRST_CREATURE_BIT << kind)


@rule
def move_creature(s: State, creature: int, space: int) -> None:
    take_up_creature(s, creature)
    put_creature(s, creature, space)


@rule
def next_in_stock(s: State, kind: int) -> int:
    """The next creature of a kind to come into play, or nobody (IS-K11)."""
    for creature in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
        if s.creature[creature] == IN_STOCK:
            return creature
    return NOBODY


@rule
def is_on_board(s: State, creature: int) -> bool:
    return s.creature[creature] < SPACES


@rule
def can_swim_on(s: State, creature: int) -> bool:
    """Whether a creature is on the board with a sea space beside it."""
    if not is_on_board(s, creature):
        return False
    space = s.creature[creature]
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            return True
    return False


# ---- step 4 -------------------------------------------------------------------------------------


@rule
def roll(s: State, chance: Chance) -> None:
    """IS-T4: the die; then its creature may be moved, if there is one that can."""
    s.die = DIE[draw(chance, len(DIE))]
    for creature in range(FIRST_OF_KIND[s.die], FIRST_OF_KIND[s.die + 1]):
        if can_swim_on(s, creature):
            s.phase = CREATURE
            return
    s.phase = TURN_ENDS


@rule
def legal_creatures(s: State, actions: list[int]) -> int:
    """IS-T4, IS-X5: one of the kind that the die shows, or none."""
    count = 0
    for creature in range(FIRST_OF_KIND[s.die], FIRST_OF_KIND[s.die + 1]):
        if can_swim_on(s, creature):
            actions[count] = CREATURE_PIECE + creature
            count += 1
    actions[count] = STOP
    return count + 1


@rule
def choose_creature(s: State, action: int) -> None:
    if action == STOP:
        s.phase = TURN_ENDS
        return
    s.chosen = action
    s.steps = CREATURE_STEPS[s.die]
    s.phase = CREATURE_STEP


@rule
def legal_creature_steps(s: State, actions: list[int]) -> int:
    """IS-X6: any sea space beside it; it may stop once it has moved."""
    space = s.creature[s.chosen - CREATURE_PIECE]
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            actions[count] = NEAR[near]
            count += 1
    if s.steps < CREATURE_STEPS[s.die]:
        actions[count] = STOP
        count += 1
    return count


@rule
def step_creature(s: State, action: int) -> None:
    if action == STOP:
        s.phase = TURN_ENDS
        return
    move_creature(s, s.chosen - CREATURE_PIECE, action)
    s.steps -= 1
    s.phase = ARRIVED


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
