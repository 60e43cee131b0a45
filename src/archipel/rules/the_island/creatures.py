"""Step 4: the die, the creature it lets the player move, and its prey (chapter Step 4)."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.moving import CreatureMoves
from archipel.rules.hex_sea.places import NO_BOAT
from archipel.rules.hex_sea.swimmers import swimmers_in
from archipel.rules.kit import Chance, draw_for, rule
from archipel.rules.the_island.board import FIRST_NEAR, NEAR
from archipel.rules.the_island.components import CREATURE_STEPS, DIE, KIND_OF, SERPENT, SHARK
from archipel.rules.the_island.defence import ask_next
from archipel.rules.the_island.explorers import capsize, lose_boat, lose_swimmers
from archipel.rules.the_island.sea import SEA, is_on_board, touches_sea
from archipel.rules.the_island.state import Action, Phase, Purpose, State

step_creature = SEA.step_creature


@rule
def finds_prey(s: State, creature: int) -> bool:
    """Whether a creature meets prey in its space, which stops it (IS-X2, IS-X3, IS-X4)."""
    space = s.creature[creature]
    kind = KIND_OF[creature]
    boat = boat_in(s, space)
    if kind != SHARK and boat != NO_BOAT and load(s, boat) > 0:
        return True
    return kind in (SERPENT, SHARK) and swimmers_in(s, space) > 0


@rule
def harm(s: State, creature: int) -> None:
    """Harm the prey of a creature (IS-X2, IS-X3, IS-X4)."""
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


@rule
def can_swim_on(s: State, creature: int) -> bool:
    """Whether a creature is on the board with a sea space beside it."""
    return is_on_board(s, creature) and touches_sea(s, s.creature[creature])


MOVABLE: Final = CreatureMoves(SEA, can_swim_on)
any_can_be_moved = MOVABLE.any_can_be_moved
legal_creatures_of = MOVABLE.legal_creatures_of


@rule
def roll(s: State, chance: Chance) -> None:
    """IS-T4: roll the die; the player may move a creature of the kind shown, if one can move."""
    s.die = DIE[draw_for(chance, Purpose.DIE + s.turn, len(DIE))]
    s.phase = Phase.CREATURE if any_can_be_moved(s, s.die) else Phase.TURN_ENDS


@rule
def legal_creatures(s: State, actions: list[int]) -> int:
    """IS-T4, IS-X5: fill in the creatures of the kind that the die shows, and pass."""
    return legal_creatures_of(s, s.die, actions)


@rule
def choose_creature(s: State, action: int) -> None:
    if action == Action.STOP:
        s.phase = Phase.TURN_ENDS
        return
    s.chosen = action
    s.steps = CREATURE_STEPS[s.die]
    s.phase = Phase.CREATURE_STEP


@rule
def legal_creature_steps(s: State, actions: list[int]) -> int:
    """IS-X6: fill in adjacent sea spaces; a creature may stop after its first step."""
    space = s.creature[s.chosen - Action.CREATURE]
    count = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            actions[count] = NEAR[near]
            count += 1
    if s.steps < CREATURE_STEPS[s.die]:
        actions[count] = Action.STOP
        count += 1
    return count


@rule
def arrive(s: State) -> None:
    """Harm prey (IS-X2, IS-X3, IS-X4) unless a seat defends (IS-D3); without prey, go on."""
    creature = s.chosen - Action.CREATURE
    if not finds_prey(s, creature):
        s.phase = Phase.CREATURE_STEP if s.steps > 0 else Phase.TURN_ENDS
    elif not ask_next(s, creature):
        harm(s, creature)
        s.phase = Phase.TURN_ENDS
