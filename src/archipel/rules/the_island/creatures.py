"""Creatures (chapter Step 4): where they are, and what they do where they arrive."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea import creatures
from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.places import NO_BOAT
from archipel.rules.hex_sea.swimmers import swimmers_in
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.the_island.board import FIRST_NEAR, NEAR
from archipel.rules.the_island.components import (
    CREATURE_STEPS,
    DIE,
    KIND_OF,
    SERPENT,
    SHARK,
)
from archipel.rules.the_island.explorers import capsize, lose_boat, lose_swimmers
from archipel.rules.the_island.sea import SEA, touches_sea
from archipel.rules.the_island.state import (
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    STOP,
    TURN_ENDS,
    State,
)

put_creature = SEA(creatures.put_creature)
take_up_creature = SEA(creatures.take_up_creature)  # IS-X1: another of its kind may remain
move_creature = SEA(creatures.move_creature)
next_in_stock = SEA(creatures.next_in_stock)  # IS-K11
is_on_board = SEA(creatures.is_on_board)
step_creature = SEA(creatures.step_creature)

# ---- step 4 -------------------------------------------------------------------------------------


@rule
def can_swim_on(s: State, creature: int) -> bool:
    """Whether a creature is on the board with a sea space beside it."""
    return is_on_board(s, creature) and touches_sea(s, s.creature[creature])


MOVABLE: Final = SEA.and_also(can_be_moved=can_swim_on)
any_can_be_moved = MOVABLE(creatures.any_can_be_moved)
legal_creatures_of = MOVABLE(creatures.legal_creatures_of)


@rule
def roll(s: State, chance: Chance) -> None:
    """IS-T4: the die; then its creature may be moved, if there is one that can."""
    s.die = DIE[draw(chance, len(DIE))]
    s.phase = CREATURE if any_can_be_moved(s, s.die) else TURN_ENDS


@rule
def legal_creatures(s: State, actions: list[int]) -> int:
    """IS-T4, IS-X5: one of the kind that the die shows, or none."""
    return legal_creatures_of(s, s.die, actions)


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
