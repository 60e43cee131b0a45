"""How greedy-1 values creature moves: whom a creature harms where it goes, and whom it threatens.

Few explorers are in reach of a creature, so they are found once, as a bit set, and only they are
examined.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.people_sets import first_of
from archipel.bots.the_island.rescue_chances import distance, side
from archipel.rules.hex_sea.boats import boat_in, is_sea, space_of
from archipel.rules.hex_sea.places import ABOARD
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SPACES
from archipel.rules.the_island.components import (
    BOATS,
    CREATURE_STEPS,
    EXPLORERS,
    KIND_OF,
    SERPENT,
    SHARK,
    WHALE,
)
from archipel.rules.the_island.state import EATERS, Action, State

NOT_AT_ALL: Final = -1_000_000_000


# ---- people in reach ----------------------------------------------------------------------------


@rule_apart
def exposed(s: State, swimmers: bool, passengers: bool) -> int:
    """The explorers in the water, aboard, or both, as a bit set."""
    found = 0
    for explorer in range(EXPLORERS):
        place = s.place[explorer]
        if swimmers and place < SPACES and is_sea(s, place):
            found |= 1 << explorer
        elif passengers and ABOARD <= place < ABOARD + BOATS:
            found |= 1 << explorer
    return found


@rule
def exposed_to(s: State, kind: int) -> int:
    """The explorers whom creatures of a kind can harm, at any distance, as a bit set."""
    return exposed(s, kind != WHALE, kind != SHARK)


@rule_apart
def in_reach(s: State, people: int, creature: int) -> int:
    """The subset of people whom a creature can harm, or threaten after one step."""
    reach = CREATURE_STEPS[KIND_OF[creature]] + 1
    found = 0
    rest = people
    while rest != 0:
        explorer = first_of(rest)
        rest = rest & (rest - 1)
        if distance(space_of(s, explorer), s.creature[creature]) <= reach:
            found |= 1 << explorer
    return found


# ---- values -------------------------------------------------------------------------------------


@rule_apart
def stakes_at(s: State, me: int, people: int, place: int) -> int:
    """The weights of those of a set of people who are in one place."""
    total = 0
    rest = people
    while rest != 0:
        explorer = first_of(rest)
        rest = rest & (rest - 1)
        if s.place[explorer] == place:
            total += side(s, me, explorer)
    return total


@rule
def prey_value(s: State, me: int, kind: int, people: int, space: int) -> int:
    """The value of a creature of a kind arriving in a space: the loss of the opponents."""
    gain = -6 * stakes_at(s, me, people, space)
    boat = boat_in(s, space)
    if boat >= 0:
        sinks = kind == SERPENT or s.space[space] & EATERS != 0
        gain -= stakes_at(s, me, people, ABOARD + boat) * (8 if sinks else 5)
    return gain


@rule_apart
def threat_of(s: State, me: int, kind: int, people: int, space: int) -> int:
    """The value of the threat of a creature of a kind in a space."""
    threat = 0
    rest = people
    while rest != 0:
        explorer = first_of(rest)
        rest = rest & (rest - 1)
        if distance(space_of(s, explorer), space) <= CREATURE_STEPS[kind]:
            threat -= side(s, me, explorer)
    return threat


# ---- step 4 -------------------------------------------------------------------------------------


@rule_apart
def value_of_creature(s: State, people: int, action: int) -> int:
    """The value of a creature's best first step; ``people`` are those its kind can harm."""
    if action == Action.STOP:
        return 1
    creature = action - Action.CREATURE
    space = s.creature[creature]
    near_by = in_reach(s, people, creature)
    best = NOT_AT_ALL
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            steps = CREATURE_STEPS[s.die]
            best = max(best, value_of_creature_step(s, near_by, creature, NEAR[near], steps))
    return best


@rule_apart
def value_of_creature_step(s: State, people: int, creature: int, action: int, steps: int) -> int:
    """The value of a step: harm there or on the next steps, and the change of the threat."""
    if action == Action.STOP:
        return 1
    if people == 0:
        return 0
    kind = KIND_OF[creature]
    me = s.to_move
    here = s.creature[creature]
    now = prey_value(s, me, kind, people, action)
    threat = threat_of(s, me, kind, people, action) - threat_of(s, me, kind, people, here)
    if now != 0 or steps == 1:
        return 10 * now + threat
    best = 0
    for near in range(FIRST_NEAR[action], FIRST_NEAR[action + 1]):
        if is_sea(s, NEAR[near]) and NEAR[near] != here:
            best = max(best, prey_value(s, me, kind, people, NEAR[near]))
    if steps == 3 and best == 0:
        best = prey_within_two(s, me, kind, people, action) * 9 // 10
    return 9 * best + threat


@rule_apart
def prey_within_two(s: State, me: int, kind: int, people: int, space: int) -> int:
    """The value of the best prey two sea steps from a space."""
    best = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        there = NEAR[near]
        if is_sea(s, there):
            for next_near in range(FIRST_NEAR[there], FIRST_NEAR[there + 1]):
                if is_sea(s, NEAR[next_near]):
                    best = max(best, prey_value(s, me, kind, people, NEAR[next_near]))
    return best
