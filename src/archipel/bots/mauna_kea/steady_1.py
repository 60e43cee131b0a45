"""steady-1: plays on like greedy-2, but goes on with what was begun and lets no points lie idle.

Whoever was named moves by a way of its own.  greedy-2 sends everybody in the direction that the
explorer of its own choice would take, so that a search which plays on by it learns nothing about
naming another one.  What is much nearer than a boat is fetched first, points that do not suffice
for the next step of one explorer are left to the others, and it starts near boats as well as
artefacts.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from types import ModuleType
from typing import Final

from archipel.bots.mauna_kea.greedy_1 import (
    beside_own,
    choose_start,
    follow,
    next_of_plan,
)
from archipel.bots.mauna_kea.greedy_2 import choose_greedily_2
from archipel.bots.mauna_kea.ways import (
    ANY_BOAT,
    ARTEFACT,
    EVERYBODY,
    FAR,
    NO_PLAN,
    best_plan,
    in_danger,
    loads_of,
    plan_among,
    plan_explorer,
    plan_ticks,
    shortest,
    survey,
    ticks_from,
)
from archipel.rules.kit import rule
from archipel.rules.kit.adoption import Adoption
from archipel.rules.kit.marking import rule_apart
from archipel.rules.mauna_kea.components import MOST_CARRIED
from archipel.rules.mauna_kea.reach import clear_reach
from archipel.rules.mauna_kea.state import EXPLORER, NOBODY, PLAY, State

# By so many ticks an artefact is nearer than a boat, if it is fetched first.
MUCH_NEARER: Final = 5


# ---- plans --------------------------------------------------------------------------------------


@rule_apart
def richer_plan_among(s: State, loads: int, among: int) -> int:
    """Like `plan_among`, but an artefact comes before a boat where it is much nearer."""
    plan = plan_among(s, loads, among)
    if plan == NO_PLAN or plan_ticks(plan) < MUCH_NEARER:
        return plan
    more = shortest(s, loads, ARTEFACT, 0, MOST_CARRIED - 1, among)
    if more != NO_PLAN and plan_ticks(more) + MUCH_NEARER <= plan_ticks(plan):
        return more
    return plan


@rule
def plan_or_leave(s: State, loads: int, among: int) -> int:
    """Likewise; with nothing to fetch any more, to a boat even so."""
    plan = richer_plan_among(s, loads, among)
    return plan if plan != NO_PLAN else shortest(s, loads, ANY_BOAT, 0, MOST_CARRIED, among)


@rule_apart
def steady_plan(s: State) -> int:
    """Whoever was just named goes on; else whoever is in danger goes first, then anybody."""
    loads = loads_of(s)
    if s.phase == EXPLORER and s.active != NOBODY:
        return plan_or_leave(s, loads, 1 << s.active)
    plan = NO_PLAN
    endangered = in_danger(s)
    if endangered != 0:
        plan = richer_plan_among(s, loads, endangered)
    return plan if plan != NO_PLAN else plan_or_leave(s, loads, EVERYBODY)


# ---- the play -----------------------------------------------------------------------------------


@rule
def next_of_another(s: State, plan: int, actions: list[int], count: int) -> int:
    """What can be done for the others, the nearest to its goal first, where nothing can for the
    explorer of the plan; or `NO_PLAN`."""
    loads = loads_of(s)
    others = EVERYBODY & ~(1 << plan_explorer(plan))
    wanted = NO_PLAN
    while others != 0 and wanted == NO_PLAN:
        other = richer_plan_among(s, loads, others)
        if other == NO_PLAN:
            return NO_PLAN
        wanted = follow(s, other, actions, count)
        others &= ~(1 << plan_explorer(other))
    return wanted


@rule
def next_of_anybody(s: State, plan: int, actions: list[int], count: int) -> int:
    """What can be done for the explorer of the plan, else in a turn's play for another."""
    wanted = next_of_plan(s, plan, actions, count)
    if wanted == NO_PLAN and plan != NO_PLAN and s.phase == PLAY:
        wanted = next_of_another(s, plan, actions, count)
    return wanted


@rule_apart
def choose_steady_start(s: State, actions: list[int], count: int) -> int:
    """Near an artefact, and half as much near a boat, but not all on one space."""
    survey(s)
    best = actions[0]
    least = 10 * FAR
    for number in range(count):
        cell = actions[number]
        ticks = FAR * beside_own(s, cell) + 2 * ticks_from(s, ARTEFACT, 0, cell, FAR)
        if ticks < least:
            ticks += ticks_from(s, ANY_BOAT, 0, cell, FAR)
        if ticks < least:
            least = ticks
            best = cell
    clear_reach(s)
    return best


# ---- the same in all that greedy-2 does otherwise -----------------------------------------------

_OPEN: Final = ModuleType("what greedy-2 goes by")
vars(_OPEN).update(best_plan=best_plan, choose_start=choose_start, next_of_plan=next_of_plan)

#: The choice of steady-1.
choose_steadily_1 = Adoption(
    _OPEN,
    {
        "best_plan": steady_plan,
        "choose_start": choose_steady_start,
        "next_of_plan": next_of_anybody,
    },
)(choose_greedily_2)
