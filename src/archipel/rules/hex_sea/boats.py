"""Boats and who is aboard: the rules that both games share, over the fields they name.

People are counted aboard by the seat they belong to; a person's own place tells which boat.
"""

from __future__ import annotations

from typing import Protocol

from archipel.rules.hex_sea.places import ABOARD, BOAT_BITS, BOAT_ROOM, GONE, LAND
from archipel.rules.kit import rule


class HasBoats(Protocol):
    """The fields of a state with boats: `archipel.rules.hex_sea.places` tells what is in them."""

    space: list[int]  # per space of the board, what it holds
    place: list[int]  # per person
    boat: list[int]  # per boat, its space
    aboard: list[list[int]]  # per boat and seat, how many of theirs are aboard


@rule
def boat_in(s: HasBoats, space: int) -> int:
    """The boat in a space, or none: there is never more than one."""
    return (s.space[space] & BOAT_BITS) - 1


@rule
def is_sea(s: HasBoats, space: int) -> bool:
    return s.space[space] & LAND == 0


@rule
def load(s: HasBoats, boat: int) -> int:
    """How many people are aboard."""
    count = 0
    for seat in range(len(s.aboard[boat])):
        count += s.aboard[boat][seat]
    return count


@rule
def has_room(s: HasBoats, boat: int) -> bool:
    return load(s, boat) < BOAT_ROOM


@rule
def controls(s: HasBoats, boat: int, seat: int) -> bool:
    """Whether a seat has most people aboard, alone or level with others; an empty boat is nobody's.

    Of three at most, most and majority are the same but for boats where all are of different seats,
    and those each may move.
    """
    return s.aboard[boat][seat] > 0 and may_sail(s, boat, seat)


@rule
def may_sail(s: HasBoats, boat: int, seat: int) -> bool:
    """Anyone moves an empty boat, and only those who control it an occupied one: in both cases
    nobody has more people aboard."""
    mine = s.aboard[boat][seat]
    for other in range(len(s.aboard[boat])):
        if s.aboard[boat][other] > mine:
            return False
    return True


@rule
def space_of(s: HasBoats, person: int) -> int:
    """The space a person on the board is in, by boat or not."""
    place = s.place[person]
    return s.boat[place - ABOARD] if place >= ABOARD else place


@rule
def climb_aboard(s: HasBoats, person: int, seat: int, boat: int) -> None:
    s.place[person] = ABOARD + boat
    s.aboard[boat][seat] += 1


@rule
def leave_boat(s: HasBoats, person: int, seat: int) -> None:
    """A person who may be aboard is not any more; where to is for the caller to say."""
    place = s.place[person]
    if place >= ABOARD:
        s.aboard[place - ABOARD][seat] -= 1


@rule
def put_boat(s: HasBoats, boat: int, space: int) -> None:
    s.boat[boat] = space
    s.space[space] |= boat + 1


@rule
def move_boat(s: HasBoats, boat: int, space: int) -> None:
    """All aboard go along; swimmers in the space it leaves do not."""
    left = s.boat[boat]
    s.space[left] = s.space[left] & ~BOAT_BITS
    put_boat(s, boat, space)


@rule
def remove_boat(s: HasBoats, boat: int) -> None:
    """Out of the game; whoever was aboard must have left."""
    left = s.boat[boat]
    s.space[left] = s.space[left] & ~BOAT_BITS
    s.boat[boat] = GONE
