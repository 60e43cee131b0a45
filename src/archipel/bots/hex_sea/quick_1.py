"""What quick-1 sees of an action at a glance in both games: boats, crews, and ways to safety.

Frozen with the bots that see by it: one that sees otherwise gets another name.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from archipel.bots.hex_sea import quick_own
from archipel.bots.hex_sea.quick_own import (
    BOARDED_AT,
    BOARDING,
    COURSE,
    CREW,
    EMPTY_BOAT,
    FETCH,
    JOINED,
    SAILING,
    TO_SAFETY,
    decider,
    distance,
    steps_to_own,
)
from archipel.bots.people_sets import first_of
from archipel.bots.quick import NO_TRAIT, together
from archipel.rules.hex_sea.boats import boat_in, has_room, is_sea, load, space_of
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import FIRST_NEAR, NEAR, seat_of
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.adoption import Adoption
from archipel.rules.kit.marking import AnyRule, rule_apart

R = TypeVar("R", bound=AnyRule)

FAR: Final = 9  # steps to safety: beyond, they are all alike
WAYS: Final = FAR + 1
COUNTS: Final = 16  # two numbers from 0 to 3
STEPS_TO_FETCH: Final = 8

ON_LAND: Final = 0
IN_WATER: Final = 1
IN_BOAT: Final = 2


class Sight:
    """What a game gives for the open names; ``sight(shared_rule)`` is the game's copy."""

    def __init__(self, sea: Adoption, **own: Any) -> None:
        self._sea = sea
        self._own = Adoption(quick_own, own)

    def __call__(self, function: R) -> R:
        return self._own(self._sea(function))


# ---- ways and counts ----------------------------------------------------------------------------


@rule
def way_from(space: int) -> int:
    return min(FAR, TO_SAFETY[space])


@rule
def nearer(start: int, end: int) -> int:
    """0 for nearer to safety, 1 for as near, 2 for farther."""
    return max(-1, min(1, TO_SAFETY[end] - TO_SAFETY[start])) + 1


@rule
def counted(mine: int, others: int) -> int:
    return min(3, mine) * 4 + min(3, others)


@rule_apart
def counted_among(s: HasSea, people: int, space: int, reach: int) -> int:
    """How many of some people are no farther from a space than this: one's own and others."""
    mine = 0
    others = 0
    rest = people
    while rest != 0:
        person = first_of(rest)
        rest = rest & (rest - 1)
        if distance(space, space_of(s, person)) <= reach:
            if seat_of(s, person) == decider(s):
                mine += 1
            else:
                others += 1
    return counted(mine, others)


# ---- what is in a space, or beside it -----------------------------------------------------------


@rule
def crew_of(s: HasSea, boat: int) -> int:
    mine = s.aboard[boat][decider(s)]
    return counted(mine, load(s, boat) - mine)


@rule
def boat_with_room(s: HasSea, space: int) -> bool:
    boat = boat_in(s, space)
    return boat != NO_BOAT and has_room(s, boat)


@rule
def origin_of(s: HasSea, place: int) -> int:
    if place >= ABOARD:
        return IN_BOAT
    return IN_WATER if is_sea(s, place) else ON_LAND


@rule
def beside(s: HasSea, space: int) -> int:
    """What is beside a space: 0 for only land, 1 for sea, 2 for a boat with room, 3 for one with
    nobody else aboard."""
    found = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            found = max(found, 1)
            boat = boat_in(s, NEAR[near])
            if boat != NO_BOAT and has_room(s, boat):
                found = max(found, 3 if load(s, boat) == s.aboard[boat][decider(s)] else 2)
    return found


@rule
def boats_beside(s: HasSea, space: int) -> int:
    """Which boats are beside a space: 1 for one with one's own aboard, 2 for one of others only, 3
    for both."""
    boats = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        boat = boat_in(s, NEAR[near])
        if boat != NO_BOAT:
            if s.aboard[boat][decider(s)] > 0:
                boats |= 1
            elif load(s, boat) > 0:
                boats |= 2
    return boats


# ---- boats --------------------------------------------------------------------------------------


@rule
def describe_boat(s: HasSea, boat: int) -> int:
    """A boat that may be moved."""
    crew = crew_of(s, boat)
    if crew == 0:
        return EMPTY_BOAT + way_from(s.boat[boat])
    return together(SAILING + way_from(s.boat[boat]), CREW + crew, NO_TRAIT, NO_TRAIT)


@rule
def describe_boarding(s: HasSea, place: int, boat: int) -> int:
    """To climb into a boat from a place."""
    return together(
        BOARDING + origin_of(s, place),
        JOINED + crew_of(s, boat),
        BOARDED_AT + way_from(s.boat[boat]),
        NO_TRAIT,
    )


@rule
def course_to(s: HasSea, boat: int, space: int) -> int:
    """The trait of a boat's way to a space."""
    loaded = 1 if load(s, boat) > 0 else 0
    return COURSE + (3 * loaded + nearer(s.boat[boat], space)) * WAYS + way_from(space)


@rule
def describe_empty_course(s: HasSea, boat: int, space: int) -> int:
    """To sail a boat that nobody is in."""
    away = steps_to_own(s, space)
    change = max(-1, min(1, away - steps_to_own(s, s.boat[boat]))) + 1
    fetch = FETCH + STEPS_TO_FETCH * change + min(STEPS_TO_FETCH - 1, away)
    return together(course_to(s, boat, space), fetch, NO_TRAIT, NO_TRAIT)
